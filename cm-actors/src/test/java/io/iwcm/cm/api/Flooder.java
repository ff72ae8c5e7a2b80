package io.iwcm.cm.api;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import io.iwcm.nic.wire.VlanTag;
import java.util.ArrayList;
import java.util.List;

/** A host that opens TCP connections and never says another word, except that it has the address it uses. */
final class Flooder {

    private static final String ADDRESS = "10.0.0.9";

    private final Link link;
    private final MacAddress mac;

    Flooder(Link link, MacAddress mac) {
        this.link = link;
        this.mac = mac;
        link.start(batch -> batch.forEach(this::answerArp));
    }

    private void answerArp(byte[] frame) {
        if (FrameParser.parse(frame) instanceof Parsed.Arp(EthernetHeader ethernet, ArpPacket packet)
                && packet.operation() == ArpPacket.Operation.REQUEST
                && packet.targetIp().toString().equals(ADDRESS)) {
            ArpPacket reply = new ArpPacket(
                    ArpPacket.Operation.REPLY, mac, packet.targetIp(), packet.senderMac(), packet.senderIp());
            link.transmit(List.of(FrameEncoder.arp(
                    new EthernetHeader(ethernet.source(), mac, new VlanTag(0, false, VlanTag.UNTAGGED)), reply)));
        }
    }

    /** As many SYNs, each from a port of its own. */
    void flood(int firstPort, MacAddress toMac, String to, int count) {
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            FlowKey flow = new FlowKey(new Endpoint(Flows.ip(ADDRESS), firstPort + i), Flows.end(to), VlanTag.UNTAGGED);
            Segment syn = new Segment(
                    new SeqNum(i * 77), new SeqNum(0), Segment.SYN, 65_535, TcpOptions.ofSyn(1460, 7), Octets.EMPTY);
            batch.add(FrameEncoder.tcp(new TcpFrame(new TcpFrame.Addressing(mac, toMac, flow, 0, 0), syn), i));
        }
        link.transmit(batch);
    }
}
