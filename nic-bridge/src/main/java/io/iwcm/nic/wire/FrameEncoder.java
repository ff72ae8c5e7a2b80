package io.iwcm.nic.wire;

/**
 * Turns values into frames, checksums included, each in a fresh array that has exactly the frame's length.
 *
 * <p>Short frames are not padded to Ethernet's 60 octets: that is the affair of whatever has a wire (network cards and
 * their drivers pad by themselves), and a TAP, the kernel and capture tools take short frames as they are. Nothing here
 * knows an MTU either: a frame is as long as its value asks for.
 */
public final class FrameEncoder {

    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int LENGTH_MAX = 0xffff;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int TTL = 64;
    private static final int HOP_LIMIT = 128;
    private static final int ND_LINK_OPTION = Icmpv6Reader.OPTION_UNIT;

    private FrameEncoder() {}

    /**
     * A TCP segment from the flow's local to its remote end.
     *
     * @param frame addressing and segment
     * @param ipId the IPv4 identification, of which the low 16 bits are used; without meaning for IPv6
     */
    public static byte[] tcp(TcpFrame frame, int ipId) {
        TcpFrame.Addressing addressing = frame.addressing();
        FlowKey flow = addressing.flow();
        var ethernet = new EthernetHeader(
                addressing.remoteMac(), addressing.localMac(), new VlanTag(addressing.priority(), false, flow.vlan()));
        var ip = new Ip(
                flow.local().address(),
                flow.remote().address(),
                addressing.trafficClass(),
                HOP_LIMIT,
                IpPacket.TCP,
                TcpWriter.length(frame.segment()),
                ipId);
        byte[] bytes = start(ethernet, ip);
        int at = bytes.length - ip.payloadLength();
        TcpWriter.write(frame.segment(), flow, bytes, at);
        seal(bytes, at, TcpWriter.CHECKSUM, ip);
        return bytes;
    }

    /** An ARP packet. */
    public static byte[] arp(EthernetHeader ethernet, ArpPacket packet) {
        byte[] bytes = start(ethernet, EthernetHeader.TYPE_ARP, ArpReader.LENGTH);
        int at = bytes.length - ArpReader.LENGTH;
        BigEndian.putShort(bytes, at, ArpReader.HARDWARE_ETHERNET);
        BigEndian.putShort(bytes, at + 2, EthernetHeader.TYPE_IPV4);
        BigEndian.putShort(bytes, at + 4, ArpReader.ADDRESS_LENGTHS);
        BigEndian.putShort(
                bytes,
                at + 6,
                switch (packet.operation()) {
                    case REQUEST -> ArpReader.REQUEST;
                    case REPLY -> ArpReader.REPLY;
                });
        BigEndian.putMac(bytes, at + 8, packet.senderMac());
        BigEndian.putIpv4(bytes, at + 14, packet.senderIp());
        BigEndian.putMac(bytes, at + 18, packet.targetMac());
        BigEndian.putIpv4(bytes, at + 24, packet.targetIp());
        return bytes;
    }

    /** A neighbour solicitation or advertisement, hop limit 255. */
    public static byte[] neighbour(EthernetHeader ethernet, NeighbourMessage message) {
        int length = Icmpv6Reader.ND_HEADER + (message.linkAddress().isPresent() ? ND_LINK_OPTION : 0);
        var ip = new Ip(
                message.source(), message.destination(), 0, Icmpv6Reader.ND_HOP_LIMIT, IpPacket.ICMPV6, length, 0);
        byte[] bytes = start(ethernet, ip);
        int at = bytes.length - length;
        switch (message) {
            case NeighbourMessage.Solicitation _ -> bytes[at] = (byte) Icmpv6Reader.SOLICITATION;
            case NeighbourMessage.Advertisement advertisement -> {
                bytes[at] = (byte) Icmpv6Reader.ADVERTISEMENT;
                bytes[at + 4] = (byte) octet(advertisement.flags());
            }
        }
        BigEndian.putIpv6(bytes, at + 8, message.target());
        message.linkAddress().ifPresent(mac -> {
            int option = at + Icmpv6Reader.ND_HEADER;
            bytes[option] = (byte)
                    (message instanceof NeighbourMessage.Solicitation
                            ? Icmpv6Reader.OPTION_SOURCE_LINK
                            : Icmpv6Reader.OPTION_TARGET_LINK);
            bytes[option + 1] = 1;
            BigEndian.putMac(bytes, option + 2, mac);
        });
        seal(bytes, at, IcmpReader.CHECKSUM, ip);
        return bytes;
    }

    private static int octet(NeighbourMessage.Flags flags) {
        return (flags.router() ? Icmpv6Reader.FLAG_ROUTER : 0)
                | (flags.solicited() ? Icmpv6Reader.FLAG_SOLICITED : 0)
                | (flags.override() ? Icmpv6Reader.FLAG_OVERRIDE : 0);
    }

    /**
     * An echo request or reply.
     *
     * @param echo what to send, told as it stands on the wire
     * @param ipId see {@link #tcp}
     */
    public static byte[] echo(Parsed.Echo echo, int ipId) {
        boolean isV4 = echo.source().isV4();
        int length = IcmpReader.HEADER + echo.data().length();
        int protocol = isV4 ? IpPacket.ICMP : IpPacket.ICMPV6;
        var ip = new Ip(echo.source(), echo.destination(), 0, HOP_LIMIT, protocol, length, ipId);
        byte[] bytes = start(echo.ethernet(), ip);
        int at = bytes.length - length;
        int request = isV4 ? IcmpReader.ECHO_REQUEST : Icmpv6Reader.ECHO_REQUEST;
        int reply = isV4 ? IcmpReader.ECHO_REPLY : Icmpv6Reader.ECHO_REPLY;
        bytes[at] = (byte) (echo.request() ? request : reply);
        BigEndian.putShort(bytes, at + 4, echo.identifier());
        BigEndian.putShort(bytes, at + 6, echo.sequence());
        echo.data().copyTo(bytes, at + IcmpReader.HEADER);
        if (isV4) {
            BigEndian.putShort(bytes, at + IcmpReader.CHECKSUM, Checksum.ofSum(Checksum.sum(bytes, at, length)));
        } else {
            seal(bytes, at, IcmpReader.CHECKSUM, ip);
        }
        return bytes;
    }

    /** What an IP header says; {@code hopLimit} is that of IPv6, IPv4 has {@link #TTL}. */
    private record Ip(
            IpAddress source,
            IpAddress destination,
            int trafficClass,
            int hopLimit,
            int protocol,
            int payloadLength,
            int id) {}

    /** A frame whose headers up to IP are written, its payload still zero. */
    private static byte[] start(EthernetHeader ethernet, Ip ip) {
        return switch (ip.source()) {
            case Ipv4Address source -> {
                int total = IPV4_HEADER + ip.payloadLength();
                requireFits(total);
                byte[] bytes = start(ethernet, EthernetHeader.TYPE_IPV4, total);
                writeIpv4(source, (Ipv4Address) ip.destination(), ip, bytes, bytes.length - total);
                yield bytes;
            }
            case Ipv6Address source -> {
                requireFits(ip.payloadLength());
                int total = IPV6_HEADER + ip.payloadLength();
                byte[] bytes = start(ethernet, EthernetHeader.TYPE_IPV6, total);
                writeIpv6(source, (Ipv6Address) ip.destination(), ip, bytes, bytes.length - total);
                yield bytes;
            }
        };
    }

    private static void requireFits(int length) {
        if (length > LENGTH_MAX) {
            throw new IllegalArgumentException(length + " octets do not fit an IP packet");
        }
    }

    private static byte[] start(EthernetHeader ethernet, int type, int payloadLength) {
        int header = EthernetHeader.LENGTH + (ethernet.isTagged() ? EthernetHeader.TAG_LENGTH : 0);
        byte[] bytes = new byte[header + payloadLength];
        BigEndian.putMac(bytes, 0, ethernet.destination());
        BigEndian.putMac(bytes, 6, ethernet.source());
        if (ethernet.isTagged()) {
            BigEndian.putShort(bytes, 12, EthernetHeader.TYPE_VLAN);
            BigEndian.putShort(bytes, 14, ethernet.tag().control());
        }
        BigEndian.putShort(bytes, header - 2, type);
        return bytes;
    }

    private static void writeIpv4(Ipv4Address source, Ipv4Address destination, Ip ip, byte[] bytes, int at) {
        bytes[at] = 0x45;
        bytes[at + 1] = (byte) ip.trafficClass();
        BigEndian.putShort(bytes, at + 2, IPV4_HEADER + ip.payloadLength());
        BigEndian.putShort(bytes, at + 4, ip.id());
        BigEndian.putShort(bytes, at + 6, DONT_FRAGMENT);
        bytes[at + 8] = TTL;
        bytes[at + 9] = (byte) ip.protocol();
        BigEndian.putIpv4(bytes, at + 12, source);
        BigEndian.putIpv4(bytes, at + 16, destination);
        BigEndian.putShort(bytes, at + 10, Checksum.ofSum(Checksum.sum(bytes, at, IPV4_HEADER)));
    }

    private static void writeIpv6(Ipv6Address source, Ipv6Address destination, Ip ip, byte[] bytes, int at) {
        BigEndian.putInt(bytes, at, 6 << 28 | ip.trafficClass() << 20);
        BigEndian.putShort(bytes, at + 4, ip.payloadLength());
        bytes[at + 6] = (byte) ip.protocol();
        bytes[at + 7] = (byte) ip.hopLimit();
        BigEndian.putIpv6(bytes, at + 8, source);
        BigEndian.putIpv6(bytes, at + 24, destination);
    }

    /** Writes the checksum, with pseudo header, of the payload that starts at {@code at}. */
    private static void seal(byte[] bytes, int at, int field, Ip ip) {
        long pseudo = Checksum.pseudoHeader(ip.source(), ip.destination(), ip.protocol(), ip.payloadLength());
        int checksum = Checksum.ofSum(pseudo + Checksum.sum(bytes, at, ip.payloadLength()));
        BigEndian.putShort(bytes, at + field, checksum);
    }
}
