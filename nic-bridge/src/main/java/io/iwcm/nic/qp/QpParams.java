package io.iwcm.nic.qp;

/**
 * Timers and limits of queue pairs. Values are durations in nanoseconds.
 *
 * @param tcp TCP's own
 * @param closeGraceNs how long the connection manager may take to order a close after the peer's FIN; then the queue pair
 *     closes of its own accord
 * @param terminateTimeoutNs how long an orderly end may take after our Terminate; then the peer is reset
 * @param work what applications may have
 */
public record QpParams(Tcp tcp, long closeGraceNs, long terminateTimeoutNs, Work work) {

    private static final long MILLISECOND_NS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MILLISECOND_NS;

    /** What the RFCs ask for; ten times the connection manager's own 100 ms close timer. */
    public static final QpParams DEFAULT = new QpParams(Tcp.DEFAULT, SECOND_NS, SECOND_NS);

    /** With the usual limits on what applications may have. */
    public QpParams(Tcp tcp, long closeGraceNs, long terminateTimeoutNs) {
        this(tcp, closeGraceNs, terminateTimeoutNs, Work.DEFAULT);
    }

    /**
     * What applications may have.
     *
     * @param regionsMax most memory regions of the NIC, 0..2^24-1
     * @param depthMax most requests in a send or receive queue, 1 or more
     */
    public record Work(int regionsMax, int depthMax) {
        public static final Work DEFAULT = new Work(65_536, 16_384);
    }

    /**
     * TCP's timers and limits.
     *
     * @param retransmission when what is not acknowledged is sent again
     * @param buffers how much is kept for the peer, and of it
     * @param initialWindow segments that may be in flight before the first acknowledgement, 1..10 (RFC 6928)
     * @param delayedAckNs how long an acknowledgement may wait for company, 0..200 ms
     * @param closeTimeoutNs how long our FIN, and what goes before it, may stay unacknowledged; then the peer is reset
     * @param finWait2TimeoutNs how long the peer may keep its half open after it acknowledged our FIN; then it is reset
     * @param challengeAcksMax answers to suspicious segments in 5 s (RFC 5961 §7), counted per connection
     */
    public record Tcp(
            Retransmission retransmission,
            Buffers buffers,
            int initialWindow,
            long delayedAckNs,
            long closeTimeoutNs,
            long finWait2TimeoutNs,
            int challengeAcksMax) {

        public static final Tcp DEFAULT = new Tcp(
                Retransmission.DEFAULT, Buffers.DEFAULT, 10, 40 * MILLISECOND_NS, 60 * SECOND_NS, 60 * SECOND_NS, 10);

        public Tcp {
            if (challengeAcksMax < 0 || delayedAckNs < 0 || delayedAckNs > 200 * MILLISECOND_NS) {
                throw new IllegalArgumentException("a delayed ACK must be at most 200 ms late");
            }
            if (initialWindow < 1 || initialWindow > 10) {
                throw new IllegalArgumentException("the initial window must be 1..10 segments");
            }
        }

        public Tcp with(Retransmission other) {
            return new Tcp(
                    other, buffers, initialWindow, delayedAckNs, closeTimeoutNs, finWait2TimeoutNs, challengeAcksMax);
        }

        public Tcp with(Buffers other) {
            return new Tcp(
                    retransmission,
                    other,
                    initialWindow,
                    delayedAckNs,
                    closeTimeoutNs,
                    finWait2TimeoutNs,
                    challengeAcksMax);
        }
    }

    /**
     * When what is not acknowledged is sent again.
     *
     * @param rtoInitialNs retransmission timeout before the first round-trip sample (RFC 6298 §2.1)
     * @param rtoMinNs least retransmission timeout (RFC 6298 §2.4)
     * @param rtoMaxNs most retransmission timeout, back-off included (RFC 6298 §2.5: at least 60 s)
     * @param retriesMax timeouts without any progress before the peer is given up, 1 or more
     */
    public record Retransmission(long rtoInitialNs, long rtoMinNs, long rtoMaxNs, int retriesMax) {

        public static final Retransmission DEFAULT = new Retransmission(SECOND_NS, SECOND_NS, 60 * SECOND_NS, 8);

        public Retransmission {
            if (rtoInitialNs <= 0 || rtoMinNs <= 0 || rtoMaxNs < rtoMinNs || rtoMaxNs < rtoInitialNs) {
                throw new IllegalArgumentException("retransmission timeouts must be above 0 and the largest the most");
            }
            if (retriesMax < 1) {
                throw new IllegalArgumentException("retries must be 1 or more");
            }
        }
    }

    /**
     * How much TCP keeps.
     *
     * @param sendOctets what may be written and not yet acknowledged, in octets; {@link SendBuffer#CONTROL_RESERVE} more
     *     for control messages
     * @param receiveOctets what may have arrived and not yet be read, in octets; never less than the window that the
     *     connection manager has offered, and never more than the window field can say
     */
    public record Buffers(int sendOctets, int receiveOctets) {

        public static final Buffers DEFAULT = new Buffers(256 << 10, 256 << 10);

        public Buffers {
            if (sendOctets < 1 || receiveOctets < 1) {
                throw new IllegalArgumentException("a buffer must hold an octet");
            }
        }
    }
}
