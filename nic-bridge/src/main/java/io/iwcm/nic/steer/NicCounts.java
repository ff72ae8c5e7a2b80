package io.iwcm.nic.steer;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The counts of one RNIC. One thread at a time. */
public final class NicCounts {

    private final long[] counts = new long[NicCounter.values().length];

    public void add(NicCounter counter) {
        counts[counter.ordinal()]++;
    }

    public long of(NicCounter counter) {
        return counts[counter.ordinal()];
    }

    /** All counts as they are now, in the counters' order; unmodifiable. */
    public Map<NicCounter, Long> snapshot() {
        EnumMap<NicCounter, Long> copy = new EnumMap<>(NicCounter.class);
        for (NicCounter counter : NicCounter.values()) {
            copy.put(counter, of(counter));
        }
        return Collections.unmodifiableMap(copy);
    }
}
