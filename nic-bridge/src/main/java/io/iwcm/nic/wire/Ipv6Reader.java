package io.iwcm.nic.wire;

/**
 * Reads an IPv6 header and walks its extension headers (RFC 8200 §4) to the payload. Read are hop-by-hop and destination
 * options and routing headers that have nothing left to visit; fragments are dropped, the atomic ones of RFC 6946 too.
 */
final class Ipv6Reader {

    /** More than any honest sender needs; RFC 8504 §5.3 allows a limit. */
    static final int EXTENSIONS_MAX = 8;

    private static final int HEADER = 40;
    private static final int EXTENSION_UNIT = 8;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int PAD1 = 0;
    private static final int ACTION_BITS = 0xc0;

    private Ipv6Reader() {}

    static Parsed read(Frame frame, int at) {
        byte[] bytes = frame.bytes();
        if (bytes.length - at < HEADER) {
            return Parsed.Dropped.of(Drop.IPV6_TRUNCATED);
        }
        int first = BigEndian.intAt(bytes, at);
        if (first >>> 28 != 6) {
            return Parsed.Dropped.of(Drop.IPV6_BAD_VERSION);
        }
        int end = at + HEADER + BigEndian.shortAt(bytes, at + 4);
        if (end > bytes.length) {
            return Parsed.Dropped.of(Drop.IPV6_BAD_PAYLOAD_LENGTH);
        }
        int type = BigEndian.octetAt(bytes, at + 6);
        int next = at + HEADER;
        for (int walked = 0; isExtension(type); walked++) {
            Drop fault = walked == EXTENSIONS_MAX ? Drop.IPV6_EXTENSION_LIMIT : fault(type, walked, bytes, next, end);
            if (fault != Drop.NONE) {
                return Parsed.Dropped.of(fault);
            }
            type = BigEndian.octetAt(bytes, next);
            next += extensionLength(bytes, next);
        }
        return new IpPacket(
                        BigEndian.ipv6At(bytes, at + 8),
                        BigEndian.ipv6At(bytes, at + 24),
                        first >>> 20 & 0xff,
                        BigEndian.octetAt(bytes, at + 7),
                        type,
                        next,
                        end - next)
                .read(frame);
    }

    private static boolean isExtension(int type) {
        return type == HOP_BY_HOP || type == ROUTING || type == FRAGMENT || type == DESTINATION_OPTIONS;
    }

    private static int extensionLength(byte[] bytes, int at) {
        return (BigEndian.octetAt(bytes, at + 1) + 1) * EXTENSION_UNIT;
    }

    /** What speaks against this extension header; {@link Drop#NONE}: it lies within the packet and can be skipped. */
    private static Drop fault(int type, int walked, byte[] bytes, int at, int end) {
        if (type == FRAGMENT) {
            return Drop.IPV6_FRAGMENT;
        }
        boolean isCut = end - at < EXTENSION_UNIT || end - at < extensionLength(bytes, at);
        // RFC 8200 §4.1: hop-by-hop options stand directly behind the IPv6 header or nowhere.
        if (isCut || (type == HOP_BY_HOP && walked > 0)) {
            return Drop.IPV6_BAD_EXTENSION;
        }
        if (type == ROUTING) {
            return BigEndian.octetAt(bytes, at + 3) == 0 ? Drop.NONE : Drop.IPV6_ROUTED;
        }
        return optionsFault(bytes, at + 2, at + extensionLength(bytes, at));
    }

    /**
     * RFC 8200 §4.2: an unknown option is skipped only when its two highest bits are 00. That also drops what would change
     * the addresses that the TCP checksum is made of (home address, RFC 6275 §6.3), and jumbograms.
     */
    private static Drop optionsFault(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end) {
            int type = BigEndian.octetAt(bytes, at);
            if (type == PAD1) {
                at++;
                continue;
            }
            if ((type & ACTION_BITS) != 0) {
                return Drop.IPV6_BAD_OPTION;
            }
            if (end - at < 2 || end - at - 2 < BigEndian.octetAt(bytes, at + 1)) {
                return Drop.IPV6_BAD_EXTENSION;
            }
            at += 2 + BigEndian.octetAt(bytes, at + 1);
        }
        return Drop.NONE;
    }
}
