package io.iwcm.nic.wire;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * Frames put together octet by octet, with a checksum written down the slow way: nothing of it is shared with what is
 * tested. Untagged frames have IP at {@link #IP}; TCP follows at {@link #TCP_V4} or {@link #TCP_V6}.
 */
final class RawFrames {

    static final int IP = 14;
    static final int TCP_V4 = 34;
    static final int TCP_V6 = 54;

    static final MacAddress OURS = MacAddress.parse("02:00:00:00:00:01");
    static final MacAddress PEER = MacAddress.parse("02:00:00:00:00:02");
    static final Ipv4Address OUR_V4 = Ipv4Address.parse("10.0.0.1");
    static final Ipv4Address PEER_V4 = Ipv4Address.parse("10.0.0.2");
    static final Ipv6Address OUR_V6 = Ipv6Address.parse("fd00::1");
    static final Ipv6Address PEER_V6 = Ipv6Address.parse("fd00::2");

    static final int ICMP = 1;
    static final int TCP = 6;
    static final int ICMPV6 = 58;

    private RawFrames() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** From the peer to us. */
    static byte[] ethernet(int type, byte[] payload) {
        return join(hex("020000000001 020000000002"), octets16(type), payload);
    }

    static byte[] tagged(int control, int type, byte[] payload) {
        return ethernet(0x8100, join(octets16(control), octets16(type), payload));
    }

    /** A frame with one tag put into it. */
    static byte[] tagged(int control, byte[] untagged) {
        return tagged(control, shortAt(untagged, 12), cut(untagged, IP, untagged.length));
    }

    static byte[] ipv4(int protocol, byte[] payload) {
        return ipv4(PEER_V4, OUR_V4, new byte[0], protocol, payload);
    }

    static byte[] ipv4(Ipv4Address from, Ipv4Address to, byte[] options, int protocol, byte[] payload) {
        int headerLength = 20 + options.length;
        byte[] header = join(
                new byte[] {(byte) (0x40 | headerLength / 4), 0},
                octets16(headerLength + payload.length),
                hex("0007 4000 40"),
                new byte[] {(byte) protocol, 0, 0},
                from.toBytes(),
                to.toBytes(),
                options);
        put16(header, 10, checksum(header));
        return ethernet(0x0800, join(header, payload));
    }

    static byte[] ipv6(int nextHeader, byte[] payload) {
        return ipv6(PEER_V6, OUR_V6, 64, nextHeader, payload);
    }

    static byte[] ipv6(Ipv6Address from, Ipv6Address to, int hopLimit, int nextHeader, byte[] payload) {
        return ethernet(
                0x86dd,
                join(
                        hex("60000000"),
                        octets16(payload.length),
                        new byte[] {(byte) nextHeader, (byte) hopLimit},
                        from.toBytes(),
                        to.toBytes(),
                        payload));
    }

    /** A TCP segment 40000 -> 4420, seq 1000, ack 2000, window 512, for these addresses. */
    static byte[] segment(IpAddress from, IpAddress to, int flags, byte[] options, byte[] payload) {
        byte[] segment = join(
                hex("9c40 1144 000003e8 000007d0"),
                new byte[] {(byte) ((20 + options.length) / 4 << 4), (byte) flags},
                hex("0200 0000 0000"),
                options,
                payload);
        put16(segment, 16, checksum(join(pseudoHeader(from, to, TCP, segment.length), segment)));
        return segment;
    }

    static byte[] tcpV4(int flags, byte[] options, byte[] payload) {
        return ipv4(TCP, segment(PEER_V4, OUR_V4, flags, options, payload));
    }

    static byte[] tcpV6(int flags, byte[] options, byte[] payload) {
        return ipv6(TCP, segment(PEER_V6, OUR_V6, flags, options, payload));
    }

    static byte[] synV4() {
        return tcpV4(Segment.SYN, hex("020405b4 01030307"), new byte[0]);
    }

    static byte[] synV6() {
        return tcpV6(Segment.SYN, hex("020405a0 01030307"), new byte[0]);
    }

    /** An ICMP message whose checksum octets are zero, sealed. */
    static byte[] icmp(byte[] message) {
        byte[] sealed = message.clone();
        put16(sealed, 2, checksum(sealed));
        return ipv4(ICMP, sealed);
    }

    static byte[] icmpv6(byte[] message) {
        return icmpv6(PEER_V6, OUR_V6, 255, message);
    }

    static byte[] icmpv6(Ipv6Address from, Ipv6Address to, int hopLimit, byte[] message) {
        byte[] sealed = message.clone();
        put16(sealed, 2, checksum(join(pseudoHeader(from, to, ICMPV6, sealed.length), sealed)));
        return ipv6(from, to, hopLimit, ICMPV6, sealed);
    }

    static byte[] pseudoHeader(IpAddress from, IpAddress to, int protocol, int length) {
        byte[] rest = from.isV4()
                ? join(new byte[] {0, (byte) protocol}, octets16(length))
                : join(octets16(0), octets16(length), new byte[] {0, 0, 0, (byte) protocol});
        return join(from.toBytes(), to.toBytes(), rest);
    }

    /** RFC 1071 §1 to the letter: 16-bit words, every carry put back at once. */
    static int checksum(byte[] octets) {
        int sum = 0;
        for (int i = 0; i < octets.length; i += 2) {
            int low = i + 1 < octets.length ? octets[i + 1] & 0xff : 0;
            sum += (octets[i] & 0xff) << 8 | low;
            if (sum > 0xffff) {
                sum -= 0xffff;
            }
        }
        return ~sum & 0xffff;
    }

    /** The frame with these octets from {@code at} on. */
    static byte[] with(byte[] frame, int at, int... octets) {
        byte[] changed = frame.clone();
        for (int i = 0; i < octets.length; i++) {
            changed[at + i] = (byte) octets[i];
        }
        return changed;
    }

    /** The untagged IPv4 frame with its header checksum made right again, where its IHL lies within the frame. */
    static byte[] resealedIpv4(byte[] frame) {
        byte[] changed = with(frame, IP + 10, 0, 0);
        int headerLength = Math.min((frame[IP] & 0xf) * 4, frame.length - IP);
        put16(changed, IP + 10, checksum(cut(changed, IP, IP + headerLength)));
        return changed;
    }

    /** The untagged IPv4 or IPv6 frame with its TCP checksum made right again for the length its IP header tells. */
    static byte[] resealedTcp(byte[] frame) {
        boolean isV4 = shortAt(frame, 12) == 0x0800;
        int at = isV4 ? IP + (frame[IP] & 0xf) * 4 : TCP_V6;
        int end = isV4 ? IP + shortAt(frame, IP + 2) : TCP_V6 + shortAt(frame, IP + 4);
        byte[] changed = with(frame, at + 16, 0, 0);
        int from = isV4 ? IP + 12 : IP + 8;
        int width = isV4 ? 4 : 16;
        byte[] tail = isV4
                ? join(new byte[] {0, TCP}, octets16(end - at))
                : join(octets16(0), octets16(end - at), new byte[] {0, 0, 0, TCP});
        byte[] addresses = cut(frame, from, from + 2 * width);
        put16(changed, at + 16, checksum(join(addresses, tail, cut(changed, at, end))));
        return changed;
    }

    static byte[] cut(byte[] octets, int from, int to) {
        return java.util.Arrays.copyOfRange(octets, from, to);
    }

    static int shortAt(byte[] octets, int at) {
        return (octets[at] & 0xff) << 8 | octets[at + 1] & 0xff;
    }

    static byte[] octets16(int value) {
        return new byte[] {(byte) (value >>> 8), (byte) value};
    }

    static void put16(byte[] octets, int at, int value) {
        octets[at] = (byte) (value >>> 8);
        octets[at + 1] = (byte) value;
    }
}
