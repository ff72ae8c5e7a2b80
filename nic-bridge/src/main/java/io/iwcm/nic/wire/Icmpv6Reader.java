package io.iwcm.nic.wire;

import io.iwcm.nic.wire.Parsed.IcmpError.Kind;
import java.util.Optional;

/** Reads ICMPv6 messages (RFC 4443) and neighbour discovery (RFC 4861). */
final class Icmpv6Reader {

    static final int ECHO_REQUEST = 128;
    static final int ECHO_REPLY = 129;
    static final int SOLICITATION = 135;
    static final int ADVERTISEMENT = 136;
    /** Type, code, checksum, flags and the target. */
    static final int ND_HEADER = 24;

    static final int FLAG_ROUTER = 0x80;
    static final int FLAG_SOLICITED = 0x40;
    static final int FLAG_OVERRIDE = 0x20;
    static final int ND_HOP_LIMIT = 255;
    static final int OPTION_UNIT = 8;
    static final int OPTION_SOURCE_LINK = 1;
    static final int OPTION_TARGET_LINK = 2;

    private static final int UNREACHABLE = 1;
    private static final int PACKET_TOO_BIG = 2;
    private static final int TIME_EXCEEDED = 3;
    private static final int PARAMETER_PROBLEM = 4;
    private static final int QUOTED_IPV6_HEADER = 40;
    private static final int QUOTED_TCP = 8;

    private Icmpv6Reader() {}

    static Parsed read(Frame frame, IpPacket ip) {
        byte[] bytes = frame.bytes();
        int at = ip.at();
        if (ip.length() < IcmpReader.HEADER) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        if (!ip.isIntact(bytes)) {
            return Parsed.Dropped.of(Drop.ICMP_BAD_CHECKSUM);
        }
        int type = BigEndian.octetAt(bytes, at);
        return switch (type) {
            case SOLICITATION -> neighbour(frame, ip, type);
            case ADVERTISEMENT,
                    ECHO_REQUEST,
                    ECHO_REPLY,
                    UNREACHABLE,
                    PACKET_TOO_BIG,
                    TIME_EXCEEDED,
                    PARAMETER_PROBLEM ->
                ip.source().isUnspecified() ? Parsed.Dropped.of(Drop.IP_BAD_SOURCE) : ofKnownSender(frame, ip, type);
            default -> Parsed.Dropped.of(Drop.ICMP_UNUSED);
        };
    }

    private static Parsed ofKnownSender(Frame frame, IpPacket ip, int type) {
        return switch (type) {
            case ADVERTISEMENT -> neighbour(frame, ip, type);
            case ECHO_REQUEST -> IcmpReader.echo(frame, ip, true);
            case ECHO_REPLY -> IcmpReader.echo(frame, ip, false);
            case UNREACHABLE -> error(frame, ip, Kind.UNREACHABLE, 0);
            case PACKET_TOO_BIG -> error(frame, ip, Kind.PACKET_TOO_BIG, mtu(frame.bytes(), ip.at() + 4));
            case TIME_EXCEEDED -> error(frame, ip, Kind.TIME_EXCEEDED, 0);
            default -> error(frame, ip, Kind.PARAMETER_PROBLEM, 0);
        };
    }

    /** 32 bits on the wire; more than an int can hold is nobody's MTU and says "no limit". */
    private static int mtu(byte[] bytes, int at) {
        int mtu = BigEndian.intAt(bytes, at);
        return mtu < 0 ? Integer.MAX_VALUE : mtu;
    }

    private static Parsed neighbour(Frame frame, IpPacket ip, int type) {
        byte[] bytes = frame.bytes();
        int at = ip.at();
        // RFC 4861 §7.1: hop limit 255 proves that no router forwarded it.
        if (ip.hopLimit() != ND_HOP_LIMIT || BigEndian.octetAt(bytes, at + 1) != 0 || ip.length() < ND_HEADER) {
            return Parsed.Dropped.of(Drop.ND_INVALID);
        }
        Ipv6Address target = BigEndian.ipv6At(bytes, at + 8);
        boolean isSolicitation = type == SOLICITATION;
        int wanted = isSolicitation ? OPTION_SOURCE_LINK : OPTION_TARGET_LINK;
        int option = findOption(wanted, bytes, at + ND_HEADER, at + ip.length());
        if (target.isMulticast() || option == MALFORMED) {
            return Parsed.Dropped.of(Drop.ND_INVALID);
        }
        var source = (Ipv6Address) ip.source();
        var destination = (Ipv6Address) ip.destination();
        Optional<MacAddress> link =
                option == MISSING ? Optional.empty() : Optional.of(BigEndian.macAt(bytes, option + 2));
        NeighbourMessage message = isSolicitation
                ? new NeighbourMessage.Solicitation(source, destination, target, link)
                : new NeighbourMessage.Advertisement(source, destination, target, link, flags(bytes[at + 4]));
        return isAllowed(message)
                ? new Parsed.Neighbour(frame.ethernet(), message)
                : Parsed.Dropped.of(Drop.ND_INVALID);
    }

    private static boolean isAllowed(NeighbourMessage message) {
        // No Ethernet frame can be sent to one neighbour by a group address, so no cache entry may hold one.
        if (message.linkAddress().map(MacAddress::isGroup).orElse(false)) {
            return false;
        }
        return switch (message) {
            case NeighbourMessage.Solicitation s ->
                !s.isDuplicateCheck()
                        || (s.destination().equals(s.target().solicitedNodeMulticast())
                                && s.linkAddress().isEmpty());
            case NeighbourMessage.Advertisement a ->
                !a.destination().isMulticast() || !a.flags().solicited();
        };
    }

    private static NeighbourMessage.Flags flags(byte octet) {
        return new NeighbourMessage.Flags(
                (octet & FLAG_ROUTER) != 0, (octet & FLAG_SOLICITED) != 0, (octet & FLAG_OVERRIDE) != 0);
    }

    private static final int MISSING = -1;
    private static final int MALFORMED = -2;

    /**
     * Where the first option of this type starts. All are checked: none of length 0, none cut short (RFC 4861 §7.1.1), and
     * a link-layer address of the one length that Ethernet has (RFC 2464 §6).
     */
    private static int findOption(int wanted, byte[] bytes, int from, int end) {
        int found = MISSING;
        for (int at = from; at < end; ) {
            if (end - at < OPTION_UNIT) {
                return MALFORMED;
            }
            int length = BigEndian.octetAt(bytes, at + 1) * OPTION_UNIT;
            boolean isWanted = BigEndian.octetAt(bytes, at) == wanted;
            if (length == 0 || length > end - at || (isWanted && length != OPTION_UNIT)) {
                return MALFORMED;
            }
            if (isWanted && found == MISSING) {
                found = at;
            }
            at += length;
        }
        return found;
    }

    private static Parsed error(Frame frame, IpPacket ip, Kind kind, int mtu) {
        byte[] bytes = frame.bytes();
        int quoted = ip.at() + IcmpReader.HEADER;
        int end = ip.at() + ip.length();
        if (end - quoted < QUOTED_IPV6_HEADER || BigEndian.octetAt(bytes, quoted) >>> 4 != 6) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        // We send no extension headers, so a quoted segment of ours has none.
        if (BigEndian.octetAt(bytes, quoted + 6) != IpPacket.TCP) {
            return Parsed.Dropped.of(Drop.ICMP_UNUSED);
        }
        if (end - quoted - QUOTED_IPV6_HEADER < QUOTED_TCP) {
            return Parsed.Dropped.of(Drop.ICMP_MALFORMED);
        }
        Ipv6Address source = BigEndian.ipv6At(bytes, quoted + 8);
        Ipv6Address destination = BigEndian.ipv6At(bytes, quoted + 24);
        return IcmpReader.error(
                frame, ip, kind, mtu, new IcmpReader.Quoted(source, destination, quoted + QUOTED_IPV6_HEADER));
    }
}
