package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmInput.Arrived;
import io.iwcm.cm.proto.CmInput.FromNic;
import io.iwcm.cm.proto.CmInput.TimerTick;
import io.iwcm.cm.proto.CmState.Completed;
import io.iwcm.cm.proto.CmState.Inited;
import io.iwcm.cm.proto.CmState.Opening;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.Rnic.SynCompleted;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.List;
import java.util.Optional;

/**
 * Before the first segment: the address handle, then steering. Our SYN or SYN-ACK leaves only when the entry that will
 * catch its answer is in place.
 */
final class InitedStates {

    /** How far beyond an earlier connection's numbers ours begin when the drawn one is not beyond them. */
    private static final int ISN_GAP = 1 << 16;

    private InitedStates() {}

    static Step connect(ConnectSpec spec, long nowNs, CmParams params) {
        Turn turn = new Turn(Conn.of(spec.flow(), new Origin.Active(spec, 1)), nowNs, params);
        return begin(turn, new Opening(0, new SeqNum(0), 0, TcpOptions.NONE, Optional.empty()));
    }

    static Step admit(AdmitSpec spec, long nowNs, CmParams params) {
        Segment syn = spec.syn();
        Turn turn = new Turn(Conn.of(spec.flow(), new Origin.Passive(spec.listener(), spec.path())), nowNs, params);
        if (syn.options().malformed()) {
            turn.count(CmCounter.OPTIONS_MALFORMED);
        }
        return begin(turn, new Opening(0, syn.seq(), syn.window(), syn.options(), spec.isnAbove()));
    }

    /** As if admitted; but what our SYN-ACK would have said has been said. */
    static Step complete(CompletedSpec spec, long nowNs, CmParams params) {
        Segment ack = spec.ack();
        SynCompleted said = spec.said();
        Turn turn = new Turn(Conn.of(spec.flow(), new Origin.Passive(spec.listener(), spec.path())), nowNs, params);
        int shift = Math.max(0, said.peerOptions().windowScale());
        Completed completed = new Completed(said.ourIsn(), said.offer(), List.of(ack));
        return begin(
                turn,
                new Opening(
                        0,
                        said.peerIsn(),
                        ack.window() << shift,
                        said.peerOptions(),
                        Optional.empty(),
                        Optional.of(completed)));
    }

    private static Step begin(Turn turn, Opening opening) {
        turn.count(CmCounter.NODES_CREATED);
        turn.createAh();
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().addressNs());
        return turn.to(new Inited(turn.conn(), opening));
    }

    static Step step(Turn turn, Inited state, CmInput in) {
        return switch (in) {
            case FromNic(NicEvent event) -> answered(turn, state, event);
            case Arrived(Segment segment) when givesUp(state, segment) -> Opens.fail(turn, Cause.RESET);
            case Arrived(Segment segment) -> turn.to(keep(state, segment));
            case TimerTick tick when turn.takes(tick) -> Opens.fail(turn, Cause.UNREACHABLE);
            default -> Opens.administer(turn, state, Optional.empty(), in);
        };
    }

    /** The peer resets what it asked for, before we answered: SEQ is the one after its SYN. */
    private static boolean givesUp(Inited state, Segment segment) {
        return state.conn().passive()
                && segment.rst()
                && segment.seq().equals(state.opening().peerIsn().plus(1));
    }

    /** Before the handshake nothing of the peer's counts; after one by a cookie its octets may be here before we can answer. */
    private static Inited keep(Inited state, Segment segment) {
        Opening opening = state.opening();
        boolean text = segment.hasAck() && !segment.syn() && !segment.rst();
        return text
                ? opening.completed()
                        .map(completed -> new Inited(state.conn(), opening.with(completed.and(segment))))
                        .orElse(state)
                : state;
    }

    private static Step answered(Turn turn, Inited state, NicEvent event) {
        Opening opening = state.opening();
        return switch (event) {
            case NicEvent.AddressHandleReady(int mtu)
            when opening.mtu() == 0 -> {
                turn.steer();
                yield turn.to(new Inited(turn.conn(), opening.withMtu(mtu)));
            }
            case NicEvent.AddressHandleFailed(NicEvent.Failure why) -> {
                turn.count(CmCounter.AH_FAILURES);
                yield Opens.fail(turn, causeOf(why));
            }
            case NicEvent.SteeringInstalled _ when opening.mtu() != 0 -> open(turn, opening);
            case NicEvent.SteeringFailed(NicEvent.Failure why) -> {
                turn.count(
                        why == NicEvent.Failure.BACKLOG_FULL ? CmCounter.BACKLOG_DROPS : CmCounter.STEERING_FAILURES);
                turn.leaveQuad();
                yield Opens.fail(turn, causeOf(why));
            }
            case NicEvent.AddressHandleReady _ -> turn.to(state);
            case NicEvent.SteeringInstalled _ -> turn.to(state);
            case NicEvent.QpEvent _ -> turn.to(state);
            case NicEvent.ModifyQpFailed _ -> turn.to(state);
            case NicEvent.Superseded _ -> turn.abandon();
            case NicEvent.PathError _ -> PathErrors.ignored(turn, state);
        };
    }

    private static Step open(Turn turn, Opening opening) {
        if (opening.completed().isPresent()) {
            return HandshakeStates.resume(turn, opening, opening.completed().get());
        }
        return turn.conn().passive()
                ? HandshakeStates.answerSyn(turn, opening)
                : HandshakeStates.sendSyn(turn, opening.mtu(), isn(turn, opening.isnAbove()));
    }

    /**
     * Our initial sequence number.
     *
     * @param above a number that an earlier connection of this flow used: ours lies beyond it
     */
    static SeqNum isn(Turn turn, Optional<SeqNum> above) {
        SeqNum drawn = turn.params.isn().isn(turn.conn().flow(), turn.nowNs);
        return above.filter(drawn::atOrBefore).map(used -> used.plus(ISN_GAP)).orElse(drawn);
    }

    private static Cause causeOf(NicEvent.Failure why) {
        return switch (why) {
            case NO_ROUTE, NEIGHBOUR_UNREACHABLE -> Cause.UNREACHABLE;
            case NOT_LOCAL -> Cause.ADDRESS_NOT_AVAILABLE;
            case QUAD_TAKEN -> Cause.ADDRESS_IN_USE;
            case NOT_LISTENING, BACKLOG_FULL, RESOURCES, PORTS_EXHAUSTED, BAD_QP, DEVICE, NO_FLOW -> Cause.RESOURCES;
        };
    }
}
