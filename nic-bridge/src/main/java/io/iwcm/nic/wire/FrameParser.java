package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.EthernetHeader.TYPE_ARP;
import static io.iwcm.nic.wire.EthernetHeader.TYPE_IPV4;
import static io.iwcm.nic.wire.EthernetHeader.TYPE_IPV6;
import static io.iwcm.nic.wire.EthernetHeader.TYPE_VLAN;

/**
 * Reads received frames. Never throws, whatever the octets: a frame is understood or dropped by name.
 *
 * <p>The result keeps windows onto the frame instead of copies, so nobody may write to the frame afterwards. Whether the
 * destination MAC, the VLAN and the IP address are ours is not asked here.
 */
public final class FrameParser {

    private static final int TYPE_SERVICE_VLAN = 0x88a8;
    private static final int TYPE_SERVICE_VLAN_OLD = 0x9100;
    private static final int VLAN_ID_RESERVED = 0xfff;

    private FrameParser() {}

    /** Reads a frame that came from a link. */
    public static Parsed parse(byte[] frame) {
        return parse(frame, Origin.WIRE);
    }

    /** Reads a frame, Ethernet header first, without FCS; padding behind the IP packet is ignored. */
    public static Parsed parse(byte[] frame, Origin origin) {
        if (frame.length < EthernetHeader.LENGTH) {
            return Parsed.Dropped.of(Drop.ETH_TRUNCATED);
        }
        MacAddress destination = BigEndian.macAt(frame, 0);
        MacAddress source = BigEndian.macAt(frame, 6);
        if (source.isGroup()) {
            return Parsed.Dropped.of(Drop.ETH_BAD_SOURCE);
        }
        int type = BigEndian.shortAt(frame, 12);
        if (type != TYPE_VLAN) {
            var ethernet = new EthernetHeader(destination, source, EthernetHeader.NO_TAG);
            return payload(new Frame(frame, ethernet, origin), type, EthernetHeader.LENGTH);
        }
        if (frame.length < EthernetHeader.LENGTH + EthernetHeader.TAG_LENGTH) {
            return Parsed.Dropped.of(Drop.VLAN_TRUNCATED);
        }
        VlanTag tag = VlanTag.ofControl(BigEndian.shortAt(frame, 14));
        int inner = BigEndian.shortAt(frame, 16);
        if (tag.id() == VLAN_ID_RESERVED) {
            return Parsed.Dropped.of(Drop.VLAN_RESERVED);
        }
        if (inner == TYPE_VLAN) {
            return Parsed.Dropped.of(Drop.VLAN_STACKED);
        }
        var ethernet = new EthernetHeader(destination, source, tag);
        return payload(new Frame(frame, ethernet, origin), inner, EthernetHeader.LENGTH + EthernetHeader.TAG_LENGTH);
    }

    private static Parsed payload(Frame frame, int type, int at) {
        return switch (type) {
            case TYPE_IPV4 -> Ipv4Reader.read(frame, at);
            case TYPE_IPV6 -> Ipv6Reader.read(frame, at);
            case TYPE_ARP -> ArpReader.read(frame, at);
            // A service tag promises a second one; what it carries is another network's business.
            case TYPE_SERVICE_VLAN, TYPE_SERVICE_VLAN_OLD -> Parsed.Dropped.of(Drop.VLAN_STACKED);
            default -> Parsed.Dropped.of(Drop.ETH_UNKNOWN_TYPE);
        };
    }
}
