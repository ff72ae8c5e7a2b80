package io.iwcm.nic.qp;

/** The limit on challenge ACKs, per connection: a shared one would tell strangers about others (RFC 5961 §7, CVE-2016-5696). */
final class ChallengeLimit {

    private static final long PERIOD_NS = 5_000_000_000L;

    private final int most;
    private long periodEndNs;
    private int sent;

    ChallengeLimit(int most, long nowNs) {
        this.most = most;
        this.periodEndNs = nowNs + PERIOD_NS;
    }

    boolean allows(long nowNs) {
        if (nowNs - periodEndNs >= 0) {
            periodEndNs = nowNs + PERIOD_NS;
            sent = 0;
        }
        if (sent == most) {
            return false;
        }
        sent++;
        return true;
    }
}
