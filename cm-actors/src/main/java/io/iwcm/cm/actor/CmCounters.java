package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmCounter;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what {@link CmCounter} names; from any thread, without a lock. */
public final class CmCounters {

    private final LongAdder[] counts = new LongAdder[CmCounter.values().length];

    /** All zero. */
    public CmCounters() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    /** One more. */
    public void count(CmCounter counter) {
        counts[counter.ordinal()].increment();
    }

    /** How often it has happened so far. */
    public long value(CmCounter counter) {
        return counts[counter.ordinal()].sum();
    }

    /** All of them as they are now, in the enum's order; unmodifiable. */
    public Map<CmCounter, Long> values() {
        Map<CmCounter, Long> values = new EnumMap<>(CmCounter.class);
        for (CmCounter counter : CmCounter.values()) {
            values.put(counter, value(counter));
        }
        return Collections.unmodifiableMap(values);
    }
}
