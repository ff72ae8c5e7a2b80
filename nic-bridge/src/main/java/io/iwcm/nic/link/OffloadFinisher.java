package io.iwcm.nic.link;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does by hand what a sender or the kernel left to a network card: the checksums of TCP and UDP, and cutting a TCP segment
 * that is larger than the MTU into ones that fit. Frames that it cannot read pass as they are: judging them is not a link's
 * business.
 */
final class OffloadFinisher {

    private static final int TYPE = 12;
    private static final int TAG = 4;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int V6_HEADER = 40;
    private static final int TCP = 6;
    private static final int TCP_CHECKSUM = 16;
    private static final int TCP_SEQUENCE = 4;
    private static final int TCP_OFFSET = 12;
    private static final int TCP_FLAGS = 13;
    private static final int TCP_FIN_PSH = 0x09;
    private static final int TCP_CWR = 0x80;
    private static final int UDP = 17;
    private static final int UDP_CHECKSUM = 6;

    private OffloadFinisher() {}

    /**
     * Frames that stand for the one given, none larger than the MTU if that can be.
     *
     * @param frame is written to when its checksum is finished in place
     */
    static List<byte[]> finished(byte[] frame, int mtu) {
        Layers layers = Layers.of(frame);
        if (layers == null) {
            return List.of(frame);
        }
        if (frame.length - layers.ip > mtu && layers.protocol == TCP) {
            return segments(frame, layers, mtu);
        }
        finish(frame, layers);
        return List.of(frame);
    }

    /** Where a frame's headers are, all of them whole; null when it is not TCP or UDP over IP, or a fragment. */
    private record Layers(int ip, boolean v6, int transport, int protocol, int end) {

        static @Nullable Layers of(byte[] frame) {
            int type = TYPE;
            while (frame.length >= type + 2 + TAG && isTag(u16(frame, type))) {
                type += TAG;
            }
            int ip = type + 2;
            if (frame.length < ip) {
                return null;
            }
            return switch (u16(frame, type)) {
                case IPV4 -> v4(frame, ip);
                case IPV6 -> v6(frame, ip);
                default -> null;
            };
        }

        private static boolean isTag(int type) {
            return type == 0x8100 || type == 0x88a8;
        }

        private static @Nullable Layers v4(byte[] frame, int ip) {
            if (frame.length < ip + 20) {
                return null;
            }
            int header = (frame[ip] & 0x0f) * 4;
            int end = ip + u16(frame, ip + 2);
            boolean fragment = (u16(frame, ip + 6) & 0x3fff) != 0;
            return header < 20 || fragment || end > frame.length
                    ? null
                    : transport(frame, new Layers(ip, false, ip + header, frame[ip + 9] & 0xff, end));
        }

        private static @Nullable Layers v6(byte[] frame, int ip) {
            if (frame.length < ip + V6_HEADER) {
                return null;
            }
            int end = ip + V6_HEADER + u16(frame, ip + 4);
            return end > frame.length
                    ? null
                    : transport(frame, new Layers(ip, true, ip + V6_HEADER, frame[ip + 6] & 0xff, end));
        }

        private static @Nullable Layers transport(byte[] frame, Layers layers) {
            int at = layers.transport;
            return switch (layers.protocol) {
                case TCP -> {
                    boolean whole = layers.end >= at + 20;
                    int header = whole ? (frame[at + TCP_OFFSET] & 0xf0) >>> 2 : 0;
                    yield header >= 20 && layers.end >= at + header ? layers : null;
                }
                case UDP -> layers.end >= at + 8 ? layers : null;
                default -> null;
            };
        }
    }

    private static List<byte[]> segments(byte[] frame, Layers layers, int mtu) {
        int header = (frame[layers.transport + TCP_OFFSET] & 0xf0) >>> 2;
        int data = layers.transport + header;
        int most = mtu - (data - layers.ip);
        if (most < 1) {
            return List.of(frame);
        }
        int flags = frame[layers.transport + TCP_FLAGS] & 0xff;
        int sequence = i32(frame, layers.transport + TCP_SEQUENCE);
        List<byte[]> segments = new ArrayList<>();
        for (int from = data; from < layers.end; from += most) {
            int to = Math.min(from + most, layers.end);
            byte[] segment = new byte[data + to - from];
            System.arraycopy(frame, 0, segment, 0, data);
            System.arraycopy(frame, from, segment, data, to - from);
            putU32(segment, layers.transport + TCP_SEQUENCE, sequence + from - data);
            int own = flags;
            own &= to < layers.end ? ~TCP_FIN_PSH : ~0;
            own &= from > data ? ~TCP_CWR : ~0;
            segment[layers.transport + TCP_FLAGS] = (byte) own;
            if (layers.v6) {
                putU16(segment, layers.ip + 4, segment.length - layers.ip - V6_HEADER);
            } else {
                putU16(segment, layers.ip + 2, segment.length - layers.ip);
                putU16(segment, layers.ip + 4, u16(frame, layers.ip + 4) + segments.size());
                putU16(segment, layers.ip + 10, 0);
                putU16(segment, layers.ip + 10, ~sum(segment, layers.ip, layers.transport, 0));
            }
            finish(segment, new Layers(layers.ip, layers.v6, layers.transport, TCP, segment.length));
            segments.add(segment);
        }
        return segments;
    }

    /** Over the pseudo header of RFC 9293 §3.1 and RFC 8200 §8.1. */
    private static void finish(byte[] frame, Layers layers) {
        int at = layers.transport + (layers.protocol == TCP ? TCP_CHECKSUM : UDP_CHECKSUM);
        int addresses = layers.v6 ? layers.ip + 8 : layers.ip + 12;
        int addressesEnd = addresses + (layers.v6 ? 32 : 8);
        putU16(frame, at, 0);
        int pseudo = sum(frame, addresses, addressesEnd, layers.protocol + layers.end - layers.transport);
        int checksum = ~sum(frame, layers.transport, layers.end, pseudo) & 0xffff;
        putU16(frame, at, layers.protocol == UDP && checksum == 0 ? 0xffff : checksum);
    }

    /** RFC 1071, not inverted. */
    private static int sum(byte[] octets, int from, int to, int start) {
        long sum = start;
        int at = from;
        for (; at + 1 < to; at += 2) {
            sum += u16(octets, at);
        }
        if (at < to) {
            sum += (octets[at] & 0xff) << 8;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (int) sum;
    }

    private static int u16(byte[] octets, int at) {
        return (octets[at] & 0xff) << 8 | (octets[at + 1] & 0xff);
    }

    private static int i32(byte[] octets, int at) {
        return u16(octets, at) << 16 | u16(octets, at + 2);
    }

    private static void putU16(byte[] octets, int at, int value) {
        octets[at] = (byte) (value >>> 8);
        octets[at + 1] = (byte) value;
    }

    private static void putU32(byte[] octets, int at, int value) {
        putU16(octets, at, value >>> 16);
        putU16(octets, at + 2, value);
    }
}
