package io.iwcm.nic.wire;

/**
 * An IP packet whose headers have been walked: what its payload's reader needs to know.
 *
 * @param source source address
 * @param destination destination address
 * @param trafficClass IPv4 TOS or IPv6 traffic class
 * @param hopLimit IPv4 TTL or IPv6 hop limit
 * @param protocol what the payload is
 * @param at where the payload starts in the frame
 * @param length the payload's length in octets by the IP header, whatever the frame is padded to
 */
record IpPacket(
        IpAddress source, IpAddress destination, int trafficClass, int hopLimit, int protocol, int at, int length) {

    static final int ICMP = 1;
    static final int TCP = 6;
    static final int ICMPV6 = 58;

    Parsed read(Frame frame) {
        if (isForgedSource(frame.origin())) {
            return Parsed.Dropped.of(Drop.IP_BAD_SOURCE);
        }
        return switch (protocol) {
            case TCP -> TcpReader.read(frame, this);
            case ICMP -> source.isV4() ? IcmpReader.read(frame, this) : Parsed.Dropped.of(Drop.IP_UNKNOWN_PROTOCOL);
            case ICMPV6 -> source.isV4() ? Parsed.Dropped.of(Drop.IP_UNKNOWN_PROTOCOL) : Icmpv6Reader.read(frame, this);
            default -> Parsed.Dropped.of(Drop.IP_UNKNOWN_PROTOCOL);
        };
    }

    /** Whether the octets from {@code at} on are the ones their checksum was made of. */
    boolean isIntact(byte[] bytes) {
        return Checksum.isIntact(
                Checksum.pseudoHeader(source, destination, protocol, length) + Checksum.sum(bytes, at, length));
    }

    /** RFC 1122 §3.2.1.3, RFC 4291 §2.5.2, §2.7. A sender without an address may only speak ICMPv6 (RFC 4862 §5.4). */
    private boolean isForgedSource(Origin origin) {
        return source.isMulticast()
                || (source.isUnspecified() && protocol != ICMPV6)
                || (source.isLoopback() && origin == Origin.WIRE)
                || switch (source) {
                    case Ipv4Address v4 -> v4.isLimitedBroadcast();
                    case Ipv6Address v6 -> v6.isV4Mapped();
                };
    }

    /** Whether no TCP connection can have this destination (RFC 9293 §3.9.2.3, MUST-57). */
    boolean isImpossibleTcpDestination(Origin origin) {
        return destination.isMulticast()
                || destination.isUnspecified()
                || (destination.isLoopback() && origin == Origin.WIRE)
                || switch (destination) {
                    case Ipv4Address v4 -> v4.isLimitedBroadcast();
                    case Ipv6Address v6 -> v6.isV4Mapped();
                };
    }
}
