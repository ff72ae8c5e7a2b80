package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
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
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/**
 * What all opens have in common as long as they are not decided: an active one ends with exactly one
 * {@link CmEvent.ConnectReply}, a passive one that the application does not know of ends in silence.
 */
final class Opens {

    private Opens() {}

    /** The open has failed: tells the initiator's application, or counts at the responder. */
    static void failed(Turn turn, Cause cause) {
        failed(turn, cause, PeerDepths.NONE, Octets.EMPTY);
    }

    static void failed(Turn turn, Cause cause, PeerDepths peer, Octets privateData) {
        switch (turn.conn().origin()) {
            case Origin.Active active -> {
                turn.count(CmCounter.CONNECT_ERRS);
                turn.tell(new CmEvent.ConnectReply(cause, active.wish().depths(), peer, privateData));
            }
            case Origin.Passive _ -> turn.count(CmCounter.PASSIVE_ERRS);
        }
    }

    /** Ends an open that has failed. */
    static Step fail(Turn turn, Cause cause) {
        failed(turn, cause);
        return turn.close(cause);
    }

    /** Ends an open that has failed, and the peer's half with it. */
    static Step resetAndFail(Turn turn, Tcb tcb, Cause cause) {
        turn.send(Segments.reset(tcb));
        return fail(turn, cause);
    }

    /**
     * Inputs that mean the same in every undecided state.
     *
     * @param tcb to reset the peer with; empty before TCP stands
     */
    static Step administer(Turn turn, CmState.Live state, Optional<Tcb> tcb, CmInput in) {
        boolean passive = turn.conn().passive();
        return switch (in) {
            case Accept(long call, var _, var _, var _) -> misuse(turn, state, call);
            case Reject(long call, var _) -> misuse(turn, state, call);
            case Disconnect(long call) -> passive ? misuse(turn, state, call) : withdraw(turn, tcb, call);
            case Abort(long call) -> passive ? misuse(turn, state, call) : withdraw(turn, tcb, call);
            case ApplicationGone _ -> {
                tcb.ifPresent(known -> turn.send(Segments.reset(known)));
                yield turn.close(Cause.LOCAL_ABORT);
            }
            case AddressDown _ -> end(turn, tcb, Cause.LOCAL_DOWN);
            case Shutdown _ -> end(turn, tcb, Cause.SHUTDOWN);
            case ListenerGone _ -> passive ? end(turn, tcb, Cause.LOCAL_ABORT) : turn.to(state);
            case FromNic(NicEvent.Superseded _) -> turn.abandon();
            case FromNic(NicEvent.PathError _) -> PathErrors.ignored(turn, state);
            case FromNic _ -> turn.to(state);
            case Arrived _ -> turn.to(state);
            case TimerTick _ -> turn.to(state);
        };
    }

    /** The call does not fit the state. */
    static Step misuse(Turn turn, CmState state, long call) {
        turn.answer(call, Cause.INVALID);
        return turn.to(state);
    }

    private static Step withdraw(Turn turn, Optional<Tcb> tcb, long call) {
        turn.answer(call, Cause.NONE);
        return end(turn, tcb, Cause.LOCAL_ABORT);
    }

    private static Step end(Turn turn, Optional<Tcb> tcb, Cause cause) {
        return tcb.map(known -> resetAndFail(turn, known, cause)).orElseGet(() -> fail(turn, cause));
    }
}
