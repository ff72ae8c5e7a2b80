package io.iwcm.nic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The one assertion that nothing was left: what is in use, by name, is what it was before. Whoever has something to count
 * adds it under a name of its own; what is not named is not there.
 */
public final class LeakFree {

    private final Supplier<Map<String, Integer>> census;
    private final Map<String, Integer> before;

    private LeakFree(Supplier<Map<String, Integer>> census) {
        this.census = census;
        this.before = Map.copyOf(census.get());
    }

    /** What is in use now is what is to be in use again. */
    public static LeakFree since(Supplier<Map<String, Integer>> census) {
        return new LeakFree(census);
    }

    /** What an RNIC has in use. */
    public static Map<String, Integer> census(RnicSnapshot.Held held) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        counts.put("flows in the quad hash or reserved", held.flows());
        counts.put("SYN entries", held.listeners());
        counts.put("half-open places", held.halfOpen());
        counts.put("waiting places", held.waiting());
        counts.put("ports", held.ports());
        counts.put("address handles", held.handles());
        counts.put("queue pairs", held.qps());
        counts.put("waiters of neighbours", held.underWay().waiters());
        counts.put("frames inside", held.underWay().loopback());
        counts.put("device commands", held.underWay().commands());
        counts.put("stuck entries", held.underWay().stuck());
        counts.put("transmit buffers", held.underWay().buffers());
        counts.put("NIC timers", held.underWay().timers());
        return counts;
    }

    /** What differs, each with its count before and after; nothing when nothing was left. */
    public static List<String> left(Map<String, Integer> before, Map<String, Integer> after) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        List<String> left = new ArrayList<>();
        for (String name : names) {
            int was = before.getOrDefault(name, 0);
            int is = after.getOrDefault(name, 0);
            if (was != is) left.add(name + ": " + is + " instead of " + was);
        }
        return left;
    }

    /** What differs now. */
    public List<String> left() {
        return left(before, census.get());
    }

    /** Fails when anything is left. */
    public void check() {
        assertThat(left()).as("what was left").isEmpty();
    }
}
