package io.iwcm.cm.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A scrape, read as Prometheus would. */
final class Scrape {

    /** What the text says of a metric before its samples. */
    record Family(String type, String help) {}

    private final Map<String, Family> families = new LinkedHashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();

    Scrape(String text) {
        Map<String, String> helps = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                helps.put(words[2], words[3]);
            } else if (line.startsWith("# TYPE ")) {
                families.put(words[2], new Family(words[3], helps.getOrDefault(words[2], "")));
            } else {
                int end = line.lastIndexOf(' ');
                Double before = samples.put(line.substring(0, end), Double.valueOf(line.substring(end + 1)));
                assertThat(before).as("twice: " + line).isNull();
            }
        });
    }

    Map<String, Family> families() {
        return families;
    }

    /** The name and labels, as {@code iwcm_nodes{state="offloaded"}}. */
    double value(String sample) {
        assertThat(samples).containsKey(sample);
        return samples.get(sample);
    }

    /** Every name that a query can name: a histogram has several. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        samples.keySet().forEach(sample -> names.add(sample.replaceFirst("\\{.*", "")));
        return names;
    }

    /** The samples of this name. */
    Map<String, Double> of(String name) {
        Map<String, Double> of = new LinkedHashMap<>();
        samples.forEach((sample, value) -> {
            if (sample.equals(name) || sample.startsWith(name + "{")) of.put(sample, value);
        });
        return of;
    }
}
