package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmParams.TcpParams;
import io.iwcm.cm.proto.Tcb.Challenges;
import io.iwcm.cm.proto.Tcb.Snd;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;

/**
 * What every state with a synchronized TCP makes of a segment: the checks of RFC 9293 §3.10.7.4 in the RFC's order, with
 * RFC 5961. What remains is for the state: new text, the FIN, or a reset.
 */
sealed interface Reception {

    /**
     * Nothing for the state. Whatever had to be sent has been.
     *
     * @param tcb after the segment
     */
    record Nothing(Tcb tcb) implements Reception {}

    /** A RST that counts. */
    record Reset() implements Reception {}

    /**
     * The segment was acceptable.
     *
     * @param tcb with the ACK and the window taken in, and RCV.NXT beyond what came in order
     * @param inbox with what came in order
     * @param text new octets are in order
     * @param fin the peer's FIN is in order
     * @param owesAck the segment took sequence space, in order or not: it must be acknowledged
     */
    record Heard(Tcb tcb, Inbox inbox, boolean text, boolean fin, boolean owesAck) implements Reception {}

    /**
     * Judges a segment.
     *
     * @param handshake SYN-RECEIVED: the ACK must acknowledge our SYN
     */
    static Reception of(Turn turn, Tcb tcb, Inbox inbox, Segment segment, boolean handshake) {
        if (!acceptable(tcb, segment)) {
            turn.count(CmCounter.SEGMENTS_UNACCEPTABLE);
            return new Nothing(segment.rst() ? tcb : acknowledge(turn, tcb, false));
        }
        if (segment.rst()) { // RFC 5961 §3.2: exact or challenged.
            return segment.seq().equals(tcb.rcv().nxt()) ? new Reset() : new Nothing(acknowledge(turn, tcb, true));
        }
        if (segment.syn()) { // RFC 5961 §4.2
            return new Nothing(acknowledge(turn, tcb, true));
        }
        if (!segment.hasAck()) {
            return new Nothing(tcb);
        }
        return checkAck(turn, tcb, inbox, segment, handshake);
    }

    private static Reception checkAck(Turn turn, Tcb tcb, Inbox inbox, Segment segment, boolean handshake) {
        Snd snd = tcb.snd();
        SeqNum ack = segment.ack();
        if (handshake && !(ack.after(snd.una()) && ack.atOrBefore(snd.nxt()))) {
            Challenges allowed = allow(turn, tcb.challenges());
            if (!allowed.equals(tcb.challenges())) {
                turn.send(Segments.resetFor(segment));
            }
            return new Nothing(tcb.with(allowed));
        }
        if (ack.after(snd.nxt()) || ack.before(snd.una().plus(-snd.maxWnd()))) { // RFC 5961 §5.2
            turn.count(CmCounter.SEGMENTS_UNACCEPTABLE);
            return new Nothing(acknowledge(turn, tcb, true));
        }
        return text(turn, acknowledged(turn, tcb, segment), inbox, segment);
    }

    /** Takes in the ACK and the window (RFC 9293 §3.10.7.4, fifth). An old ACK changes nothing; its text still counts. */
    private static Tcb acknowledged(Turn turn, Tcb tcb, Segment segment) {
        Snd snd = tcb.snd();
        Flight flight = tcb.flight();
        SeqNum ack = segment.ack();
        if (ack.after(snd.una())) {
            int synOctet = snd.una().equals(snd.iss()) ? 1 : 0;
            flight = flight.acknowledged(
                    snd.una().plus(synOctet), ack, turn.params.tcp().rtoFirstNs());
            snd = snd.acknowledged(ack);
            turn.disarm(TimerKey.RETRANSMIT);
        }
        boolean newer = snd.wl1().before(segment.seq())
                || (snd.wl1().equals(segment.seq()) && snd.wl2().atOrBefore(ack));
        if (ack.atOrAfter(snd.una()) && newer) {
            snd = snd.window(segment.window() << snd.scale(), segment.seq(), ack);
        }
        return tcb.with(snd).with(flight);
    }

    private static Reception text(Turn turn, Tcb tcb, Inbox inbox, Segment segment) {
        Inbox.Filled filled = inbox.put(segment, tcb.rcv().nxt(), tcb.rcv().wnd());
        if (filled.kept()) {
            turn.count(CmCounter.SEGMENTS_OUT_OF_ORDER);
        }
        boolean text = filled.advance() > (filled.fin() ? 1 : 0);
        Tcb after = tcb.with(tcb.rcv().advanced(filled.advance()));
        return new Heard(after, filled.inbox(), text, filled.fin(), segment.sequenceLength() > 0 && !inbox.shut());
    }

    /** RFC 9293 §3.4, table 6. Our window is never zero. */
    static boolean acceptable(Tcb tcb, Segment segment) {
        SeqNum nxt = tcb.rcv().nxt();
        int wnd = tcb.rcv().wnd();
        int length = segment.sequenceLength();
        return length == 0
                ? segment.seq().within(nxt, wnd)
                : segment.seq().within(nxt, wnd)
                        || segment.seq().plus(length - 1).within(nxt, wnd);
    }

    /** Sends an ACK that says where we are, if this connection's limit allows another. */
    static Tcb acknowledge(Turn turn, Tcb tcb, boolean challenge) {
        Challenges allowed = allow(turn, tcb.challenges());
        if (allowed.equals(tcb.challenges())) {
            return tcb;
        }
        if (challenge) {
            turn.count(CmCounter.CHALLENGE_ACKS);
        }
        turn.send(Segments.ack(tcb));
        return tcb.with(allowed);
    }

    /** One more answer within the limit, or the same value when there is none. */
    static Challenges allow(Turn turn, Challenges so) {
        TcpParams tcp = turn.params.tcp();
        if (so.sent() == 0 || turn.nowNs - so.windowStartNs() >= tcp.challengeWindowNs()) {
            return new Challenges(turn.nowNs, 1);
        }
        if (so.sent() < tcp.challengesMax()) {
            return new Challenges(so.windowStartNs(), so.sent() + 1);
        }
        turn.count(CmCounter.CHALLENGE_ACKS_LIMITED);
        return so;
    }
}
