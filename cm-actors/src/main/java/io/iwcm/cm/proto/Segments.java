package io.iwcm.cm.proto;

import static io.iwcm.nic.wire.Segment.ACK;
import static io.iwcm.nic.wire.Segment.RST;
import static io.iwcm.nic.wire.Segment.SYN;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;

/** The segments a connection sends. */
final class Segments {

    private static final SeqNum ZERO = new SeqNum(0);

    private Segments() {}

    /** The window of a SYN is never scaled (RFC 7323 §2.2). */
    static Segment syn(SeqNum iss, int window, TcpOptions options) {
        return new Segment(iss, ZERO, SYN, Math.min(window, 0xffff), options, Octets.EMPTY);
    }

    static Segment synAck(Tcb tcb, TcpOptions options) {
        int window = Math.min(tcb.rcv().wnd(), 0xffff);
        return new Segment(tcb.snd().iss(), tcb.rcv().nxt(), SYN | ACK, window, options, Octets.EMPTY);
    }

    static Segment ack(Tcb tcb) {
        return data(tcb, tcb.snd().nxt(), ACK, Octets.EMPTY);
    }

    static Segment data(Tcb tcb, SeqNum seq, int flags, Octets octets) {
        return new Segment(seq, tcb.rcv().nxt(), flags | ACK, tcb.windowField(), TcpOptions.NONE, octets);
    }

    /** Our own abort of a synchronized connection: SEQ=SND.NXT (RFC 9293 §3.10.5), with the ACK most stacks add. */
    static Segment reset(Tcb tcb) {
        return new Segment(tcb.snd().nxt(), tcb.rcv().nxt(), RST | ACK, 0, TcpOptions.NONE, Octets.EMPTY);
    }

    /** The answer to a SYN that is refused (RFC 9293 §3.5.2, first group). */
    static Segment refusal(SeqNum peerIsn) {
        return new Segment(ZERO, peerIsn.plus(1), RST | ACK, 0, TcpOptions.NONE, Octets.EMPTY);
    }

    /** The answer to a segment whose ACK cannot be ours: SEQ=SEG.ACK, no ACK (RFC 9293 §3.5.2, first group). */
    static Segment resetFor(Segment wrong) {
        return new Segment(wrong.ack(), ZERO, RST, 0, TcpOptions.NONE, Octets.EMPTY);
    }
}
