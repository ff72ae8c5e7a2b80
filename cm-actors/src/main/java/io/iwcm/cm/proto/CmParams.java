package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.MpaPolicy;
import io.iwcm.nic.spi.SynOffer;

/**
 * What settings fix for every connection of a connection manager; times in nanoseconds.
 *
 * @param tcp retransmission, windows, challenge ACKs
 * @param deadlines how long each phase may take
 * @param mpa what MPA supports and insists on
 * @param compat switches away from the strict default
 * @param isn gives initial sequence numbers
 */
public record CmParams(TcpParams tcp, Deadlines deadlines, MpaPolicy mpa, Compat compat, IsnSource isn) {

    /**
     * How TCP behaves while it is ours.
     *
     * @param rtoFirstNs first retransmission time-out (RFC 6298 §2.1: 1 s)
     * @param rtoMaxNs cap of the back-off (RFC 6298 §2.5: at least 60 s)
     * @param retriesMax retransmissions of one segment before giving up
     * @param window receive window offered, octets, 1..65535 << windowScale
     * @param windowScale our shift count 0..14
     * @param mssFloor the least MSS we believe a peer, octets
     * @param challengesMax challenge ACKs per connection and window (RFC 5961 §7)
     * @param challengeWindowNs the length of that window
     */
    public record TcpParams(
            long rtoFirstNs,
            long rtoMaxNs,
            int retriesMax,
            int window,
            int windowScale,
            int mssFloor,
            int challengesMax,
            long challengeWindowNs) {

        /** What our SYN-ACKs say. */
        public SynOffer offer() {
            return new SynOffer(window, windowScale);
        }
    }

    /**
     * How long each phase may take, in nanoseconds.
     *
     * @param addressNs next-hop resolution and steering, both roles
     * @param synNs active: SYN until the TCP handshake is complete; a connect may ask for another one
     * @param synRcvdNs passive: SYN until the TCP handshake is complete
     * @param mpa the phases between the TCP handshake and the connection that stands
     * @param closeNs any closing state until it is over
     */
    public record Deadlines(long addressNs, long synNs, long synRcvdNs, MpaDeadlines mpa, long closeNs) {}

    /**
     * How long each phase of MPA's start-up may take, in nanoseconds.
     *
     * @param requestNs passive: TCP handshake until the MPA request is complete
     * @param replyNs active: MPA request until the reply is complete
     * @param decisionNs passive: request event until the application's answer; 0 waits for ever
     * @param acceptNs hand-over until the queue pair says that it has the connection
     * @param rtrNs passive, peer-to-peer model: from there until the peer's RTR or first FPDU
     */
    public record MpaDeadlines(long requestNs, long replyNs, long decisionNs, long acceptNs, long rtrNs) {}

    /**
     * Switches away from the strict default.
     *
     * @param earlyFpduIsError octets after an accepting reply in the CM's hands are a protocol error
     * @param simultaneousOpenResets a bare SYN in SYN_SENT is answered with a reset, as irdma does
     * @param malformedOptionsReset a malformed option block ends the open with a reset
     */
    public record Compat(boolean earlyFpduIsError, boolean simultaneousOpenResets, boolean malformedOptionsReset) {
        public static final Compat STRICT = new Compat(false, false, false);
    }
}
