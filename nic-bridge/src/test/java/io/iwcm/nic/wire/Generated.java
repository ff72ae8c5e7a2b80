package io.iwcm.nic.wire;

import java.util.Optional;
import java.util.SplittableRandom;

/** Random values that a wire can carry, from a seed. */
final class Generated {

    private static final int[] FLAGS = {
        Segment.SYN,
        Segment.SYN | Segment.ACK,
        Segment.ACK,
        Segment.RST,
        Segment.RST | Segment.ACK,
        Segment.FIN | Segment.ACK
    };
    private static final int DECORATION = Segment.PSH | Segment.URG | Segment.ECE | Segment.CWR;

    private final SplittableRandom random;

    Generated(long seed) {
        random = new SplittableRandom(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean flip() {
        return random.nextBoolean();
    }

    byte[] octets(int length) {
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        return octets;
    }

    /** A frame of ours to some peer. */
    TcpFrame tcpFrame() {
        boolean v4 = flip();
        var flow = new FlowKey(endpoint(v4), endpoint(v4), flip() ? 0 : below(4095));
        var addressing = new TcpFrame.Addressing(mac(), mac(), flow, below(8), below(256));
        return new TcpFrame(addressing, segment());
    }

    Segment segment() {
        int flags = FLAGS[below(FLAGS.length)] | below(256) & DECORATION;
        int payload = below(4) == 0 ? below(1461) : below(40);
        return new Segment(
                new SeqNum(random.nextInt()),
                new SeqNum(random.nextInt()),
                flags,
                below(65_536),
                options(),
                Octets.wrap(octets(payload)));
    }

    TcpOptions options() {
        int mss = flip() ? TcpOptions.ABSENT : 1 + below(65_535);
        int scale = flip() ? TcpOptions.ABSENT : below(256);
        return new TcpOptions(mss, scale, false);
    }

    Endpoint endpoint(boolean v4) {
        return new Endpoint(v4 ? ipv4() : ipv6(), 1 + below(65_535));
    }

    Ipv4Address ipv4() {
        return new Ipv4Address(10 << 24 | below(1 << 24));
    }

    Ipv6Address ipv6() {
        long high = flip() ? 0xfe80_0000_0000_0000L : 0xfd00_0000_0000_0000L | random.nextInt(1 << 20);
        return new Ipv6Address(high, random.nextLong());
    }

    MacAddress mac() {
        return new MacAddress(random.nextLong() >>> 16 & ~0x0100_0000_0000L | 0x0200_0000_0000L);
    }

    EthernetHeader ethernet() {
        return new EthernetHeader(flip() ? MacAddress.BROADCAST : mac(), mac(), flip() ? EthernetHeader.NO_TAG : tag());
    }

    private VlanTag tag() {
        // The DEI bit alone makes no tag worth sending.
        return new VlanTag(1 + below(7), flip(), below(4095));
    }

    ArpPacket arp() {
        var operation = flip() ? ArpPacket.Operation.REQUEST : ArpPacket.Operation.REPLY;
        return new ArpPacket(operation, mac(), ipv4(), mac(), ipv4());
    }

    NeighbourMessage neighbour() {
        Optional<MacAddress> link = flip() ? Optional.of(mac()) : Optional.empty();
        return flip()
                ? new NeighbourMessage.Solicitation(ipv6(), ipv6(), ipv6(), link)
                : new NeighbourMessage.Advertisement(
                        ipv6(), ipv6(), ipv6(), link, new NeighbourMessage.Flags(flip(), flip(), flip()));
    }

    Parsed.Echo echo() {
        boolean v4 = flip();
        return new Parsed.Echo(
                ethernet(),
                v4 ? ipv4() : ipv6(),
                v4 ? ipv4() : ipv6(),
                flip(),
                below(65_536),
                below(65_536),
                Octets.wrap(octets(below(200))));
    }
}
