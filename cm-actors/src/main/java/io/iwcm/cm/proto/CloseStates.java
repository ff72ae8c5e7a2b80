package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmInput.Abort;
import io.iwcm.cm.proto.CmInput.Accept;
import io.iwcm.cm.proto.CmInput.AddressDown;
import io.iwcm.cm.proto.CmInput.ApplicationGone;
import io.iwcm.cm.proto.CmInput.Arrived;
import io.iwcm.cm.proto.CmInput.Disconnect;
import io.iwcm.cm.proto.CmInput.FromNic;
import io.iwcm.cm.proto.CmInput.ListenerGone;
import io.iwcm.cm.proto.CmInput.Reject;
import io.iwcm.cm.proto.CmInput.Shutdown;
import io.iwcm.cm.proto.CmInput.TimerTick;
import io.iwcm.cm.proto.CmState.Closing;
import io.iwcm.cm.proto.CmState.FinWait1;
import io.iwcm.cm.proto.CmState.FinWait2;
import io.iwcm.cm.proto.CmState.LastAck;
import io.iwcm.cm.proto.CmState.MpaRejRcvd;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.Octets;

/**
 * Closing TCP while it is ours (RFC 9293 §3.6): after a reject, or when the peer left before anything was decided. The
 * application has been told all it will be told. Every state here has the close deadline.
 */
final class CloseStates {

    private CloseStates() {}

    /** Sends these octets with a FIN behind them. */
    static Step sayAndClose(Turn turn, Tcb tcb, Octets last) {
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().closeNs());
        Tcb sent = Sending.send(turn, tcb, last, true);
        if (sent.snd()
                .nxt()
                .equals(tcb.snd().nxt())) { // The window is closed: what we heard is acknowledged all the same.
            turn.send(Segments.ack(sent));
        }
        return turn.to(new FinWait1(turn.conn(), sent));
    }

    /** The peer has closed: our FIN, which acknowledges its. */
    static Step lastAck(Turn turn, Tcb tcb) {
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().closeNs());
        Tcb sent = Sending.send(turn, tcb, Octets.EMPTY, true);
        return turn.to(new LastAck(turn.conn(), sent));
    }

    /** A rejecting reply has come: it is acknowledged, and the peer has its time to close first. */
    static Step awaitPeersClose(Turn turn, Tcb tcb) {
        turn.send(Segments.ack(tcb));
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().closeNs());
        return turn.to(new MpaRejRcvd(turn.conn(), tcb));
    }

    static Step step(Turn turn, CmState.Synchronized state, CmInput in) {
        return switch (in) {
            case Arrived(var segment) ->
                switch (Reception.of(turn, state.tcb(), inbox(state), segment, false)) {
                    case Reception.Nothing(Tcb tcb) -> turn.to(with(turn, state, tcb));
                    case Reception.Reset _ -> turn.close(Cause.RESET);
                    case Reception.Heard heard -> heard(turn, state, heard);
                };
            case TimerTick tick when !turn.takes(tick) -> turn.to(state);
            case TimerTick(TimerKey key, var _)
            when key == TimerKey.RETRANSMIT && !Sending.exhausted(state.tcb(), turn.params) ->
                turn.to(with(turn, state, Sending.retransmit(turn, state.tcb())));
            case TimerTick _ -> expired(turn, state);
            case Accept(long call, var _, var _, var _) -> Opens.misuse(turn, state, call);
            case Reject(long call, var _) -> done(turn, state, call);
            case Disconnect(long call) -> done(turn, state, call);
            case Abort(long call) -> {
                turn.answer(call, Cause.NONE);
                yield reset(turn, state, Cause.LOCAL_ABORT);
            }
            case AddressDown _ -> reset(turn, state, Cause.LOCAL_DOWN);
            case Shutdown _ -> reset(turn, state, Cause.SHUTDOWN);
            case FromNic(NicEvent.Superseded _) -> turn.abandon();
            case FromNic(NicEvent.PathError error) ->
                turn.to(with(turn, state, PathErrors.lowered(turn, state.tcb(), error)));
            case FromNic _, ApplicationGone _, ListenerGone _ -> turn.to(state);
        };
    }

    private static Inbox inbox(CmState.Synchronized state) {
        return state instanceof Closing || state instanceof LastAck ? Inbox.SHUT : Inbox.EMPTY;
    }

    /** Reject and disconnect are idempotent: on the way down they are done. */
    private static Step done(Turn turn, CmState state, long call) {
        turn.answer(call, Cause.NONE);
        return turn.to(state);
    }

    private static Step reset(Turn turn, CmState.Synchronized state, Cause cause) {
        turn.send(Segments.reset(state.tcb()));
        return turn.close(cause);
    }

    private static CmState.Synchronized with(Turn turn, CmState.Synchronized state, Tcb tcb) {
        return switch (state) {
            case MpaRejRcvd _ -> new MpaRejRcvd(turn.conn(), tcb);
            case FinWait1 _ -> new FinWait1(turn.conn(), tcb);
            case FinWait2 _ -> new FinWait2(turn.conn(), tcb);
            case Closing _ -> new Closing(turn.conn(), tcb);
            case LastAck _ -> new LastAck(turn.conn(), tcb);
            case CmState.SynRcvd _, CmState.Established _, CmState.MpaReqSent _, CmState.MpaReqRcvd _ ->
                throw new IllegalStateException("not closing: " + state.name());
            case CmState.CloseWait _ -> throw new IllegalStateException("not closing: " + state.name());
        };
    }

    private static Step heard(Turn turn, CmState.Synchronized state, Reception.Heard heard) {
        boolean weFinished = !(state instanceof MpaRejRcvd);
        if (weFinished && heard.text()) { // RFC 9293 §3.6.1: nobody is left to read it.
            return reset(turn, with(turn, state, heard.tcb()), Cause.PROTOCOL);
        }
        Tcb tcb = Sending.pump(turn, heard.tcb());
        boolean sent = !tcb.snd().nxt().equals(heard.tcb().snd().nxt());
        if (state instanceof MpaRejRcvd && heard.fin()) {
            return lastAck(turn, tcb);
        }
        if (heard.owesAck() && !sent) {
            turn.send(Segments.ack(tcb));
        }
        boolean acknowledged = tcb.flight().isEmpty();
        return switch (state) {
            case FinWait1 _ when heard.fin() && acknowledged -> timeWait(turn, tcb);
            case FinWait1 _ when heard.fin() -> turn.to(new Closing(turn.conn(), tcb));
            case FinWait1 _ when acknowledged -> turn.to(new FinWait2(turn.conn(), tcb));
            case FinWait2 _ when heard.fin() -> timeWait(turn, tcb);
            case Closing _ when acknowledged -> timeWait(turn, tcb);
            case LastAck _ when acknowledged -> turn.close(Cause.NONE);
            default -> turn.to(with(turn, state, tcb));
        };
    }

    /** TIME_WAIT is the NIC's: a row, not a node. */
    private static Step timeWait(Turn turn, Tcb tcb) {
        turn.nic(new NicCommand.EnterTimeWait(
                new NicCommand.TimeWaitRow(tcb.snd().nxt(), tcb.rcv().nxt(), tcb.windowField())));
        turn.leaveQuad();
        return turn.close(Cause.NONE);
    }

    /** Retransmissions or the close deadline are used up. A peer that never closes after our reject sees a reset. */
    private static Step expired(Turn turn, CmState.Synchronized state) {
        return switch (state) {
            case MpaRejRcvd(var _, Tcb tcb) -> sayAndClose(turn, tcb, Octets.EMPTY);
            case Closing _ -> turn.close(Cause.TIMEOUT_PEER);
            default -> reset(turn, state, Cause.TIMEOUT_PEER);
        };
    }
}
