package io.iwcm.nic.steer;

import io.iwcm.nic.wire.IpAddress;

/** The first step of the way to a peer. */
public sealed interface Hop {

    /** The peer is this NIC: frames turn round inside. */
    record Inside() implements Hop {}

    /**
     * A host on the link, by whose MAC address frames leave.
     *
     * @param address the peer itself or a gateway, never where a packet is only going through
     * @param vlan the VLAN it is on; what an IPv6 link-local address needs as its scope
     */
    record Neighbour(IpAddress address, int vlan) implements Hop {}
}
