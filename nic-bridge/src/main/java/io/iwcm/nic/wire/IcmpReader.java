package io.iwcm.nic.wire;

import io.iwcm.nic.wire.Parsed.IcmpError.Kind;

/** Reads ICMP messages (RFC 792): echo, and errors about TCP segments. The rest is counted. */
final class IcmpReader {

    static final int ECHO_REPLY = 0;
    static final int ECHO_REQUEST = 8;
    static final int HEADER = 8;
    static final int CHECKSUM = 2;

    private static final int UNREACHABLE = 3;
    private static final int FRAGMENTATION_NEEDED = 4;
    private static final int TIME_EXCEEDED = 11;
    private static final int PARAMETER_PROBLEM = 12;
    private static final int QUOTED_IPV4_HEADER_MIN = 20;
    /** Ports and sequence number: what a router must at least quote (RFC 792). */
    private static final int QUOTED_TCP = 8;

    private static final int FRAGMENT_OFFSET = 0x1fff;

    private IcmpReader() {}

    static Parsed read(Frame frame, IpPacket ip) {
        byte[] bytes = frame.bytes();
        int at = ip.at();
        if (ip.length() < HEADER) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        // No pseudo header in ICMP for IPv4.
        if (!Checksum.isIntact(Checksum.sum(bytes, at, ip.length()))) {
            return Parsed.Dropped.of(Drop.ICMP_BAD_CHECKSUM);
        }
        int code = BigEndian.octetAt(bytes, at + 1);
        return switch (BigEndian.octetAt(bytes, at)) {
            case ECHO_REQUEST -> echo(frame, ip, true);
            case ECHO_REPLY -> echo(frame, ip, false);
            case UNREACHABLE ->
                code == FRAGMENTATION_NEEDED
                        ? error(frame, ip, Kind.PACKET_TOO_BIG, BigEndian.shortAt(bytes, at + 6))
                        : error(frame, ip, Kind.UNREACHABLE, 0);
            case TIME_EXCEEDED -> error(frame, ip, Kind.TIME_EXCEEDED, 0);
            case PARAMETER_PROBLEM -> error(frame, ip, Kind.PARAMETER_PROBLEM, 0);
            // Source quench among them, which RFC 9293 MUST-55 says to discard.
            default -> Parsed.Dropped.of(Drop.ICMP_UNUSED);
        };
    }

    /** The same layout in ICMP and ICMPv6. */
    static Parsed echo(Frame frame, IpPacket ip, boolean request) {
        byte[] bytes = frame.bytes();
        int at = ip.at();
        return new Parsed.Echo(
                frame.ethernet(),
                ip.source(),
                ip.destination(),
                request,
                BigEndian.shortAt(bytes, at + 4),
                BigEndian.shortAt(bytes, at + 6),
                Octets.wrap(bytes, at + HEADER, ip.length() - HEADER));
    }

    private static Parsed error(Frame frame, IpPacket ip, Kind kind, int mtu) {
        byte[] bytes = frame.bytes();
        int quoted = ip.at() + HEADER;
        int end = ip.at() + ip.length();
        if (end - quoted < QUOTED_IPV4_HEADER_MIN || BigEndian.octetAt(bytes, quoted) >>> 4 != 4) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        int headerLength = (BigEndian.octetAt(bytes, quoted) & 0xf) << 2;
        if (headerLength < QUOTED_IPV4_HEADER_MIN) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        boolean isFirstPart = (BigEndian.shortAt(bytes, quoted + 6) & FRAGMENT_OFFSET) == 0;
        if (BigEndian.octetAt(bytes, quoted + 9) != IpPacket.TCP || !isFirstPart) {
            return Parsed.Dropped.of(Drop.ICMP_UNUSED);
        }
        if (end - quoted - headerLength < QUOTED_TCP) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        Ipv4Address source = BigEndian.ipv4At(bytes, quoted + 12);
        Ipv4Address destination = BigEndian.ipv4At(bytes, quoted + 16);
        return error(frame, ip, kind, mtu, new Quoted(source, destination, quoted + headerLength));
    }

    /** The segment that an error quotes: addresses as in its IP header, and where in the frame its TCP header starts. */
    record Quoted(IpAddress source, IpAddress destination, int tcpAt) {}

    static Parsed error(Frame frame, IpPacket ip, Kind kind, int mtu, Quoted quoted) {
        byte[] bytes = frame.bytes();
        int at = quoted.tcpAt();
        var flow = new FlowKey(
                new Endpoint(quoted.source(), BigEndian.shortAt(bytes, at)),
                new Endpoint(quoted.destination(), BigEndian.shortAt(bytes, at + 2)),
                frame.ethernet().tag().id());
        return new Parsed.IcmpError(
                frame.ethernet(),
                ip.source(),
                kind,
                BigEndian.octetAt(bytes, ip.at() + 1),
                mtu,
                flow,
                new SeqNum(BigEndian.intAt(bytes, at + 4)));
    }
}
