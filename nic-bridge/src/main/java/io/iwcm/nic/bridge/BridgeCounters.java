package io.iwcm.nic.bridge;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what {@link BridgeCounter} names; from any thread, without a lock. */
public final class BridgeCounters {

    private final LongAdder[] counts = new LongAdder[BridgeCounter.values().length];

    BridgeCounters() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    void count(BridgeCounter counter) {
        count(counter, 1);
    }

    void count(BridgeCounter counter, long by) {
        counts[counter.ordinal()].add(by);
    }

    /** How often it has happened so far. */
    public long value(BridgeCounter counter) {
        return counts[counter.ordinal()].sum();
    }

    /** All of them as they are now, in the enum's order; unmodifiable. */
    public Map<BridgeCounter, Long> values() {
        Map<BridgeCounter, Long> values = new EnumMap<>(BridgeCounter.class);
        for (BridgeCounter counter : BridgeCounter.values()) {
            values.put(counter, value(counter));
        }
        return Collections.unmodifiableMap(values);
    }
}
