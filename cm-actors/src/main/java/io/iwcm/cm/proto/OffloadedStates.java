package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Negotiated;
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
import io.iwcm.cm.proto.CmState.Offloaded;
import io.iwcm.cm.proto.CmState.Outcome;
import io.iwcm.cm.proto.CmState.Progress;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import java.util.List;

/**
 * A queue pair has the connection: the node sends and acknowledges nothing any more. It turns asynchronous events into
 * the application's, each once and in order (PROTOCOL §19, §20), and the application's calls into orders to the queue
 * pair.
 */
final class OffloadedStates {

    private OffloadedStates() {}

    /** What the queue pair takes over (irdma_init_tcp_ctx). */
    static NicCommand.HandOver leave(Tcb tcb, Octets early, boolean peerFinished, Negotiated negotiated, Octets lsmm) {
        Tcb.Snd snd = tcb.snd();
        Tcb.Rcv rcv = tcb.rcv();
        return new NicCommand.HandOver(
                new TcpHandOver(
                        new TcpHandOver.SendSide(snd.una(), snd.nxt(), snd.wnd(), snd.maxWnd(), snd.scale()),
                        new TcpHandOver.ReceiveSide(rcv.nxt(), rcv.wnd(), rcv.scale()),
                        tcb.mss(),
                        tcb.flight().octets(),
                        early,
                        peerFinished),
                negotiated.rdma(),
                lsmm);
    }

    static Step handOver(Turn turn, NicCommand.HandOver handOver, QpId qp, Progress progress) {
        turn.disarm(TimerKey.RETRANSMIT);
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().mpa().acceptNs());
        turn.nic(new NicCommand.ModifyQp(qp, handOver));
        return turn.to(new Offloaded(turn.conn(), qp, progress, Cause.NONE));
    }

    static Step step(Turn turn, Offloaded state, CmInput in) {
        return switch (in) {
            case Arrived(var segment) -> {
                turn.nic(new NicCommand.Reinject(segment));
                yield turn.to(state);
            }
            case FromNic(NicEvent event) -> fromNic(turn, state, event);
            case TimerTick tick -> turn.takes(tick) ? expired(turn, state) : turn.to(state);
            case Accept(long call, var _, var _, var _) -> acceptAgain(turn, state, call);
            case Reject(long call, var _) -> Opens.misuse(turn, state, call);
            case Disconnect(long call) -> {
                turn.answer(call, Cause.NONE);
                yield down(turn, state, Cause.NONE, Cause.LOCAL_ABORT, false);
            }
            case Abort(long call) -> {
                turn.answer(call, Cause.NONE);
                yield down(turn, state, Cause.LOCAL_ABORT, Cause.LOCAL_ABORT, true);
            }
            case AddressDown _ -> down(turn, state, Cause.LOCAL_DOWN, Cause.LOCAL_DOWN, true);
            case ApplicationGone _ -> applicationGone(turn, state);
            case ListenerGone _ -> turn.to(state);
            case Shutdown _ -> shutDown(turn, state);
        };
    }

    /** An accept that is repeated, because its answer may have been lost, comes to what the first one came to. */
    private static Step acceptAgain(Turn turn, Offloaded state, long call) {
        if (!turn.conn().passive()) {
            return Opens.misuse(turn, state, call);
        }
        return switch (state.progress()) {
            case Progress.TakingOver _ -> turn.to(state.with(call));
            case Progress.AwaitingRtr _, Progress.Running _, Progress.Closing _ ->
                answered(turn, state, call, Cause.NONE);
            case Progress.Silent _, Progress.Terminating _ -> answered(turn, state, call, state.end());
        };
    }

    private static Step answered(Turn turn, Offloaded state, long call, Cause cause) {
        turn.answer(call, cause);
        return turn.to(state);
    }

    private static Step fromNic(Turn turn, Offloaded state, NicEvent event) {
        return switch (event) {
            case NicEvent.QpEvent(var what) ->
                switch (state.progress()) {
                    case Progress.TakingOver _, Progress.Terminating _ -> takeOver(turn, state, what.code());
                    case Progress.AwaitingRtr _, Progress.Running _, Progress.Closing _, Progress.Silent _ ->
                        QpEvents.step(turn, state, what.code());
                };
            case NicEvent.ModifyQpFailed _ -> notTaken(turn, state);
            case NicEvent.Superseded _ -> turn.abandon();
            case NicEvent.PathError _ -> PathErrors.ignored(turn, state);
            case NicEvent.AddressHandleReady _, NicEvent.AddressHandleFailed _ -> turn.to(state);
            case NicEvent.SteeringInstalled _, NicEvent.SteeringFailed _ -> turn.to(state);
        };
    }

    /** The queue pair's first word. */
    private static Step takeOver(Turn turn, Offloaded state, io.iwcm.nic.spi.AsyncEvent.Code code) {
        if (code != io.iwcm.nic.spi.AsyncEvent.Code.LLP_CONNECTION_ESTABLISHED) {
            return turn.to(state);
        }
        turn.count(CmCounter.HAND_OVERS);
        turn.leaveQuad();
        turn.freeAh();
        if (!(state.progress() instanceof Progress.TakingOver(List<Long> calls, Outcome outcome, var _))) {
            turn.arm(TimerKey.DEADLINE, turn.params.deadlines().closeNs());
            return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Silent(), state.end()));
        }
        if (!turn.conn().passive()) {
            turn.disarm(TimerKey.DEADLINE);
            turn.tell(new CmEvent.ConnectReply(Cause.NONE, outcome.depths(), outcome.peer(), outcome.privateData()));
            return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Running(), Cause.NONE));
        }
        calls.forEach(call -> turn.answer(call, Cause.NONE));
        if (outcome.awaitsRtr()) {
            turn.arm(TimerKey.DEADLINE, turn.params.deadlines().mpa().rtrNs());
            return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.AwaitingRtr(outcome), Cause.NONE));
        }
        turn.disarm(TimerKey.DEADLINE);
        turn.tell(new CmEvent.Established(outcome.depths()));
        return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Running(), Cause.NONE));
    }

    /** The queue pair did not take it: the peer has been sent nothing, and TCP is as we left it. */
    private static Step notTaken(Turn turn, Offloaded state) {
        return switch (state.progress()) {
            case Progress.TakingOver(var _, var _, Tcb back) -> {
                turn.send(Segments.reset(back));
                undecided(turn, state, Cause.RESOURCES);
                yield turn.close(Cause.RESOURCES);
            }
            case Progress.Terminating(Tcb back) -> {
                turn.send(Segments.reset(back));
                yield turn.close(Cause.RESOURCES);
            }
            case Progress.AwaitingRtr _, Progress.Running _, Progress.Closing _, Progress.Silent _ -> turn.to(state);
        };
    }

    /** Tells an application that still waits for the outcome that there will be no connection. */
    static void undecided(Turn turn, Offloaded state, Cause cause) {
        switch (state.progress()) {
            case Progress.TakingOver(List<Long> calls, var _, var _)
            when turn.conn().passive() -> calls.forEach(call -> turn.answer(call, cause));
            case Progress.TakingOver _ -> Opens.failed(turn, cause);
            case Progress.AwaitingRtr _ -> turn.tell(new CmEvent.AcceptFailed(cause));
            case Progress.Terminating _, Progress.Running _, Progress.Closing _, Progress.Silent _ -> {}
        }
    }

    /** Silent, with the close deadline: the application knows all it will ever know. */
    static Step silent(Turn turn, Offloaded state, Cause end) {
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().closeNs());
        return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Silent(), end));
    }

    static Step closing(Turn turn, Offloaded state, boolean told, Cause end) {
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().closeNs());
        return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Closing(told), end));
    }

    private static void order(Turn turn, Offloaded state, boolean abort) {
        turn.nic(abort ? new NicCommand.AbortQp(state.qp()) : new NicCommand.CloseQp(state.qp()));
    }

    /**
     * We end it.
     *
     * @param end what an application that was told success is told as cause of the end
     * @param failure what an application that still waits is told
     */
    private static Step down(Turn turn, Offloaded state, Cause end, Cause failure, boolean abort) {
        return switch (state.progress()) {
            case Progress.TakingOver _ -> {
                order(turn, state, true);
                undecided(turn, state, failure);
                yield silent(turn, state, failure);
            }
            case Progress.AwaitingRtr _ -> {
                order(turn, state, abort);
                undecided(turn, state, failure);
                yield silent(turn, state, failure);
            }
            case Progress.Running _ -> {
                order(turn, state, abort);
                yield closing(turn, state, false, end);
            }
            case Progress.Closing(boolean told)
            when abort -> {
                order(turn, state, true);
                yield closing(turn, state, told, end);
            }
            case Progress.Silent _
            when abort -> { // A close that is under way is not soon enough any more.
                order(turn, state, true);
                yield turn.to(state);
            }
            case Progress.Closing _, Progress.Silent _, Progress.Terminating _ -> turn.to(state);
        };
    }

    private static Step applicationGone(Turn turn, Offloaded state) {
        return switch (state.progress()) {
            case Progress.TakingOver(List<Long> calls, var _, var _) -> {
                order(turn, state, true);
                if (turn.conn().passive()) {
                    calls.forEach(call -> turn.answer(call, Cause.LOCAL_ABORT));
                }
                yield silent(turn, state, Cause.LOCAL_ABORT);
            }
            case Progress.AwaitingRtr _, Progress.Running _ -> {
                order(turn, state, false);
                yield silent(turn, state, Cause.LOCAL_ABORT);
            }
            case Progress.Closing _ -> silent(turn, state, state.end());
            case Progress.Silent _, Progress.Terminating _ -> turn.to(state);
        };
    }

    private static Step shutDown(Turn turn, Offloaded state) {
        switch (state.progress()) {
            case Progress.TakingOver _, Progress.Terminating _ -> order(turn, state, true);
            case Progress.AwaitingRtr _, Progress.Running _, Progress.Silent _ -> order(turn, state, false);
            case Progress.Closing _ -> {} // Under way.
        }
        undecided(turn, state, Cause.SHUTDOWN);
        QpEvents.tellEnd(turn, state, Cause.SHUTDOWN);
        return turn.close(Cause.SHUTDOWN);
    }

    private static Step expired(Turn turn, Offloaded state) {
        order(turn, state, true);
        return switch (state.progress()) {
            case Progress.TakingOver _ -> {
                undecided(turn, state, Cause.TIMEOUT_MPA);
                yield turn.close(Cause.TIMEOUT_MPA);
            }
            case Progress.AwaitingRtr _ -> {
                turn.count(CmCounter.MPA_TIMEOUTS);
                undecided(turn, state, Cause.TIMEOUT_MPA);
                yield silent(turn, state, Cause.TIMEOUT_MPA);
            }
            case Progress.Running _, Progress.Closing _, Progress.Silent _, Progress.Terminating _ -> {
                // Why it was on its way down says more than that the queue pair did not get it there.
                Cause end = state.end() == Cause.NONE ? Cause.TIMEOUT_PEER : state.end();
                QpEvents.tellEnd(turn, state, end);
                yield turn.close(end);
            }
        };
    }
}
