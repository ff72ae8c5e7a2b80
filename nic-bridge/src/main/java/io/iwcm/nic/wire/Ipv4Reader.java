package io.iwcm.nic.wire;

/** Reads an IPv4 header (RFC 791), options skipped by its length. */
final class Ipv4Reader {

    private static final int HEADER_MIN = 20;
    private static final int MORE_FRAGMENTS_OR_OFFSET = 0x3fff;

    private Ipv4Reader() {}

    static Parsed read(Frame frame, int at) {
        byte[] bytes = frame.bytes();
        int available = bytes.length - at;
        if (available < HEADER_MIN) {
            return Parsed.Dropped.of(Drop.IPV4_TRUNCATED);
        }
        int first = BigEndian.octetAt(bytes, at);
        if (first >>> 4 != 4) {
            return Parsed.Dropped.of(Drop.IPV4_BAD_VERSION);
        }
        int headerLength = (first & 0xf) << 2;
        if (headerLength < HEADER_MIN || headerLength > available) {
            return Parsed.Dropped.of(Drop.IPV4_BAD_HEADER_LENGTH);
        }
        int totalLength = BigEndian.shortAt(bytes, at + 2);
        if (totalLength < headerLength || totalLength > available) {
            return Parsed.Dropped.of(Drop.IPV4_BAD_TOTAL_LENGTH);
        }
        if (!Checksum.isIntact(Checksum.sum(bytes, at, headerLength))) {
            return Parsed.Dropped.of(Drop.IPV4_BAD_CHECKSUM);
        }
        if ((BigEndian.shortAt(bytes, at + 6) & MORE_FRAGMENTS_OR_OFFSET) != 0) {
            return Parsed.Dropped.of(Drop.IPV4_FRAGMENT);
        }
        return new IpPacket(
                        BigEndian.ipv4At(bytes, at + 12),
                        BigEndian.ipv4At(bytes, at + 16),
                        BigEndian.octetAt(bytes, at + 1),
                        BigEndian.octetAt(bytes, at + 8),
                        BigEndian.octetAt(bytes, at + 9),
                        at + headerLength,
                        totalLength - headerLength)
                .read(frame);
    }
}
