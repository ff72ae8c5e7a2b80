package io.iwcm.nic.qp;

import io.iwcm.nic.wire.SeqNum;

/**
 * The retransmission timeout of one connection (RFC 6298). By Karn's rule a round trip is measured by one segment at a time
 * and by none that was sent twice: the caller tells of new segments only, and when nothing is to be trusted.
 */
final class Rto {

    private static final int BACK_OFF_MAX = 30; // Keeps the shift within a long; the cap holds long before.

    private final QpParams.Retransmission params;
    private long srttNs;
    private long rttvarNs;
    private long baseNs;
    private int backOff;
    private boolean timing;
    private SeqNum timedEnd = new SeqNum(0);
    private long timedAtNs;

    Rto(QpParams.Retransmission params) {
        this.params = params;
        this.baseNs = params.rtoInitialNs();
    }

    long timeoutNs() {
        return baseNs > params.rtoMaxNs() >> backOff ? params.rtoMaxNs() : baseNs << backOff;
    }

    /** A segment up to {@code end} is sent for the first time. */
    void sent(SeqNum end, long nowNs) {
        if (!timing) {
            timing = true;
            timedEnd = end;
            timedAtNs = nowNs;
        }
    }

    void acknowledged(SeqNum ack, long nowNs) {
        if (timing && ack.atOrAfter(timedEnd)) {
            sample(nowNs - timedAtNs);
            timing = false;
        }
    }

    /** What is measured may be sent again. */
    void stopTiming() {
        timing = false;
    }

    /** A round trip of a segment that was sent once (RFC 6298 §§2.2, 2.3). Ends the back-off. */
    void sample(long rttNs) {
        if (srttNs == 0) {
            srttNs = Math.max(1, rttNs);
            rttvarNs = rttNs / 2;
        } else {
            rttvarNs = rttvarNs - rttvarNs / 4 + Math.abs(srttNs - rttNs) / 4;
            srttNs = Math.max(1, srttNs - srttNs / 8 + rttNs / 8);
        }
        baseNs = Math.clamp(srttNs + 4 * rttvarNs, params.rtoMinNs(), params.rtoMaxNs());
        backOff = 0;
    }

    /** The timer has expired (RFC 6298 §5.5). */
    void backOff() {
        backOff = Math.min(BACK_OFF_MAX, backOff + 1);
    }

    /** A closed window has opened: what was backed off was probing, not loss. */
    void endBackOff() {
        backOff = 0;
    }
}
