package io.iwcm.nic.wire;

/**
 * An IPv4 address.
 *
 * @param bits the 32 bits, first octet most significant
 */
public record Ipv4Address(int bits) implements IpAddress {

    /** See {@link IpAddress#parse}. */
    public static Ipv4Address parse(String text) {
        String[] parts = text.split("\\.", -1);
        int bits = 0;
        for (String part : parts) {
            bits = bits << 8 | octet(part, text);
        }
        if (parts.length != 4) {
            throw malformed(text);
        }
        return new Ipv4Address(bits);
    }

    private static int octet(String part, String text) {
        if (part.isEmpty() || part.length() > 3 || !part.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw malformed(text);
        }
        int value = Integer.parseInt(part);
        if (value > 255 || (part.length() > 1 && part.charAt(0) == '0')) {
            throw malformed(text);
        }
        return value;
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not an IP address: dotted IPv4 as 10.0.0.1 or IPv6 as fd00::1 is allowed");
    }

    @Override
    public int version() {
        return 4;
    }

    @Override
    public boolean isUnspecified() {
        return bits == 0;
    }

    @Override
    public boolean isLoopback() {
        return bits >>> 24 == 127;
    }

    @Override
    public boolean isMulticast() {
        return bits >>> 28 == 0xe;
    }

    @Override
    public boolean isLinkLocal() {
        return bits >>> 16 == 0xa9fe;
    }

    /** 255.255.255.255. */
    public boolean isLimitedBroadcast() {
        return bits == -1;
    }

    @Override
    public boolean inPrefix(IpAddress network, int prefixLength) {
        return network instanceof Ipv4Address(int other)
                && (prefixLength == 0 || (bits ^ other) >>> (32 - prefixLength) == 0);
    }

    @Override
    public byte[] toBytes() {
        return new byte[] {(byte) (bits >>> 24), (byte) (bits >>> 16), (byte) (bits >>> 8), (byte) bits};
    }

    @Override
    public String toString() {
        return (bits >>> 24) + "." + (bits >>> 16 & 255) + "." + (bits >>> 8 & 255) + "." + (bits & 255);
    }
}
