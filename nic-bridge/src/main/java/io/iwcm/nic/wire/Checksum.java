package io.iwcm.nic.wire;

/**
 * The Internet checksum (RFC 1071): a ones' complement sum of 16-bit words, carried as a {@code long} that is folded only
 * at the end. 32-bit halves are added because 2^16 and 2^32 both are 1 modulo 65535. Made for what an IP packet can hold,
 * whose sum stays under 2^48.
 */
final class Checksum {

    private static final long HALF = 0xffff_ffffL;

    private Checksum() {}

    /** The unfolded sum of {@code length} octets; an odd last one counts as if a zero followed. */
    static long sum(byte[] bytes, int at, int length) {
        long sum = 0;
        int end = at + length;
        int i = at;
        for (; i + 8 <= end; i += 8) {
            long word = BigEndian.longAt(bytes, i);
            sum += (word >>> 32) + (word & HALF);
        }
        if (i + 4 <= end) {
            sum += BigEndian.intAt(bytes, i) & HALF;
            i += 4;
        }
        if (i + 2 <= end) {
            sum += BigEndian.shortAt(bytes, i);
            i += 2;
        }
        if (i < end) {
            sum += BigEndian.octetAt(bytes, i) << 8;
        }
        return sum;
    }

    /** The unfolded sum of the pseudo header of RFC 9293 §3.1 (IPv4) and RFC 8200 §8.1 (IPv6). */
    static long pseudoHeader(IpAddress source, IpAddress destination, int protocol, int length) {
        return address(source) + address(destination) + protocol + length;
    }

    private static long address(IpAddress address) {
        return switch (address) {
            case Ipv4Address(int bits) -> bits & HALF;
            case Ipv6Address(long high, long low) -> (high >>> 32) + (high & HALF) + (low >>> 32) + (low & HALF);
        };
    }

    /** Whether a sum that covered the checksum field itself says that nothing was damaged. */
    static boolean isIntact(long sum) {
        return fold(sum) == 0xffff;
    }

    /** The value for the checksum field, of a sum that covered the field as zero. */
    static int ofSum(long sum) {
        return ~fold(sum) & 0xffff;
    }

    private static int fold(long sum) {
        long folded = (sum >>> 32) + (sum & HALF);
        folded = (folded >>> 16) + (folded & 0xffff);
        return (int) ((folded >>> 16) + (folded & 0xffff));
    }
}
