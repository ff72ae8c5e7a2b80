package io.iwcm.nic.spi;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;

/**
 * TCP exactly as the connection manager leaves it. The queue pair goes on from here, byte for byte.
 *
 * @param send our sending side
 * @param receive our receiving side
 * @param mss the largest payload we may send in a segment, in octets
 * @param unacknowledged what lies between {@code send.una()} and {@code send.nxt()}, to be retransmitted by the queue
 *     pair until acknowledged; empty when everything was acknowledged
 * @param early octets the peer sent after its MPA frame that the connection manager has acknowledged but not used; they
 *     lie before {@code receive.nxt()} and are the first octets of the peer's first FPDU
 * @param peerFinished the peer's FIN has been received and acknowledged (it lies before {@code receive.nxt()})
 */
public record TcpHandOver(
        SendSide send, ReceiveSide receive, int mss, Octets unacknowledged, Octets early, boolean peerFinished) {

    /**
     * Our sending side (RFC 9293 §3.3.1).
     *
     * @param una oldest unacknowledged number
     * @param nxt next number to send
     * @param window the peer's window in octets, already scaled
     * @param maxWindow the largest window the peer has offered, in octets
     * @param scale shift to apply to the peer's later window fields, 0 without the option
     */
    public record SendSide(SeqNum una, SeqNum nxt, int window, int maxWindow, int scale) {}

    /**
     * Our receiving side (RFC 9293 §3.3.1).
     *
     * @param nxt next number expected
     * @param window the window we advertise in octets (before scaling)
     * @param scale shift that our window field carries, 0 without the option
     */
    public record ReceiveSide(SeqNum nxt, int window, int scale) {}
}
