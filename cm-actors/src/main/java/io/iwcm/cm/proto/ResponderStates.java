package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Decoded;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.Negotiated;
import io.iwcm.cm.mpa.Responder;
import io.iwcm.cm.mpa.Responder.Verdict;
import io.iwcm.cm.proto.CmInput.Arrived;
import io.iwcm.cm.proto.CmInput.TimerTick;
import io.iwcm.cm.proto.CmState.CloseWait;
import io.iwcm.cm.proto.CmState.Established;
import io.iwcm.cm.proto.CmState.MpaReqRcvd;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/** The passive end between TCP handshake and the question to the application: the MPA request is awaited. */
final class ResponderStates {

    private ResponderStates() {}

    static Step step(Turn turn, Established state, CmInput in) {
        return switch (in) {
            case Arrived(var segment) ->
                switch (Reception.of(turn, state.tcb(), state.inbox(), segment, false)) {
                    case Reception.Nothing(Tcb tcb) -> turn.to(new Established(turn.conn(), tcb, state.inbox()));
                    case Reception.Reset _ -> Opens.fail(turn, Cause.RESET);
                    case Reception.Heard heard -> hear(turn, heard);
                };
            case TimerTick tick when !turn.takes(tick) -> turn.to(state);
            case TimerTick _ -> {
                turn.count(CmCounter.MPA_TIMEOUTS);
                yield Opens.resetAndFail(turn, state.tcb(), Cause.TIMEOUT_MPA);
            }
            default -> Opens.administer(turn, state, Optional.of(state.tcb()), in);
        };
    }

    /** New text, a FIN or the handshake's last ACK. */
    static Step hear(Turn turn, Reception.Heard heard) {
        Tcb tcb = heard.tcb();
        Octets stream = heard.inbox().inOrder();
        return switch (MpaCodec.decode(stream, MpaFrame.Kind.REQUEST)) {
            case Decoded.Malformed _ -> malformed(turn, tcb);
            // An initiator has nothing to send before our reply (RFC 5044 §7.1.2).
            case Decoded.Complete(var _, int length) when stream.length() > length -> malformed(turn, tcb);
            case Decoded.NeedMore _ when heard.fin() -> quietEnd(turn, tcb);
            case Decoded.NeedMore _ -> {
                if (heard.owesAck()) {
                    turn.send(Segments.ack(tcb));
                }
                yield turn.to(new Established(turn.conn(), tcb, heard.inbox()));
            }
            case Decoded.Complete(MpaFrame request, var _) -> judged(turn, tcb, request, heard.fin());
        };
    }

    private static Step malformed(Turn turn, Tcb tcb) {
        turn.count(CmCounter.MPA_MALFORMED);
        return Opens.resetAndFail(turn, tcb, Cause.PROTOCOL);
    }

    private static Step quietEnd(Turn turn, Tcb tcb) {
        Opens.failed(turn, Cause.RESET);
        return CloseStates.lastAck(turn, tcb);
    }

    /**
     * A whole request is here.
     *
     * @param fin the peer's FIN came right behind it. Text goes before the FIN of its segment (RFC 9293 §3.10.7.4, seventh
     *     and eighth), so the application is asked as if it had come later; an accept then fails.
     */
    private static Step judged(Turn turn, Tcb tcb, MpaFrame request, boolean fin) {
        return switch (Responder.judge(request, turn.params.mpa())) {
            case Verdict.Offer(Negotiated.PeerDepths peer, ReadDepths suggested, Octets privateData) -> {
                // At once: the answer may take the application seconds (PROTOCOL §7.1).
                turn.send(Segments.ack(tcb));
                turn.moveInBacklog(BacklogPlace.WAITING);
                turn.disarm(TimerKey.DEADLINE);
                DecisionStates.armDecision(turn);
                turn.tell(new CmEvent.ConnectRequest(request.revision(), peer, suggested, privateData));
                yield turn.to(
                        fin ? new CloseWait(turn.conn(), tcb) : new MpaReqRcvd(turn.conn(), tcb, request, suggested));
            }
            case Verdict.Refused(MpaFrame reply, var _) -> {
                Opens.failed(turn, Cause.PROTOCOL);
                yield fin
                        ? CloseStates.lastAck(turn, tcb) // Who has closed does not wait for a reply.
                        : CloseStates.sayAndClose(turn, tcb, MpaCodec.encode(reply));
            }
        };
    }
}
