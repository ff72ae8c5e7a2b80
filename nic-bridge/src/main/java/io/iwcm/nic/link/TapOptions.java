package io.iwcm.nic.link;

import java.util.regex.Pattern;

/**
 * Which TAP interface, and what is done to the kernel's side of it. Addresses and routes there are the operator's.
 *
 * @param name of the interface, 1 to 15 letters, digits, dots, dashes and underscores
 * @param mtu what to set it to, 68 to 65521; 0 leaves it as it is
 * @param bringUp whether to set the interface up
 * @param mustExist refuses to make the interface; without it a missing one is made and goes away on close
 */
public record TapOptions(String name, int mtu, boolean bringUp, boolean mustExist) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,15}");
    private static final int MTU_MIN = 68; // RFC 791 §3.2
    private static final int MTU_MAX = 65_521; // The kernel's: 65535 less an Ethernet header.

    public TapOptions {
        if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new LinkException("'" + name + "' cannot name a TAP interface: 1 to 15 letters, digits, dots, dashes"
                    + " and underscores are allowed");
        }
        if (mtu != 0 && (mtu < MTU_MIN || mtu > MTU_MAX)) {
            throw new LinkException("the MTU of the TAP interface " + name + " cannot be " + mtu + ": " + MTU_MIN
                    + " to " + MTU_MAX + " is allowed");
        }
    }

    /** The interface of this name, made if missing, set up, with the MTU it has. */
    public static TapOptions named(String name) {
        return new TapOptions(name, 0, true, false);
    }

    public TapOptions withMtu(int octets) {
        return new TapOptions(name, octets, bringUp, mustExist);
    }

    /** Leaves it to the operator to set the interface up. */
    public TapOptions leftDown() {
        return new TapOptions(name, mtu, false, mustExist);
    }

    /** Only an interface that is there already, as made by {@code ip tuntap add dev NAME mode tap}. */
    public TapOptions existing() {
        return new TapOptions(name, mtu, bringUp, true);
    }
}
