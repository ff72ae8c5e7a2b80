package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic.IlqEntry;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.RateLimit;
import io.iwcm.nic.steer.SynEntry;
import io.iwcm.nic.steer.TimeWaits.Verdict;
import io.iwcm.nic.steer.TupleHash;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.Optional;

/**
 * Everything that arrives, and whose it is: first the flows of the quad hash, then what is over and still answers, then who
 * is listened for, then nobody.
 */
final class Ingress {

    private static final int MAC_OCTETS = 6;

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;
    private final NeighbourTalk talk;
    private final CookieTalk cookies;
    private final TupleHash hash;
    private final RnicConfig.Behaviour behaviour;
    private final RateLimit resets;
    private final RateLimit echoes;
    private final RateLimit icmpErrors;

    Ingress(
            Tables tables,
            Egress egress,
            QpBank qps,
            CookieTalk cookies,
            TupleHash hash,
            RnicConfig.Behaviour behaviour,
            long nowNs) {
        this.tables = tables;
        this.egress = egress;
        this.qps = qps;
        this.talk = new NeighbourTalk(tables, egress);
        this.cookies = cookies;
        this.hash = hash;
        this.behaviour = behaviour;
        this.resets = new RateLimit(behaviour.resetsPerSecond(), Math.max(1, behaviour.resetsPerSecond()), nowNs);
        this.echoes = new RateLimit(behaviour.echoesPerSecond(), Math.max(1, behaviour.echoesPerSecond()), nowNs);
        this.icmpErrors =
                new RateLimit(behaviour.icmpErrorsPerSecond(), Math.max(1, behaviour.icmpErrorsPerSecond()), nowNs);
    }

    /** A frame from the link. */
    void frame(byte[] frame, Turn turn) {
        tables.counts.add(NicCounter.FRAMES_RECEIVED);
        if (frame.length >= 2 * MAC_OCTETS) {
            if (!tables.local.takes(macAt(frame, 0))) {
                tables.drops.add(Drop.ETH_NOT_FOR_US);
                return;
            }
            MacAddress source = macAt(frame, MAC_OCTETS);
            if (source.equals(tables.local.mac()) || source.equals(MacAddress.ZERO)) { // Nobody to be answered.
                tables.drops.add(Drop.ETH_BAD_SOURCE);
                return;
            }
        }
        switch (FrameParser.parse(frame)) {
            case Parsed.Tcp(TcpFrame tcp) -> fromWire(tcp, turn);
            case Parsed.Arp arp -> talk.arp(arp, turn);
            case Parsed.Neighbour neighbour -> talk.neighbour(neighbour, turn);
            case Parsed.Echo echo -> echo(echo, turn);
            case Parsed.IcmpError error -> icmpError(error, turn);
            case Parsed.Dropped(Drop why) -> tables.drops.add(why);
        }
    }

    private static MacAddress macAt(byte[] frame, int at) {
        long bits = 0;
        for (int i = 0; i < MAC_OCTETS; i++) {
            bits = bits << 8 | (frame[at + i] & 0xff);
        }
        return new MacAddress(bits);
    }

    private void fromWire(TcpFrame frame, Turn turn) {
        FlowKey flow = frame.addressing().flow();
        IpAddress remote = flow.remote().address();
        if (!tables.local.hasOnWire(flow.local().address(), flow.vlan())) {
            tables.drops.add(Drop.ADDRESS_NOT_LOCAL);
        } else if (tables.local.hasOnWire(remote, flow.vlan()) || tables.local.isSubnetBroadcast(remote, flow.vlan())) {
            tables.drops.add(Drop.IP_BAD_SOURCE);
        } else {
            tcp(frame, turn);
        }
    }

    /** A frame that came round inside: its addresses were ours when it was sent. */
    void fromInside(TcpFrame frame, Turn turn) {
        FlowKey flow = frame.addressing().flow();
        if (tables.local.has(flow.local().address(), flow.vlan())) {
            tcp(frame, turn);
        } else {
            tables.drops.add(Drop.ADDRESS_NOT_LOCAL);
        }
    }

    private void tcp(TcpFrame frame, Turn turn) {
        FlowKey flow = frame.addressing().flow();
        Segment segment = frame.segment();
        Optional<FlowEntry> entry = tables.flows.find(flow);
        if (entry.isPresent() && entry.get().phase() == Phase.QP) {
            qps.segment(entry.get(), segment, turn);
        } else if (entry.isPresent() && entry.get().phase() == Phase.ILQ) {
            deliver(entry.get().owner().orElseThrow(), new IlqEntry(frame, Optional.empty()), turn);
        } else {
            beyondQuadHash(frame, entry, turn);
        }
    }

    private void beyondQuadHash(TcpFrame frame, Optional<FlowEntry> preparing, Turn turn) {
        if (cookies.takes(frame, preparing, turn)) {
            return;
        }
        Optional<Verdict> over = tables.timeWaits.arrived(frame.addressing().flow(), frame.segment(), turn.nowNs());
        if (over.isEmpty()) {
            unowned(frame, preparing, Optional.empty(), turn);
            return;
        }
        switch (over.get()) {
            case Verdict.Answer(Segment answer) -> egress.reply(frame, answer, turn);
            case Verdict.Ignore _ -> {}
            case Verdict.Reopen(SeqNum isnAbove) -> unowned(frame, preparing, Optional.of(isnAbove), turn);
        }
    }

    /** A segment of a flow that is not in the quad hash, though a connection may be preparing. */
    private void unowned(TcpFrame frame, Optional<FlowEntry> preparing, Optional<SeqNum> isnAbove, Turn turn) {
        Segment segment = frame.segment();
        FlowKey flow = frame.addressing().flow();
        Optional<SynEntry> listener = tables.flows.listener(ListenKey.of(flow)).filter(SynEntry::isLive);
        boolean opens = segment.syn() && !segment.hasAck() && !segment.rst();
        if (!opens || listener.isEmpty()) {
            unmatched(frame, turn);
            return;
        }
        if (preparing.isPresent() && preparing.get().phase() == Phase.RESERVED) {
            tables.drops.add(Drop.NO_STEERING); // Ours is about to go out: the peer's next one meets it.
            return;
        }
        Drop full = listener.get().admits();
        if (preparing.isEmpty() && cookies.answers(frame, listener.get(), full, isnAbove, turn)) {
            return;
        }
        if (full != Drop.NONE) {
            tables.drops.add(full);
            return;
        }
        // Nothing is stored: until one of its connections claims the flow, each SYN is chosen for anew.
        Optional<Owner> to = preparing.flatMap(FlowEntry::owner).or(() -> tables.owners.choose(hash.of(flow)));
        if (to.isEmpty()) {
            tables.drops.add(Drop.ILQ_FULL);
            return;
        }
        deliver(to.get(), new IlqEntry(frame, Optional.of(listener.get().key()), isnAbove, Optional.empty()), turn);
    }

    private void deliver(Owner to, IlqEntry entry, Turn turn) {
        tables.counts.add(NicCounter.PKT_RCVD);
        turn.out().ilq(to, entry);
    }

    /** RFC 9293 §3.10.7.1: what is CLOSED resets everything but a reset. */
    private void unmatched(TcpFrame frame, Turn turn) {
        tables.drops.add(Drop.NO_STEERING);
        boolean ours = behaviour.unmatched() == RnicConfig.Unmatched.RESET || egress.isInside(frame);
        if (frame.segment().rst() || !ours) {
            return;
        }
        if (!resets.pass(turn.nowNs())) {
            tables.counts.add(NicCounter.RESETS_LIMITED);
            return;
        }
        tables.counts.add(NicCounter.RESETS_SENT);
        egress.reply(frame, resetFor(frame.segment()), turn);
    }

    private static Segment resetFor(Segment segment) {
        SeqNum zero = new SeqNum(0);
        return segment.hasAck()
                ? new Segment(segment.ack(), zero, Segment.RST, 0, TcpOptions.NONE, Octets.EMPTY)
                : new Segment(zero, segment.end(), Segment.RST | Segment.ACK, 0, TcpOptions.NONE, Octets.EMPTY);
    }

    private void echo(Parsed.Echo echo, Turn turn) {
        int vlan = echo.ethernet().tag().id();
        if (!echo.request()) {
            tables.drops.add(Drop.ICMP_UNUSED);
        } else if (!tables.local.hasOnWire(echo.destination(), vlan)) {
            tables.drops.add(Drop.ADDRESS_NOT_LOCAL);
        } else if (echo.ethernet().destination().isGroup()) { // RFC 1122 §3.3.6: broadcast, whatever IP says.
            tables.drops.add(Drop.IP_BAD_DESTINATION);
        } else if (tables.local.hasOnWire(echo.source(), vlan)
                || tables.local.isSubnetBroadcast(
                        echo.source(), vlan)) { // An answer would come to us, or to everybody.
            tables.drops.add(Drop.IP_BAD_SOURCE);
        } else if (echoes.pass(turn.nowNs())) {
            tables.counts.add(NicCounter.ECHOES_ANSWERED);
            egress.echo(echo.reply(tables.local.mac()), turn);
        } else {
            tables.counts.add(NicCounter.ECHOES_LIMITED);
        }
    }

    /** For the connection that is said to have sent what is quoted; whether it has, it must judge itself. */
    private void icmpError(Parsed.IcmpError error, Turn turn) {
        FlowKey flow = error.quotedFlow();
        Optional<FlowEntry> entry = tables.flows.find(flow).filter(FlowEntry::isInstalled);
        if (!tables.local.hasOnWire(flow.local().address(), flow.vlan())) {
            tables.drops.add(Drop.ADDRESS_NOT_LOCAL);
        } else if (entry.isEmpty()) {
            tables.drops.add(Drop.NO_STEERING);
        } else if (entry.get().phase() == Phase.QP) {
            tables.counts.add(NicCounter.ICMP_ABOUT_QP);
        } else if (icmpErrors.pass(turn.nowNs())) {
            tables.counts.add(NicCounter.ICMP_ERRORS);
            turn.tell(entry.get(), new NicEvent.PathError(problem(error), error.mtu(), error.quotedSeq()));
        } else {
            tables.counts.add(NicCounter.ICMP_LIMITED);
        }
    }

    private static NicEvent.PathProblem problem(Parsed.IcmpError error) {
        if (error.kind() == Parsed.IcmpError.Kind.PACKET_TOO_BIG) {
            return NicEvent.PathProblem.PACKET_TOO_BIG;
        }
        if (!error.isHard()) {
            return NicEvent.PathProblem.SOFT;
        }
        return error.isPortUnreachable()
                ? NicEvent.PathProblem.PORT_UNREACHABLE
                : NicEvent.PathProblem.PROTOCOL_UNREACHABLE;
    }
}
