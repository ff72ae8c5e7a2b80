package io.iwcm.nic.wire;

/** Reads an ARP packet (RFC 826), IPv4 on Ethernet only. */
final class ArpReader {

    static final int LENGTH = 28;
    static final int HARDWARE_ETHERNET = 1;
    static final int REQUEST = 1;
    static final int REPLY = 2;
    /** Lengths of a MAC and an IPv4 address, as one 16-bit field. */
    static final int ADDRESS_LENGTHS = 0x0604;

    private ArpReader() {}

    static Parsed read(Frame frame, int at) {
        byte[] bytes = frame.bytes();
        if (bytes.length - at < LENGTH
                || BigEndian.shortAt(bytes, at) != HARDWARE_ETHERNET
                || BigEndian.shortAt(bytes, at + 2) != EthernetHeader.TYPE_IPV4
                || BigEndian.shortAt(bytes, at + 4) != ADDRESS_LENGTHS) {
            return Parsed.Dropped.of(Drop.ARP_MALFORMED);
        }
        return switch (BigEndian.shortAt(bytes, at + 6)) {
            case REQUEST -> read(frame, at, ArpPacket.Operation.REQUEST);
            case REPLY -> read(frame, at, ArpPacket.Operation.REPLY);
            default -> Parsed.Dropped.of(Drop.ARP_UNUSED);
        };
    }

    private static Parsed read(Frame frame, int at, ArpPacket.Operation operation) {
        byte[] bytes = frame.bytes();
        var packet = new ArpPacket(
                operation,
                BigEndian.macAt(bytes, at + 8),
                BigEndian.ipv4At(bytes, at + 14),
                BigEndian.macAt(bytes, at + 18),
                BigEndian.ipv4At(bytes, at + 24));
        return isPossibleSender(packet)
                ? new Parsed.Arp(frame.ethernet(), packet)
                : Parsed.Dropped.of(Drop.ARP_INVALID);
    }

    /** RFC 1812 §3.3.2: no group address is believed; only a probe may come from 0.0.0.0 (RFC 5227 §1.1). */
    private static boolean isPossibleSender(ArpPacket packet) {
        MacAddress mac = packet.senderMac();
        Ipv4Address ip = packet.senderIp();
        return !mac.isGroup()
                && !mac.equals(MacAddress.ZERO)
                && !ip.isMulticast()
                && !ip.isLimitedBroadcast()
                && !ip.isLoopback()
                && (!ip.isUnspecified() || packet.isProbe());
    }
}
