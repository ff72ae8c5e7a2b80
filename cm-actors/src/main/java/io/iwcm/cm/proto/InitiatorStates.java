package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Decoded;
import io.iwcm.cm.mpa.Initiator;
import io.iwcm.cm.mpa.Initiator.Verdict;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.Negotiated;
import io.iwcm.cm.proto.CmInput.Arrived;
import io.iwcm.cm.proto.CmInput.FromNic;
import io.iwcm.cm.proto.CmInput.TimerTick;
import io.iwcm.cm.proto.CmState.MpaReqSent;
import io.iwcm.cm.proto.CmState.Outcome;
import io.iwcm.cm.proto.CmState.Progress;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.List;
import java.util.Optional;

/** The active end between TCP handshake and hand-over: the MPA request is out, the reply is awaited. */
final class InitiatorStates {

    private InitiatorStates() {}

    /** TCP stands: sends the MPA request, which acknowledges the SYN-ACK. */
    static Step begin(Turn turn, Tcb tcb, Inbox inbox, boolean fin) {
        MpaFrame request = Initiator.request(active(turn).wish(), turn.params.mpa());
        turn.disarm(TimerKey.RETRANSMIT);
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().mpa().replyNs());
        Tcb sent = Sending.send(turn, tcb, MpaCodec.encode(request), false);
        if (sent.snd().nxt().equals(tcb.snd().nxt())) { // The peer's window is closed.
            turn.send(Segments.ack(sent));
        }
        if (inbox.inOrder().isEmpty() && !fin) {
            return turn.to(new MpaReqSent(turn.conn(), sent, inbox));
        }
        return hear(turn, new Reception.Heard(sent, inbox, true, fin, true));
    }

    private static Origin.Active active(Turn turn) {
        return switch (turn.conn().origin()) {
            case Origin.Active active -> active;
            case Origin.Passive passive -> throw new IllegalStateException("an initiator is active: " + passive);
        };
    }

    static Step step(Turn turn, MpaReqSent state, CmInput in) {
        return switch (in) {
            case Arrived(var segment) ->
                switch (Reception.of(turn, state.tcb(), state.inbox(), segment, false)) {
                    case Reception.Nothing(Tcb tcb) -> turn.to(new MpaReqSent(turn.conn(), tcb, state.inbox()));
                    case Reception.Reset _ -> closedByPeer(turn, state.tcb(), state.inbox(), false);
                    case Reception.Heard heard -> hear(turn, heard);
                };
            case TimerTick tick when !turn.takes(tick) -> turn.to(state);
            case TimerTick(TimerKey key, var _)
            when key == TimerKey.RETRANSMIT && !Sending.exhausted(state.tcb(), turn.params) -> {
                Tcb tcb = Sending.retransmit(turn, state.tcb()); // First: it arms the timer that conn() remembers.
                yield turn.to(new MpaReqSent(turn.conn(), tcb, state.inbox()));
            }
            case TimerTick _ -> {
                turn.count(CmCounter.MPA_TIMEOUTS);
                yield Opens.resetAndFail(turn, state.tcb(), Cause.TIMEOUT_MPA);
            }
            case FromNic(NicEvent.PathError error) -> {
                Tcb tcb = PathErrors.lowered(turn, state.tcb(), error);
                yield turn.to(new MpaReqSent(turn.conn(), tcb, state.inbox()));
            }
            default -> Opens.administer(turn, state, Optional.of(state.tcb()), in);
        };
    }

    private static Step hear(Turn turn, Reception.Heard heard) {
        Tcb tcb = Sending.pump(turn, heard.tcb());
        Octets stream = heard.inbox().inOrder();
        return switch (MpaCodec.decode(stream, MpaFrame.Kind.REPLY)) {
            case Decoded.NeedMore _ when heard.fin() -> closedByPeer(turn, tcb, heard.inbox(), true);
            case Decoded.NeedMore _ -> {
                if (heard.owesAck()) {
                    turn.send(Segments.ack(tcb));
                }
                yield turn.to(new MpaReqSent(turn.conn(), tcb, heard.inbox()));
            }
            case Decoded.Malformed _ -> malformed(turn, tcb);
            case Decoded.Complete(MpaFrame reply, int length) ->
                judged(turn, tcb, reply, stream.from(length), heard.fin());
        };
    }

    private static Step malformed(Turn turn, Tcb tcb) {
        turn.count(CmCounter.MPA_MALFORMED);
        return Opens.resetAndFail(turn, tcb, Cause.PROTOCOL);
    }

    /** A whole reply is here, with {@code early} octets behind it. */
    private static Step judged(Turn turn, Tcb tcb, MpaFrame reply, Octets early, boolean fin) {
        if (!tcb.flight().isEmpty()) {
            return malformed(turn, tcb); // Who answers the request has all of it, and would have acknowledged it.
        }
        return switch (Initiator.judge(active(turn).wish(), turn.params.mpa(), reply)) {
            case Verdict.Accepted(var _, var _)
            when !early.isEmpty() && turn.params.compat().earlyFpduIsError() -> malformed(turn, tcb);
            case Verdict.Accepted(Negotiated negotiated, Octets privateData) -> {
                turn.send(Segments.ack(tcb));
                Outcome outcome = new Outcome(negotiated.told(), negotiated.peer(), privateData, false);
                yield OffloadedStates.handOver(
                        turn,
                        OffloadedStates.leave(tcb, early, fin, negotiated, Octets.EMPTY),
                        active(turn).spec().qp(),
                        new Progress.TakingOver(List.of(), outcome, tcb));
            }
            case Verdict.Rejected(Negotiated.PeerDepths peer, Octets privateData) -> {
                Opens.failed(turn, Cause.REJECTED_ULP, peer, privateData);
                yield fin ? CloseStates.lastAck(turn, tcb) : CloseStates.awaitPeersClose(turn, tcb);
            }
            case Verdict.MustTerminate(TermCode code, Negotiated negotiated) -> {
                turn.send(Segments.ack(tcb));
                Cause cause = code.equals(TermCode.MPA_INSUFFICIENT_IRD) ? Cause.RESOURCES : Cause.PROTOCOL;
                Opens.failed(turn, cause, negotiated.peer(), Octets.EMPTY);
                Step step = OffloadedStates.handOver(
                        turn,
                        OffloadedStates.leave(tcb, early, fin, negotiated, Octets.EMPTY),
                        active(turn).spec().qp(),
                        new Progress.Terminating(tcb));
                yield step.and(new CmOutput.ToNic(
                        new NicCommand.TerminateQp(active(turn).spec().qp(), code)));
            }
            case Verdict.Refused _ -> malformed(turn, tcb);
        };
    }

    /**
     * The peer reset or closed before its reply was whole. A peer that does not speak revision 2 does that (RFC 6581 §10):
     * once, and only if not an octet of a reply has come, the request goes out again in revision 1, on the same flow with
     * a fresh ISN.
     */
    private static Step closedByPeer(Turn turn, Tcb tcb, Inbox inbox, boolean byFin) {
        boolean answered = !inbox.inOrder().isEmpty() || !inbox.ahead().isEmpty();
        boolean fallBack = active(turn).mayFallBack() && !answered;
        if (byFin) {
            turn.send(Segments.reset(tcb));
        }
        if (!fallBack) {
            return Opens.fail(turn, Cause.RESET);
        }
        turn.count(CmCounter.MPA_FALLBACKS);
        turn.disarm(TimerKey.RETRANSMIT);
        turn.become(new Origin.Active(active(turn).spec(), 2));
        SeqNum iss = InitedStates.isn(turn, Optional.of(tcb.snd().nxt()));
        return HandshakeStates.sendSyn(turn, tcb.mtu(), iss);
    }
}
