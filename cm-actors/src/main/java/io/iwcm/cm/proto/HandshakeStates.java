package io.iwcm.cm.proto;

import io.iwcm.cm.proto.CmInput.Arrived;
import io.iwcm.cm.proto.CmInput.FromNic;
import io.iwcm.cm.proto.CmInput.TimerTick;
import io.iwcm.cm.proto.CmParams.TcpParams;
import io.iwcm.cm.proto.CmState.Completed;
import io.iwcm.cm.proto.CmState.Established;
import io.iwcm.cm.proto.CmState.Opening;
import io.iwcm.cm.proto.CmState.SynRcvd;
import io.iwcm.cm.proto.CmState.SynSent;
import io.iwcm.cm.proto.Tcb.Challenges;
import io.iwcm.cm.proto.Tcb.Rcv;
import io.iwcm.cm.proto.Tcb.Snd;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.time.Duration;
import java.util.Optional;

/** SYN-SENT and SYN-RECEIVED (RFC 9293 §3.10.7.3 and §3.10.7.4), simultaneous open included. */
final class HandshakeStates {

    /** RFC 9293 §3.7.1: what a peer that says nothing can take. */
    private static final int MSS_DEFAULT_V4 = 536;

    private static final int MSS_DEFAULT_V6 = 1220;

    /** RFC 7323 §2.3: a larger shift means this one. */
    private static final int SHIFT_MAX = 14;

    /** RFC 6298 §5.7: after a lost SYN, data starts with at least this. */
    private static final long RTO_AFTER_LOST_SYN_NS = 3_000_000_000L;

    private HandshakeStates() {}

    static Step sendSyn(Turn turn, int mtu, SeqNum iss) {
        TcpParams tcp = turn.params.tcp();
        turn.send(Segments.syn(iss, tcp.window(), TcpOptions.ofSyn(mssOf(turn, mtu), tcp.windowScale())));
        turn.arm(TimerKey.RETRANSMIT, tcp.rtoFirstNs());
        turn.arm(TimerKey.DEADLINE, synNs(turn));
        return turn.to(new SynSent(turn.conn(), iss, mtu, 0, tcp.rtoFirstNs(), Challenges.NONE, false));
    }

    /** RFC 9293 §3.8.3, MUST-21: the application may set it for its connection. */
    private static long synNs(Turn turn) {
        return turn.conn().origin() instanceof Origin.Active(ConnectSpec spec, var _)
                ? spec.synTimeout()
                        .map(Duration::toNanos)
                        .orElse(turn.params.deadlines().synNs())
                : turn.params.deadlines().synNs();
    }

    static Step answerSyn(Turn turn, Opening opening) {
        if (opening.peerOptions().malformed() && turn.params.compat().malformedOptionsReset()) {
            turn.send(Segments.refusal(opening.peerIsn()));
            return Opens.fail(turn, Cause.PROTOCOL);
        }
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().synRcvdNs());
        return synRcvd(turn, InitedStates.isn(turn, opening.isnAbove()), opening, Challenges.NONE, false);
    }

    private static Step synRcvd(Turn turn, SeqNum iss, Opening opening, Challenges challenges, boolean troubled) {
        TcpParams tcp = turn.params.tcp();
        boolean scaled = opening.peerOptions().hasWindowScale();
        TcpOptions ours = TcpOptions.ofSyn(mssOf(turn, opening.mtu()), scaled ? tcp.windowScale() : TcpOptions.ABSENT);
        Tcb tcb = tcb(turn, iss, iss, opening, turn.params.tcp().offer()).with(challenges);
        turn.send(Segments.synAck(tcb, ours));
        turn.arm(TimerKey.RETRANSMIT, tcp.rtoFirstNs());
        return turn.to(new SynRcvd(turn.conn(), tcb, ours, 0, tcp.rtoFirstNs(), troubled));
    }

    /** The block as the peer's SYN or SYN-ACK makes it; its window field is never scaled. */
    private static Tcb tcb(Turn turn, SeqNum iss, SeqNum una, Opening opening, SynOffer offer) {
        TcpParams tcp = turn.params.tcp();
        TcpOptions options = opening.peerOptions();
        boolean scaled = options.hasWindowScale();
        int peerShift = scaled ? Math.min(options.windowScale(), SHIFT_MAX) : 0;
        SeqNum irs = opening.peerIsn();
        int window = opening.peerWindow();
        Snd snd = new Snd(iss, una, iss.plus(1), window, window, irs, una, peerShift);
        Rcv rcv = new Rcv(
                irs,
                irs.plus(1),
                scaled ? offer.window() : Math.min(offer.window(), 0xffff),
                scaled ? offer.windowScale() : 0);
        return new Tcb(
                snd, rcv, opening.mtu(), sendMss(turn, opening), Flight.empty(tcp.rtoFirstNs()), Challenges.NONE);
    }

    private static int sendMss(Turn turn, Opening opening) {
        boolean v4 = turn.conn().flow().local().address().isV4();
        int said = opening.peerOptions().hasMss()
                ? Math.max(opening.peerOptions().mss(), turn.params.tcp().mssFloor())
                : v4 ? MSS_DEFAULT_V4 : MSS_DEFAULT_V6;
        return Math.min(said, mssOf(turn, opening.mtu()));
    }

    /** MTU less the IP and TCP headers without options (RFC 6691). */
    private static int mssOf(Turn turn, int mtu) {
        return mtu - (turn.conn().flow().local().address().isV4() ? 40 : 60);
    }

    static Step step(Turn turn, SynSent state, CmInput in) {
        return switch (in) {
            case Arrived(Segment segment) -> synSentHears(turn, state, segment);
            case TimerTick tick when !turn.takes(tick) -> turn.to(state);
            case TimerTick(TimerKey key, var _)
            when key == TimerKey.RETRANSMIT
                    && state.attempts() < turn.params.tcp().retriesMax() -> {
                TcpParams tcp = turn.params.tcp();
                long rtoNs = Math.min(2 * state.rtoNs(), tcp.rtoMaxNs());
                turn.count(CmCounter.PKT_RETRANS);
                turn.send(Segments.syn(
                        state.iss(), tcp.window(), TcpOptions.ofSyn(mssOf(turn, state.mtu()), tcp.windowScale())));
                turn.arm(TimerKey.RETRANSMIT, rtoNs);
                yield turn.to(new SynSent(
                        turn.conn(),
                        state.iss(),
                        state.mtu(),
                        state.attempts() + 1,
                        rtoNs,
                        state.challenges(),
                        state.troubled()));
            }
            case TimerTick _ -> Opens.fail(turn, PathErrors.whyNobodyAnswers(state.troubled()));
            case FromNic(NicEvent.PathError error) -> PathErrors.step(turn, state, error);
            default -> Opens.administer(turn, state, Optional.empty(), in);
        };
    }

    /** RFC 9293 §3.10.7.3, in its order: ACK, RST, SYN. */
    private static Step synSentHears(Turn turn, SynSent state, Segment segment) {
        boolean acknowledges =
                segment.hasAck() && segment.ack().equals(state.iss().plus(1));
        if (segment.hasAck() && !acknowledges) {
            return segment.rst() ? turn.to(state) : resetWrongAck(turn, state, segment);
        }
        if (segment.rst()) {
            return acknowledges ? Opens.fail(turn, Cause.REFUSED_TCP) : turn.to(state);
        }
        if (!segment.syn()) {
            return turn.to(state);
        }
        if (segment.options().malformed()) {
            turn.count(CmCounter.OPTIONS_MALFORMED);
            if (turn.params.compat().malformedOptionsReset()) {
                return refuse(turn, state, segment, Cause.PROTOCOL);
            }
        }
        Opening opening =
                new Opening(state.mtu(), segment.seq(), segment.window(), segment.options(), Optional.empty());
        if (acknowledges) {
            Tcb tcb = tcb(
                            turn,
                            state.iss(),
                            state.iss().plus(1),
                            opening,
                            turn.params.tcp().offer())
                    .with(state.challenges());
            return InitiatorStates.begin(turn, afterLostSyn(tcb, state.attempts()), Inbox.EMPTY, false);
        }
        if (turn.params.compat().simultaneousOpenResets()) {
            return refuse(turn, state, segment, Cause.RESET);
        }
        // The deadline of our SYN goes on: it is for the whole handshake.
        return synRcvd(turn, state.iss(), opening, state.challenges(), state.troubled());
    }

    /** An old half-open connection at the peer is cleared this way; ours goes on. */
    private static Step resetWrongAck(Turn turn, SynSent state, Segment segment) {
        Challenges allowed = Reception.allow(turn, state.challenges());
        if (!allowed.equals(state.challenges())) {
            turn.send(Segments.resetFor(segment));
        }
        return turn.to(new SynSent(
                turn.conn(), state.iss(), state.mtu(), state.attempts(), state.rtoNs(), allowed, state.troubled()));
    }

    private static Step refuse(Turn turn, SynSent state, Segment segment, Cause cause) {
        Opening opening =
                new Opening(state.mtu(), segment.seq(), segment.window(), segment.options(), Optional.empty());
        return Opens.resetAndFail(
                turn,
                tcb(turn, state.iss(), state.iss(), opening, turn.params.tcp().offer()),
                cause);
    }

    private static Tcb afterLostSyn(Tcb tcb, int attempts) {
        return attempts == 0 ? tcb : tcb.with(Flight.empty(Math.max(tcb.flight().rtoNs(), RTO_AFTER_LOST_SYN_NS)));
    }

    static Step step(Turn turn, SynRcvd state, CmInput in) {
        return switch (in) {
            case Arrived(Segment segment) -> synRcvdHears(turn, state, segment);
            case TimerTick tick when !turn.takes(tick) -> turn.to(state);
            case TimerTick(TimerKey key, var _)
            when key == TimerKey.RETRANSMIT
                    && state.attempts() < turn.params.tcp().retriesMax() -> {
                long rtoNs = Math.min(2 * state.rtoNs(), turn.params.tcp().rtoMaxNs());
                turn.count(CmCounter.PKT_RETRANS);
                turn.send(Segments.synAck(state.tcb(), state.synAck()));
                turn.arm(TimerKey.RETRANSMIT, rtoNs);
                yield turn.to(new SynRcvd(
                        turn.conn(), state.tcb(), state.synAck(), state.attempts() + 1, rtoNs, state.troubled()));
            }
            case TimerTick _ -> Opens.fail(turn, PathErrors.whyNobodyAnswers(state.troubled()));
            case FromNic(NicEvent.PathError error) -> PathErrors.step(turn, state, error);
            default -> Opens.administer(turn, state, Optional.of(state.tcb()), in);
        };
    }

    private static Step synRcvdHears(Turn turn, SynRcvd state, Segment segment) {
        Tcb tcb = state.tcb();
        boolean repeatsSyn = segment.syn()
                && !segment.rst()
                && segment.seq().equals(tcb.rcv().irs());
        if (repeatsSyn && !segment.hasAck()) {
            Challenges allowed = Reception.allow(turn, tcb.challenges());
            if (!allowed.equals(tcb.challenges())) {
                turn.send(Segments.synAck(tcb, state.synAck()));
            }
            return turn.to(with(turn, state, tcb.with(allowed)));
        }
        if (repeatsSyn
                && !turn.conn().passive()
                && segment.ack().equals(tcb.snd().nxt())) {
            // Simultaneous open completes here (RFC 9293 figure 8), although SEQ is left of the window by now.
            Snd snd = tcb.snd().acknowledged(segment.ack()).window(segment.window(), segment.seq(), segment.ack());
            return stands(turn, state, tcb.with(snd), Inbox.EMPTY, Optional.empty());
        }
        return switch (Reception.of(turn, tcb, Inbox.EMPTY, segment, true)) {
            case Reception.Nothing(Tcb after) -> turn.to(with(turn, state, after));
            case Reception.Reset _ -> Opens.fail(turn, turn.conn().passive() ? Cause.RESET : Cause.REFUSED_TCP);
            case Reception.Heard heard -> stands(turn, state, heard.tcb(), heard.inbox(), Optional.of(heard));
        };
    }

    /** A cookie has completed the handshake: what has arrived since is taken in, one after the other, in this one step. */
    static Step resume(Turn turn, Opening opening, Completed completed) {
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().mpa().requestNs());
        SeqNum iss = completed.iss();
        Tcb tcb = tcb(turn, iss, iss.plus(1), opening, completed.offer());
        Step step = turn.to(new Established(turn.conn(), tcb, Inbox.EMPTY));
        for (Segment segment : completed.arrived()) {
            if (step.next() instanceof CmState.Live live) {
                step = CmMachine.live(live, new Arrived(segment), turn);
            }
        }
        return step;
    }

    private static SynRcvd with(Turn turn, SynRcvd state, Tcb tcb) {
        return new SynRcvd(turn.conn(), tcb, state.synAck(), state.attempts(), state.rtoNs(), state.troubled());
    }

    /** The handshake is complete. Its last segment may already carry the MPA request. */
    private static Step stands(Turn turn, SynRcvd state, Tcb synced, Inbox inbox, Optional<Reception.Heard> heard) {
        Tcb tcb = afterLostSyn(synced, state.attempts());
        turn.disarm(TimerKey.RETRANSMIT);
        if (!turn.conn().passive()) {
            return InitiatorStates.begin(
                    turn, tcb, inbox, heard.map(Reception.Heard::fin).orElse(false));
        }
        turn.arm(TimerKey.DEADLINE, turn.params.deadlines().mpa().requestNs());
        return ResponderStates.hear(
                turn,
                new Reception.Heard(
                        tcb,
                        inbox,
                        heard.map(Reception.Heard::text).orElse(false),
                        heard.map(Reception.Heard::fin).orElse(false),
                        heard.map(Reception.Heard::owesAck).orElse(false)));
    }
}
