package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmState.Offloaded;
import io.iwcm.cm.proto.CmState.Outcome;
import io.iwcm.cm.proto.CmState.Progress;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand;

/** What asynchronous events of a queue pair in RTS or on its way down come to (PROTOCOL §19). */
final class QpEvents {

    private QpEvents() {}

    static Step step(Turn turn, Offloaded state, AsyncEvent.Code code) {
        return switch (code) {
            case LLP_CONNECTION_ESTABLISHED, LSMM_ACKNOWLEDGED, LLP_DOUBT_REACHABILITY -> turn.to(state);
            case RTR_RECEIVED -> rtr(turn, state);
            case LLP_FIN_RECEIVED -> goingDown(turn, state, Cause.NONE, true);
            case LLP_TERMINATE_RECEIVED, TERMINATE_SENT, MPA_CRC_ERROR, MPA_MARKER_ERROR ->
                goingDown(turn, state, Cause.PROTOCOL, false);
            case BAD_CLOSE -> over(turn, state, Cause.RESET);
            case LLP_CLOSE_COMPLETE -> over(turn, state, Cause.NONE);
            case LLP_CONNECTION_RESET, RESET_SENT -> over(turn, state, Cause.RESET);
            case LLP_TOO_MANY_RETRIES -> over(turn, state, Cause.TIMEOUT_PEER);
        };
    }

    private static Step rtr(Turn turn, Offloaded state) {
        if (!(state.progress() instanceof Progress.AwaitingRtr(Outcome outcome))) {
            return turn.to(state);
        }
        turn.disarm(TimerKey.DEADLINE);
        turn.tell(new CmEvent.Established(outcome.depths()));
        return turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Running(), Cause.NONE));
    }

    /**
     * The connection carries no more data, but the queue pair is not done with it.
     *
     * @param closeToo our side is still open: the queue pair is told to close it
     */
    private static Step goingDown(Turn turn, Offloaded state, Cause cause, boolean closeToo) {
        return switch (state.progress()) {
            case Progress.AwaitingRtr _ -> {
                Cause failure = cause == Cause.NONE ? Cause.RESET : cause;
                OffloadedStates.undecided(turn, state, failure);
                closeQp(turn, state, closeToo);
                yield OffloadedStates.silent(turn, state, failure);
            }
            case Progress.Running _ -> {
                turn.tell(new CmEvent.Disconnected(cause));
                closeQp(turn, state, closeToo);
                yield OffloadedStates.closing(turn, state, true, cause);
            }
            case Progress.Closing(boolean told) -> {
                Cause end = state.end() == Cause.NONE ? cause : state.end();
                if (!told) {
                    turn.tell(new CmEvent.Disconnected(end));
                }
                yield turn.to(new Offloaded(turn.conn(), state.qp(), new Progress.Closing(true), end));
            }
            case Progress.Silent _, Progress.TakingOver _, Progress.Terminating _ -> turn.to(state);
        };
    }

    private static void closeQp(Turn turn, Offloaded state, boolean closeToo) {
        if (closeToo) {
            turn.nic(new NicCommand.CloseQp(state.qp()));
        }
    }

    /** The queue pair is done with the connection. */
    private static Step over(Turn turn, Offloaded state, Cause cause) {
        Cause end = state.end() == Cause.NONE ? cause : state.end();
        OffloadedStates.undecided(turn, state, end == Cause.NONE ? Cause.RESET : end);
        tellEnd(turn, state, end);
        return turn.close(end);
    }

    /** DISCONNECT if it has not been told, then CLOSE; nothing to an application that was never told success. */
    static void tellEnd(Turn turn, Offloaded state, Cause cause) {
        switch (state.progress()) {
            case Progress.Running _ -> {
                turn.tell(new CmEvent.Disconnected(cause));
                turn.tell(new CmEvent.Closed(cause));
            }
            case Progress.Closing(boolean told) -> {
                if (!told) {
                    turn.tell(new CmEvent.Disconnected(cause));
                }
                turn.tell(new CmEvent.Closed(cause));
            }
            case Progress.TakingOver _, Progress.AwaitingRtr _, Progress.Silent _, Progress.Terminating _ -> {}
        }
    }
}
