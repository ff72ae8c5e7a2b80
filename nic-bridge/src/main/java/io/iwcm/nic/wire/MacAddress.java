package io.iwcm.nic.wire;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A 48-bit Ethernet address.
 *
 * @param bits the address in the low 48 bits, first octet on the wire most significant
 */
public record MacAddress(long bits) {

    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);
    public static final MacAddress ZERO = new MacAddress(0);
    private static final Pattern FORM = Pattern.compile("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}");

    public MacAddress {
        if ((bits >>> 48) != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits");
        }
    }

    /**
     * Reads {@code 02:00:5e:10:00:01}.
     *
     * @throws IllegalArgumentException when the text has another form; the message says so in one sentence
     */
    public static MacAddress parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a MAC address: six hex octets with colons are allowed, as 02:00:5e:10:00:01");
        }
        return new MacAddress(HexFormat.fromHexDigitsToLong(text.replace(":", "")));
    }

    /** The group address 33:33:XX:XX:XX:XX that frames to an IPv6 multicast address carry (RFC 2464 §7). */
    public static MacAddress ofGroup(Ipv6Address multicast) {
        return new MacAddress(0x3333_0000_0000L | (multicast.low() & 0xffff_ffffL));
    }

    /** Group bit set: multicast or broadcast. */
    public boolean isGroup() {
        return (bits & 0x0100_0000_0000L) != 0;
    }

    @Override
    public String toString() {
        String hex = HexFormat.of().toHexDigits(bits, 12);
        return String.join(":", hex.split("(?<=\\G..)"));
    }
}
