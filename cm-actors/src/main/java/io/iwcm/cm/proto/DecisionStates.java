package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.Negotiated;
import io.iwcm.cm.mpa.Responder;
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
import io.iwcm.cm.proto.CmState.CloseWait;
import io.iwcm.cm.proto.CmState.MpaReqRcvd;
import io.iwcm.cm.proto.CmState.Orphaned;
import io.iwcm.cm.proto.CmState.Outcome;
import io.iwcm.cm.proto.CmState.Progress;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.Octets;
import java.util.List;

/**
 * The application has been asked and has not answered. Whatever the peer does meanwhile, the node stays until the answer
 * (or its deadline) comes: an accept must be able to fail, a reject to succeed.
 */
final class DecisionStates {

    private DecisionStates() {}

    static void armDecision(Turn turn) {
        long decisionNs = turn.params.deadlines().mpa().decisionNs();
        if (decisionNs > 0) {
            turn.arm(TimerKey.DEADLINE, decisionNs);
        }
    }

    static Step step(Turn turn, MpaReqRcvd state, CmInput in) {
        Tcb tcb = state.tcb();
        return switch (in) {
            case Arrived(var segment) -> heard(turn, state, Reception.of(turn, tcb, Inbox.EMPTY, segment, false));
            case Accept accept -> accept(turn, state, accept);
            case Reject(long call, Octets data) when !fits(state, data) -> Opens.misuse(turn, state, call);
            case Reject(long call, Octets data) -> {
                turn.count(CmCounter.REJECTS);
                turn.answer(call, Cause.NONE);
                yield reject(turn, state, data);
            }
            case Disconnect(long call) -> {
                turn.answer(call, Cause.NONE);
                yield reject(turn, state, Octets.EMPTY);
            }
            case Abort(long call) -> {
                turn.answer(call, Cause.NONE);
                turn.send(Segments.reset(tcb));
                yield turn.close(Cause.LOCAL_ABORT);
            }
            case ApplicationGone _ -> reject(turn, state, Octets.EMPTY);
            case TimerTick tick when !turn.takes(tick) -> turn.to(state);
            case TimerTick _ -> {
                turn.count(CmCounter.MPA_TIMEOUTS);
                yield reject(turn, state, Octets.EMPTY);
            }
            case AddressDown _ -> lost(turn, tcb, Cause.LOCAL_DOWN);
            case ListenerGone _ -> listenerGone(turn, tcb);
            case Shutdown _ -> shutDown(turn, tcb);
            case FromNic(NicEvent.Superseded _) -> turn.abandon();
            case FromNic(NicEvent.PathError _) -> PathErrors.ignored(turn, state);
            case FromNic _ -> turn.to(state);
        };
    }

    private static Step heard(Turn turn, MpaReqRcvd state, Reception reception) {
        return switch (reception) {
            case Reception.Nothing(Tcb tcb) -> turn.to(with(turn, state, tcb));
            case Reception.Reset _ -> orphan(turn, Cause.RESET);
            case Reception.Heard heard
            when heard.text() -> { // Nothing may come before our reply (RFC 5044 §7.1.2).
                turn.count(CmCounter.MPA_MALFORMED);
                yield lost(turn, heard.tcb(), Cause.PROTOCOL);
            }
            case Reception.Heard heard -> {
                if (heard.owesAck()) {
                    turn.send(Segments.ack(heard.tcb()));
                }
                yield turn.to(heard.fin() ? new CloseWait(turn.conn(), heard.tcb()) : with(turn, state, heard.tcb()));
            }
        };
    }

    private static MpaReqRcvd with(Turn turn, MpaReqRcvd state, Tcb tcb) {
        return new MpaReqRcvd(turn.conn(), tcb, state.request(), state.suggested());
    }

    private static boolean fits(MpaReqRcvd state, Octets data) {
        return data.length()
                <= MpaCodec.privateDataMax(state.request().enhanced().isPresent());
    }

    private static Step accept(Turn turn, MpaReqRcvd state, Accept accept) {
        if (!fits(state, accept.privateData())) {
            return Opens.misuse(turn, state, accept.call());
        }
        turn.count(CmCounter.ACCEPTS);
        Responder.Accepted accepted =
                Responder.accept(state.request(), turn.params.mpa(), accept.depths(), accept.privateData());
        Negotiated negotiated = accepted.negotiated();
        Outcome outcome = new Outcome(
                negotiated.told(),
                negotiated.peer(),
                Octets.EMPTY,
                negotiated.rdma().peerToPeer());
        turn.moveInBacklog(BacklogPlace.NONE);
        return OffloadedStates.handOver(
                turn,
                OffloadedStates.leave(state.tcb(), Octets.EMPTY, false, negotiated, MpaCodec.encode(accepted.reply())),
                accept.qp(),
                new Progress.TakingOver(List.of(accept.call()), outcome, state.tcb()));
    }

    private static Step reject(Turn turn, MpaReqRcvd state, Octets data) {
        turn.moveInBacklog(BacklogPlace.NONE);
        Octets reply = MpaCodec.encode(Responder.reject(state.request(), turn.params.mpa(), data));
        return CloseStates.sayAndClose(turn, state.tcb(), reply);
    }

    /** Resets the peer; the application's answer is still to come. */
    private static Step lost(Turn turn, Tcb tcb, Cause cause) {
        turn.send(Segments.reset(tcb));
        return orphan(turn, cause);
    }

    /**
     * The flow is given back at once: the peer that was reset, or has reset, may be the one that opens it anew. Only the
     * application's answer is still awaited, as long as it would have been.
     */
    private static Step orphan(Turn turn, Cause acceptFails) {
        return orphan(turn, StateName.MPAREQ_RCVD, acceptFails);
    }

    private static Step orphan(Turn turn, StateName name, Cause acceptFails) {
        turn.release();
        return turn.to(new Orphaned(turn.conn(), name, acceptFails));
    }

    private static Step listenerGone(Turn turn, Tcb tcb) {
        turn.send(Segments.reset(tcb));
        return orphan(turn, StateName.LISTENER_DESTROYED, Cause.INVALID);
    }

    private static Step shutDown(Turn turn, Tcb tcb) {
        turn.send(Segments.reset(tcb));
        return turn.close(Cause.SHUTDOWN);
    }

    static Step step(Turn turn, CloseWait state, CmInput in) {
        return switch (in) {
            case Arrived(var segment) ->
                switch (Reception.of(turn, state.tcb(), Inbox.SHUT, segment, false)) {
                    case Reception.Nothing(Tcb tcb) -> turn.to(new CloseWait(turn.conn(), tcb));
                    case Reception.Reset _ -> orphan(turn, Cause.RESET);
                    case Reception.Heard heard -> turn.to(new CloseWait(turn.conn(), heard.tcb()));
                };
            case Accept accept -> end(turn, state, accept.call(), Cause.RESET);
            case Reject reject -> {
                turn.count(CmCounter.REJECTS);
                yield end(turn, state, reject.call(), Cause.NONE);
            }
            case Disconnect disconnect -> end(turn, state, disconnect.call(), Cause.NONE);
            case Abort abort -> {
                turn.answer(abort.call(), Cause.NONE);
                turn.send(Segments.reset(state.tcb()));
                yield turn.close(Cause.LOCAL_ABORT);
            }
            case ApplicationGone _ -> end(turn, state);
            case TimerTick tick -> turn.takes(tick) ? end(turn, state) : turn.to(state);
            case AddressDown _ -> lost(turn, state.tcb(), Cause.LOCAL_DOWN);
            case ListenerGone _ -> listenerGone(turn, state.tcb());
            case Shutdown _ -> shutDown(turn, state.tcb());
            case FromNic(NicEvent.Superseded _) -> turn.abandon();
            case FromNic(NicEvent.PathError _) -> PathErrors.ignored(turn, state);
            case FromNic _ -> turn.to(state);
        };
    }

    private static Step end(Turn turn, CloseWait state, long call, Cause answer) {
        turn.answer(call, answer);
        return end(turn, state);
    }

    private static Step end(Turn turn, CloseWait state) {
        turn.moveInBacklog(BacklogPlace.NONE);
        return CloseStates.lastAck(turn, state.tcb());
    }

    static Step step(Turn turn, Orphaned state, CmInput in) {
        return switch (in) {
            case Accept accept -> answered(turn, accept.call(), state.acceptFails());
            case Reject reject -> {
                turn.count(CmCounter.REJECTS);
                yield answered(turn, reject.call(), Cause.NONE);
            }
            case Disconnect disconnect -> answered(turn, disconnect.call(), Cause.NONE);
            case Abort abort -> answered(turn, abort.call(), Cause.NONE);
            case ApplicationGone _ -> turn.close(state.acceptFails());
            case Shutdown _ -> turn.close(state.acceptFails());
            case TimerTick tick -> turn.takes(tick) ? turn.close(state.acceptFails()) : turn.to(state);
            case ListenerGone _ -> orphan(turn, StateName.LISTENER_DESTROYED, Cause.INVALID);
            case FromNic(NicEvent.Superseded _) -> turn.abandon();
            case FromNic(NicEvent.PathError _) -> PathErrors.ignored(turn, state);
            case FromNic _, Arrived _, AddressDown _ -> turn.to(state);
        };
    }

    private static Step answered(Turn turn, long call, Cause cause) {
        turn.answer(call, cause);
        return turn.close(cause);
    }
}
