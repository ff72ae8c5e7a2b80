package io.iwcm.nic.rnic;

import io.iwcm.nic.rnic.RnicConfig.FrameStyle;
import io.iwcm.nic.rnic.SendBuffers.Whom;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.LastSent;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import io.iwcm.nic.wire.VlanTag;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Everything that leaves: each frame is built when it is sent, a repeated one too, so that it carries the MAC address that
 * is right now. What is for ourselves goes into a bounded queue instead, and comes back in at the end of the turn.
 */
final class Egress {

    private final Tables tables;
    private final int loopbackMax;
    private final FrameStyle style;
    private final ArrayDeque<TcpFrame> loopback = new ArrayDeque<>();
    private int ipId;

    Egress(Tables tables, int loopbackMax, FrameStyle style) {
        this.tables = tables;
        this.loopbackMax = loopbackMax;
        this.style = style;
    }

    /** Sends a segment on the order of a flow's owner. */
    void transmit(FlowEntry entry, Segment segment, Turn turn) {
        Optional<AddressHandle> handle = entry.handle().filter(AddressHandle::ready);
        if (handle.isEmpty() || entry.phase() == Phase.QP) {
            tables.counts.add(NicCounter.TRANSMITS_WITHOUT_HANDLE);
            return;
        }
        SeqNum end = segment.end();
        SeqNum nxt = entry.lastSent().map(LastSent::nxt).filter(end::before).orElse(end);
        entry.lastSent(new LastSent(nxt, segment.hasAck() ? Optional.of(segment.ack()) : Optional.empty()));
        Whom whom = entry.place() == BacklogPlace.HALF_OPEN ? Whom.STRANGER : Whom.OURS;
        if (send(entry.flow(), handle.get(), segment, whom, turn)) {
            tables.counts.add(NicCounter.PKT_SENT);
        }
    }

    /** Resets the peer of a flow whose owner does not; one that was sent nothing knows of nothing. */
    void reset(FlowEntry entry, Turn turn) {
        entry.lastSent().ifPresent(last -> {
            int flags = last.ack().isPresent() ? Segment.RST | Segment.ACK : Segment.RST;
            SeqNum ack = last.ack().orElse(new SeqNum(0));
            transmit(entry, new Segment(last.nxt(), ack, flags, 0, TcpOptions.NONE, Octets.EMPTY), turn);
        });
    }

    /** Sends a segment of a flow; false when its next hop's MAC address is not known now, or no buffer is to be had. */
    boolean send(FlowKey flow, AddressHandle handle, Segment segment, Whom whom, Turn turn) {
        TcpFrame frame = new TcpFrame(addressing(flow, handle, turn), segment);
        if (handle.hop() instanceof Hop.Inside) {
            return turnRound(frame, whom);
        } else if (frame.addressing().remoteMac().equals(MacAddress.ZERO)) {
            tables.counts.add(NicCounter.TRANSMITS_UNRESOLVED);
            return false;
        } else {
            return transmit(FrameEncoder.tcp(frame, ipId++), whom, turn);
        }
    }

    /** How a frame of the flow would travel now; {@link MacAddress#ZERO} while the next hop's address is unknown. */
    TcpFrame.Addressing addressing(FlowKey flow, AddressHandle handle, Turn turn) {
        MacAddress remote = switch (handle.hop()) {
            case Hop.Inside _ -> tables.local.mac();
            case Hop.Neighbour neighbour ->
                (switch (style) {
                            case GEN_1 -> fromTable(neighbour, turn);
                            case GEN_2 -> throughHandle(handle, neighbour, turn);
                        })
                        .orElse(MacAddress.ZERO);
        };
        return new TcpFrame.Addressing(
                tables.local.mac(),
                remote,
                flow,
                handle.path().priority(),
                handle.path().trafficClass());
    }

    private Optional<MacAddress> fromTable(Hop.Neighbour neighbour, Turn turn) {
        return tables.neighbours.find(neighbour, turn.nowNs(), new Asking(turn));
    }

    /** What the handle keeps; when the neighbour table does not stand by that any more, what it keeps from now on. */
    private Optional<MacAddress> throughHandle(AddressHandle handle, Hop.Neighbour neighbour, Turn turn) {
        Optional<MacAddress> kept = handle.bound().mac();
        if (kept.isPresent()) {
            return kept;
        }
        if (handle.bound().bind(() -> tables.neighbours.bind(neighbour, turn.nowNs(), new Asking(turn)))) {
            tables.counts.add(NicCounter.HANDLES_BOUND);
            return handle.bound().mac();
        }
        return fromTable(neighbour, turn);
    }

    /** Answers a frame to where it came from: that takes no neighbour and no handle. */
    void reply(TcpFrame received, Segment segment, Turn turn) {
        TcpFrame answer = new TcpFrame(received.addressing(), segment);
        if (isInside(received)) {
            turnRound(answer, Whom.STRANGER);
        } else {
            transmit(FrameEncoder.tcp(answer, ipId++), Whom.STRANGER, turn);
        }
    }

    boolean isInside(TcpFrame received) {
        return received.addressing().remoteMac().equals(tables.local.mac());
    }

    void arp(ArpPacket packet, MacAddress to, VlanTag tag, Turn turn) {
        transmit(FrameEncoder.arp(new EthernetHeader(to, tables.local.mac(), tag), packet), Whom.OURS, turn);
    }

    void neighbour(NeighbourMessage message, MacAddress to, VlanTag tag, Turn turn) {
        transmit(FrameEncoder.neighbour(new EthernetHeader(to, tables.local.mac(), tag), message), Whom.OURS, turn);
    }

    void echo(Parsed.Echo reply, Turn turn) {
        transmit(FrameEncoder.echo(reply, ipId++), Whom.STRANGER, turn);
    }

    /** Tells everybody an address of ours. */
    void announce(LocalAddress own, Turn turn) {
        tables.counts.add(NicCounter.ANNOUNCEMENTS);
        MacAddress mac = tables.local.mac();
        switch (own.address()) {
            case Ipv4Address v4 -> arp(ArpPacket.announcement(mac, v4), MacAddress.BROADCAST, tag(own.vlan()), turn);
            case Ipv6Address v6 -> {
                MacAddress everybody = LocalAddresses.groupMac(NeighbourMessage.ALL_NODES);
                neighbour(NeighbourMessage.Advertisement.announcement(mac, v6), everybody, tag(own.vlan()), turn);
            }
        }
    }

    /** What the neighbour table may want done in this turn. */
    Neighbours.Output asking(Turn turn) {
        return new Asking(turn);
    }

    /** The frames that have come round inside and are yet to be received. */
    ArrayDeque<TcpFrame> loopback() {
        return loopback;
    }

    private boolean turnRound(TcpFrame sent, Whom whom) {
        if (!SendBuffers.hasRoom(loopback.size(), loopbackMax, whom)) {
            tables.counts.add(NicCounter.BUF_ALLOC_FAIL);
            tables.drops.add(Drop.LINK_QUEUE_FULL);
            return false;
        }
        tables.counts.add(NicCounter.SENT_PKT_Q);
        TcpFrame.Addressing from = sent.addressing();
        loopback.add(new TcpFrame(
                new TcpFrame.Addressing(
                        from.remoteMac(),
                        from.localMac(),
                        from.flow().reversed(),
                        from.priority(),
                        from.trafficClass()),
                sent.segment()));
        return true;
    }

    private boolean transmit(byte[] frame, Whom whom, Turn turn) {
        boolean taken = tables.device.transmit(frame, whom, turn);
        if (taken) {
            tables.counts.add(NicCounter.FRAMES_TRANSMITTED);
        }
        return taken;
    }

    private static VlanTag tag(int vlan) {
        return new VlanTag(0, false, vlan);
    }

    /** The neighbour table's way out: questions to the link, answers to the flows that waited. */
    private final class Asking implements Neighbours.Output {

        private final Turn turn;

        Asking(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void solicit(Hop.Neighbour target, Optional<MacAddress> known) {
            MacAddress mac = tables.local.mac();
            tables.routes.asking(target).ifPresent(source -> {
                switch (target.address()) {
                    case Ipv4Address v4 -> {
                        ArpPacket question = ArpPacket.request(mac, (Ipv4Address) source, v4);
                        arp(question, known.orElse(MacAddress.BROADCAST), tag(target.vlan()), turn);
                    }
                    case Ipv6Address v6 -> {
                        Ipv6Address from = (Ipv6Address) source;
                        NeighbourMessage question = known.isPresent()
                                ? NeighbourMessage.Solicitation.probe(mac, from, v6)
                                : NeighbourMessage.Solicitation.resolve(mac, from, v6);
                        MacAddress group = LocalAddresses.groupMac(v6.solicitedNodeMulticast());
                        neighbour(question, known.orElse(group), tag(target.vlan()), turn);
                    }
                }
            });
        }

        @Override
        public void resolved(FlowKey waiter) {
            tables.flows
                    .find(waiter)
                    .filter(entry -> entry.handle().isPresent())
                    .ifPresent(entry -> tables.handles.make(entry, turn));
        }

        @Override
        public void unreachable(FlowKey waiter) {
            tables.flows
                    .find(waiter)
                    .ifPresent(entry -> tables.handleFailed(entry, Failure.NEIGHBOUR_UNREACHABLE, turn));
        }
    }
}
