package io.iwcm.nic.link;

/**
 * What a {@link MemoryWire} is like.
 *
 * @param latencyNs from transmit to arrival; at least 1 when driven, so that virtual time always moves on
 * @param queueFramesMax frames that may be on their way to one attachment; the next is dropped and counted there
 * @param faults how often frames are spoiled
 * @param seed where the faults' randomness starts; each attachment has its own sequence
 */
public record WireOptions(long latencyNs, int queueFramesMax, FaultRates faults, long seed) {

    /** 10 µs, 4096 frames, no faults. */
    public static final WireOptions PLAIN = new WireOptions(10_000, 4096, FaultRates.NONE, 0);

    private static final long HOUR_NS = 3_600_000_000_000L;

    public WireOptions {
        if (latencyNs < 0 || latencyNs > HOUR_NS) {
            throw new IllegalArgumentException("a latency of " + latencyNs + " ns is not allowed: 0 to an hour is");
        }
        if (queueFramesMax < 1) {
            throw new IllegalArgumentException("a queue of " + queueFramesMax + " frames is not allowed: 1 or more is");
        }
    }

    public WireOptions withLatencyNs(long ns) {
        return new WireOptions(ns, queueFramesMax, faults, seed);
    }

    public WireOptions withQueueFramesMax(int frames) {
        return new WireOptions(latencyNs, frames, faults, seed);
    }

    public WireOptions withFaults(FaultRates rates, long startingSeed) {
        return new WireOptions(latencyNs, queueFramesMax, rates, startingSeed);
    }
}
