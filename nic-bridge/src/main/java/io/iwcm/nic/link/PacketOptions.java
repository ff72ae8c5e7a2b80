package io.iwcm.nic.link;

import java.util.regex.Pattern;

/**
 * Which network interface, and who we are on it.
 *
 * @param name of the interface, 1 to 15 octets
 * @param mac ours: frames to it and to groups are received, no others
 */
public record PacketOptions(String name, long mac) {

    private static final Pattern NAME = Pattern.compile("[^/\\s:]{1,15}");
    private static final long GROUP = 0x0100_0000_0000L;

    public PacketOptions {
        if (!isName(name)) {
            throw new LinkException(
                    "'" + name + "' cannot name a network interface: 1 to 15 letters, digits, dots, dashes"
                            + " and underscores are allowed");
        }
        if (mac <= 0 || mac >>> 48 != 0 || (mac & GROUP) != 0) {
            throw new IllegalArgumentException(Long.toHexString(mac) + " is no MAC address of a host");
        }
    }

    /** Whether an interface may be called so. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..");
    }
}
