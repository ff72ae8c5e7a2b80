package io.iwcm.cm.proto;

import io.iwcm.nic.wire.SeqNum;

/**
 * The transmission control block (RFC 9293 §3.3.1) with what is in flight.
 *
 * @param snd our sending side
 * @param rcv our receiving side
 * @param mtu IP MTU of the path's first link
 * @param mss the largest payload we may send in a segment, octets
 * @param flight what we sent or want to send and the peer has not acknowledged
 * @param challenges the limit on challenge ACKs
 */
record Tcb(Snd snd, Rcv rcv, int mtu, int mss, Flight flight, Challenges challenges) {

    /**
     * Our sending side.
     *
     * @param wnd the peer's window, octets, scaled
     * @param maxWnd the largest window seen
     * @param wl1 SEG.SEQ of the last window update
     * @param wl2 SEG.ACK of the last window update
     * @param scale shift of the peer's window fields
     */
    record Snd(SeqNum iss, SeqNum una, SeqNum nxt, int wnd, int maxWnd, SeqNum wl1, SeqNum wl2, int scale) {

        Snd sent(int sequenceLength) {
            return new Snd(iss, una, nxt.plus(sequenceLength), wnd, maxWnd, wl1, wl2, scale);
        }

        Snd acknowledged(SeqNum ack) {
            return new Snd(iss, ack, nxt, wnd, maxWnd, wl1, wl2, scale);
        }

        Snd window(int octets, SeqNum seq, SeqNum ack) {
            return new Snd(iss, una, nxt, octets, Math.max(maxWnd, octets), seq, ack, scale);
        }
    }

    /**
     * Our receiving side.
     *
     * @param wnd the window we advertise, octets
     * @param scale shift of our window field
     */
    record Rcv(SeqNum irs, SeqNum nxt, int wnd, int scale) {

        Rcv advanced(int octets) {
            return new Rcv(irs, nxt.plus(octets), wnd, scale);
        }
    }

    /**
     * How many challenge ACKs this connection has sent in the present window of time (RFC 5961 §7; per connection, since
     * a common count is a side channel).
     */
    record Challenges(long windowStartNs, int sent) {
        static final Challenges NONE = new Challenges(0, 0);
    }

    Tcb with(Snd newer) {
        return new Tcb(newer, rcv, mtu, mss, flight, challenges);
    }

    Tcb with(Rcv newer) {
        return new Tcb(snd, newer, mtu, mss, flight, challenges);
    }

    Tcb with(Flight newer) {
        return new Tcb(snd, rcv, mtu, mss, newer, challenges);
    }

    Tcb with(Challenges newer) {
        return new Tcb(snd, rcv, mtu, mss, flight, newer);
    }

    Tcb withMss(int octets) {
        return new Tcb(snd, rcv, mtu, octets, flight, challenges);
    }

    /** Our window field for a segment without SYN. */
    int windowField() {
        return Math.min(rcv.wnd() >>> rcv.scale(), 0xffff);
    }
}
