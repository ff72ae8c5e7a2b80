package io.iwcm.cm.analyze;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the rules find about one conversation, in the order they find it. */
final class Findings {

    private final List<Finding> all = new ArrayList<>(4);

    void add(Why why, String sentence) {
        all.add(Finding.of(why, sentence));
    }

    void add(Finding finding) {
        all.add(finding);
    }

    boolean has(Why why) {
        return all.stream().anyMatch(f -> f.why() == why);
    }

    Verdict verdict() {
        return all.stream().map(Finding::weight).reduce(Verdict.HEALTHY, Verdict::or);
    }

    /** The worst first; among equals in the order of the exchange. */
    List<Finding> worstFirst() {
        return all.stream()
                .sorted(Comparator.comparing(Finding::weight).reversed())
                .toList();
    }
}
