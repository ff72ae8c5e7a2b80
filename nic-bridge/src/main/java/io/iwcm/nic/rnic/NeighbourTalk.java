package io.iwcm.nic.rnic;

import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.NeighbourMessage.Advertisement;
import io.iwcm.nic.wire.NeighbourMessage.Solicitation;
import io.iwcm.nic.wire.Parsed;
import java.util.Optional;

/** What neighbours say about themselves and ask about us: ARP (RFC 826, RFC 5227) and RFC 4861 §7.2. */
final class NeighbourTalk {

    private final Tables tables;
    private final Egress egress;

    NeighbourTalk(Tables tables, Egress egress) {
        this.tables = tables;
        this.egress = egress;
    }

    void arp(Parsed.Arp arp, Turn turn) {
        EthernetHeader ethernet = arp.ethernet();
        ArpPacket packet = arp.packet();
        int vlan = ethernet.tag().id();
        boolean toUs = tables.local.hasOnWire(packet.targetIp(), vlan);
        if (tables.local.hasOnWire(packet.senderIp(), vlan)) {
            tables.counts.add(NicCounter.ADDRESS_CONFLICTS);
            return;
        }
        if (isOnLink(packet.senderIp(), vlan)) {
            Hop.Neighbour sender = new Hop.Neighbour(packet.senderIp(), vlan);
            if (toUs && packet.operation() == ArpPacket.Operation.REPLY) {
                tables.neighbours.confirmed(sender, packet.senderMac(), turn.nowNs(), egress.asking(turn));
            } else {
                tables.neighbours.heard(sender, packet.senderMac(), toUs, turn.nowNs(), egress.asking(turn));
            }
        }
        if (toUs && packet.operation() == ArpPacket.Operation.REQUEST) {
            tables.counts.add(NicCounter.ARP_ANSWERED);
            egress.arp(packet.reply(tables.local.mac()), packet.senderMac(), ethernet.tag(), turn);
        }
    }

    void neighbour(Parsed.Neighbour neighbour, Turn turn) {
        switch (neighbour.message()) {
            case Solicitation solicitation -> solicited(neighbour.ethernet(), solicitation, turn);
            case Advertisement advertisement -> advertised(neighbour.ethernet(), advertisement, turn);
        }
    }

    private void solicited(EthernetHeader ethernet, Solicitation message, Turn turn) {
        int vlan = ethernet.tag().id();
        if (!tables.local.hasOnWire(message.target(), vlan)) {
            return;
        }
        if (message.isDuplicateCheck() || tables.local.hasOnWire(message.source(), vlan)) {
            tables.counts.add(NicCounter.ADDRESS_CONFLICTS);
        }
        Optional<MacAddress> told = message.linkAddress();
        if (!message.isDuplicateCheck() && told.isPresent() && isOnLink(message.source(), vlan)) {
            Hop.Neighbour sender = new Hop.Neighbour(message.source(), vlan);
            tables.neighbours.heard(sender, told.get(), true, turn.nowNs(), egress.asking(turn));
        }
        MacAddress to = message.isDuplicateCheck()
                ? LocalAddresses.groupMac(NeighbourMessage.ALL_NODES)
                : told.filter(NeighbourTalk::isPossible).orElse(ethernet.source());
        tables.counts.add(NicCounter.ND_ANSWERED);
        egress.neighbour(message.answer(tables.local.mac()), to, ethernet.tag(), turn);
    }

    private void advertised(EthernetHeader ethernet, Advertisement message, Turn turn) {
        int vlan = ethernet.tag().id();
        if (tables.local.hasOnWire(message.target(), vlan)) {
            tables.counts.add(NicCounter.ADDRESS_CONFLICTS);
            return;
        }
        Hop.Neighbour told = new Hop.Neighbour(message.target(), vlan);
        tables.neighbours.advertised(told, message, turn.nowNs(), egress.asking(turn));
    }

    /** Whether we would reach this address directly; nobody else's word about where it is matters to us. */
    private boolean isOnLink(IpAddress address, int vlan) {
        return tables.routes.to(address, vlan).equals(Optional.of(new Hop.Neighbour(address, vlan)));
    }

    private static boolean isPossible(MacAddress mac) {
        return !mac.isGroup() && !mac.equals(MacAddress.ZERO);
    }
}
