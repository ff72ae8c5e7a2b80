package io.iwcm.nic.wire;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * An IPv6 address. A link-local address's scope is the VLAN it is used on, so it stands beside the address, not in it.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record Ipv6Address(long high, long low) implements IpAddress {

    private static final Pattern FORM = Pattern.compile("[0-9a-fA-F:]{2,39}|[0-9a-fA-F:]{2,32}[0-9.]{7,15}");
    private static final long MAPPED_PREFIX = 0xffffL;

    /** See {@link IpAddress#parse}. */
    public static Ipv6Address parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw malformed(text);
        }
        try {
            InetAddress parsed = InetAddress.getByName(text);
            ByteBuffer bytes = ByteBuffer.wrap(parsed.getAddress());
            return parsed instanceof Inet6Address
                    ? new Ipv6Address(bytes.getLong(), bytes.getLong())
                    : new Ipv6Address(0, MAPPED_PREFIX << 32 | Integer.toUnsignedLong(bytes.getInt()));
        } catch (UnknownHostException e) {
            throw malformed(text);
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not an IP address: dotted IPv4 as 10.0.0.1 or IPv6 as fd00::1 is allowed");
    }

    /** ff02::1:ffXX:XXXX of this address (RFC 4291 §2.7.1). */
    public Ipv6Address solicitedNodeMulticast() {
        return new Ipv6Address(0xff02_0000_0000_0000L, 0x0000_0001_ff00_0000L | (low & 0xff_ffffL));
    }

    @Override
    public int version() {
        return 6;
    }

    @Override
    public boolean isUnspecified() {
        return high == 0 && low == 0;
    }

    @Override
    public boolean isLoopback() {
        return high == 0 && low == 1;
    }

    @Override
    public boolean isMulticast() {
        return high >>> 56 == 0xff;
    }

    @Override
    public boolean isLinkLocal() {
        return high >>> 54 == 0x3fa;
    }

    /** ::ffff:0:0/96, which must not appear on a wire. */
    public boolean isV4Mapped() {
        return high == 0 && low >>> 32 == MAPPED_PREFIX;
    }

    @Override
    public boolean inPrefix(IpAddress network, int prefixLength) {
        if (!(network instanceof Ipv6Address(long otherHigh, long otherLow))) {
            return false;
        }
        if (prefixLength <= 64) {
            return prefixLength == 0 || (high ^ otherHigh) >>> (64 - prefixLength) == 0;
        }
        return high == otherHigh && (low ^ otherLow) >>> (128 - prefixLength) == 0;
    }

    @Override
    public byte[] toBytes() {
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }

    /** RFC 5952 text, an IPv4-mapped address with its dotted half (§5). */
    @Override
    public String toString() {
        if (isV4Mapped()) {
            return "::ffff:" + new Ipv4Address((int) low);
        }
        int bestAt = -1;
        int bestLength = 1;
        for (int at = 0; at < 8; at++) {
            int length = 0;
            while (at + length < 8 && group(at + length) == 0) {
                length++;
            }
            if (length > bestLength) {
                bestAt = at;
                bestLength = length;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int at = 0; at < 8; at++) {
            if (at == bestAt) {
                text.append("::");
                at += bestLength - 1;
            } else {
                if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                    text.append(':');
                }
                text.append(Integer.toHexString(group(at)));
            }
        }
        return text.toString();
    }

    private int group(int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xffff;
    }
}
