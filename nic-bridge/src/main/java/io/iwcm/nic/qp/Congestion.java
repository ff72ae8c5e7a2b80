package io.iwcm.nic.qp;

/**
 * How much the path is trusted to carry (RFC 5681), with NewReno's way through a loss (RFC 6582). Counts octets; knows
 * neither numbers nor time.
 */
final class Congestion {

    private static final int WINDOW_MAX = 1 << 30;
    /** What RFC 6928 §2 counts a segment as, when segments are larger than most. */
    private static final int USUAL_SEGMENT = 1460;

    private final int initial;
    private int mss;
    private int window;
    private int threshold = WINDOW_MAX;
    /** How far repeated acknowledgements may open the window: no more can have left the path than were on it. */
    private int inflatedMost;
    /** Octets acknowledged since the window grew last in congestion avoidance. */
    private int acknowledged;

    Congestion(int mss, int initialSegments) {
        this.mss = mss;
        this.initial =
                (int) Math.min((long) initialSegments * mss, Math.max(2L * mss, initialSegments * USUAL_SEGMENT));
        this.window = initial;
    }

    /** How many octets may be in flight. Never less than a segment. */
    int window() {
        return window;
    }

    /**
     * An acknowledgement of new octets outside recovery (RFC 5681 §3.1).
     *
     * @param octets how many it acknowledges
     * @param flight how many were in flight before it: a window that was not used says nothing about the path
     */
    void acknowledged(int octets, int flight) {
        if (flight + mss <= window) {
            return;
        }
        if (window < threshold) {
            grow(Math.min(octets, mss));
            return;
        }
        acknowledged += octets;
        if (acknowledged >= window) {
            acknowledged -= window;
            grow(mss);
        }
    }

    private void grow(int octets) {
        window = Math.min(WINDOW_MAX, window + octets);
    }

    /**
     * The retransmission timer has expired (RFC 5681 §3.1).
     *
     * @param again what is retransmitted has been before, so the threshold has learned of this loss
     */
    void timedOut(int flight, boolean again) {
        if (!again) {
            threshold = half(flight);
        }
        window = mss;
        acknowledged = 0;
    }

    /** Three acknowledgements repeat: a segment is lost, and three have left the path (RFC 5681 §3.2, step 3). */
    void enterRecovery(int flight) {
        threshold = half(flight);
        window = threshold + 3 * mss;
        inflatedMost = Math.max(window, threshold + flight);
        acknowledged = 0;
    }

    private int half(int flight) {
        return Math.max(flight / 2, 2 * mss);
    }

    /** One more repeats: one more segment has left the path (RFC 5681 §3.2, step 4). */
    void repeated() {
        window = Math.min(inflatedMost, window + mss);
    }

    /** Part of what was in flight when the loss was noticed is acknowledged: there is another loss (RFC 6582 §3.2). */
    void partly(int octets) {
        window = Math.max(mss, window - octets + (octets >= mss ? mss : 0)); // At least the retransmission.
    }

    /** All that was in flight when the loss was noticed is acknowledged (RFC 6582 §3.2: without a burst). */
    void leaveRecovery(int flight) {
        window = Math.min(threshold, Math.max(flight, mss) + mss);
    }

    /** Nothing was sent for longer than the retransmission timeout (RFC 5681 §4.1). */
    void idle() {
        window = Math.min(window, initial);
    }

    /** The path carries smaller segments only; that is no congestion (RFC 1191 §6.4). */
    void segments(int smaller) {
        mss = smaller;
        window = Math.max(window, mss);
    }
}
