package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmState.SynRcvd;
import io.iwcm.cm.proto.CmState.SynSent;
import io.iwcm.nic.spi.NicEvent.PathError;
import io.iwcm.nic.spi.NicEvent.PathProblem;
import io.iwcm.nic.wire.SeqNum;

/**
 * ICMP errors (RFC 9293 §3.9.2.2). Anybody can write one, so only one that quotes a segment in flight is believed, and
 * none can do more than a blind attacker may: a connection whose TCP stands is never ended by one (RFC 5927 §5.2).
 */
final class PathErrors {

    /** The least MTU that is believed: below it lie mistakes and attacks (RFC 5927 §7; RFC 8200 §5 for IPv6). */
    private static final int MTU_MIN_V4 = 576;

    private static final int MTU_MIN_V6 = 1280;

    private PathErrors() {}

    /** The reason when our SYN was never answered: a router may have told (RFC 1122 §4.2.3.9). */
    static Cause whyNobodyAnswers(boolean troubled) {
        return troubled ? Cause.UNREACHABLE : Cause.TIMEOUT_SYN;
    }

    /** Our SYN is out. */
    static Step step(Turn turn, SynSent state, PathError error) {
        if (!error.quoted().equals(state.iss())) {
            return ignored(turn, state);
        }
        return switch (error.problem()) {
            case PORT_UNREACHABLE, PROTOCOL_UNREACHABLE -> refused(turn, error.problem());
            case PACKET_TOO_BIG -> ignored(turn, state); // No link is too narrow for a SYN.
            case SOFT -> {
                turn.count(CmCounter.ICMP_BELIEVED);
                yield turn.to(new SynSent(
                        turn.conn(),
                        state.iss(),
                        state.mtu(),
                        state.attempts(),
                        state.rtoNs(),
                        state.challenges(),
                        true));
            }
        };
    }

    /** Our SYN-ACK is out; TCP does not stand yet. */
    static Step step(Turn turn, SynRcvd state, PathError error) {
        if (!error.quoted().equals(state.tcb().snd().iss())) {
            return ignored(turn, state);
        }
        return switch (error.problem()) {
            case PORT_UNREACHABLE, PROTOCOL_UNREACHABLE -> refused(turn, error.problem());
            case PACKET_TOO_BIG -> ignored(turn, state);
            case SOFT -> {
                turn.count(CmCounter.ICMP_BELIEVED);
                yield turn.to(
                        new SynRcvd(turn.conn(), state.tcb(), state.synAck(), state.attempts(), state.rtoNs(), true));
            }
        };
    }

    /**
     * A hard error ends an open before TCP stands (RFC 1122 §4.2.3.9): as a reset of the same meaning would, where nobody
     * listens; as a host that cannot be talked to, where there is no TCP.
     */
    private static Step refused(Turn turn, PathProblem problem) {
        turn.count(CmCounter.ICMP_BELIEVED);
        return Opens.fail(turn, problem == PathProblem.PORT_UNREACHABLE ? Cause.REFUSED_TCP : Cause.UNREACHABLE);
    }

    /**
     * TCP stands. Nothing ends it but the peer or its silence; only what does not fit may make our segments smaller. An
     * honest router complains of packets larger than what it lets through, so an MTU into which the segments in flight fit
     * is a lie. What start-up sends fits into the least MTU and is sent again by its timer; it is the queue pair that will
     * send less at a time.
     */
    static Tcb lowered(Turn turn, Tcb tcb, PathError error) {
        boolean tooBig = error.problem() == PathProblem.PACKET_TOO_BIG;
        boolean v4 = turn.conn().flow().local().address().isV4();
        int headers = v4 ? 40 : 60;
        int largest = Math.min(tcb.flight().sent(), tcb.mss()) + headers;
        int mss = Math.max(error.mtu(), v4 ? MTU_MIN_V4 : MTU_MIN_V6) - headers;
        boolean sensible = !tooBig || (error.mtu() < largest && mss < tcb.mss());
        if (!sensible || !inFlight(tcb, error.quoted())) {
            turn.count(CmCounter.ICMP_IGNORED);
            return tcb;
        }
        turn.count(CmCounter.ICMP_BELIEVED);
        return tooBig ? tcb.withMss(mss) : tcb;
    }

    /** Nothing of ours can be meant. */
    static Step ignored(Turn turn, CmState state) {
        turn.count(CmCounter.ICMP_IGNORED);
        return turn.to(state);
    }

    private static boolean inFlight(Tcb tcb, SeqNum number) {
        return number.atOrAfter(tcb.snd().una()) && number.before(tcb.snd().nxt());
    }
}
