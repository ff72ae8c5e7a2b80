package io.iwcm.nic.wire;

/**
 * An IPv4 or IPv6 address as a value. The two families never compare equal, whatever their bits.
 */
public sealed interface IpAddress permits Ipv4Address, Ipv6Address {

    /**
     * Reads dotted IPv4 or RFC 4291 IPv6 text (no scope, no host names, nothing is looked up).
     *
     * @throws IllegalArgumentException when the text is neither; the message says so in one sentence
     */
    static IpAddress parse(String text) {
        return text.indexOf(':') >= 0 ? Ipv6Address.parse(text) : Ipv4Address.parse(text);
    }

    /** 4 or 6. */
    int version();

    /** 0.0.0.0 or ::. */
    boolean isUnspecified();

    /** 127.0.0.0/8 or ::1. */
    boolean isLoopback();

    /** 224.0.0.0/4 or ff00::/8. */
    boolean isMulticast();

    /** 169.254.0.0/16 or fe80::/10. */
    boolean isLinkLocal();

    /** Whether the first {@code prefixLength} bits equal those of {@code network}; false across families. */
    boolean inPrefix(IpAddress network, int prefixLength);

    /** The address in network order: 4 or 16 octets, a fresh array. */
    byte[] toBytes();

    default boolean isV4() {
        return version() == 4;
    }
}
