package io.iwcm.nic.steer;

/** A token bucket: at most {@code burst} at once and {@code perSecond} in the long run. */
public final class RateLimit {

    private static final long SECOND_NS = 1_000_000_000L;

    private final int perSecond;
    private final long fullNs;
    private long creditNs;
    private long asOfNs;

    /**
     * @param perSecond 0: nothing ever passes
     * @param burst 1 or more
     * @param nowNs the bucket starts full
     */
    public RateLimit(int perSecond, int burst, long nowNs) {
        this.perSecond = perSecond;
        this.fullNs = perSecond == 0 ? 0 : burst * (SECOND_NS / perSecond);
        this.creditNs = fullNs;
        this.asOfNs = nowNs;
    }

    /** Whether one more may pass at {@code nowNs}; if so, it has. */
    public boolean pass(long nowNs) {
        if (perSecond == 0) {
            return false;
        }
        creditNs = Math.min(fullNs, creditNs + Math.min(fullNs, nowNs - asOfNs));
        asOfNs = nowNs;
        long costNs = SECOND_NS / perSecond;
        if (creditNs < costNs) {
            return false;
        }
        creditNs -= costNs;
        return true;
    }
}
