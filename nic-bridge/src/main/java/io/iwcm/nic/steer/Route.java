package io.iwcm.nic.steer;

import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.VlanTag;
import java.util.Optional;

/**
 * A route that a NIC is told of; those of its own prefixes need none.
 *
 * @param network where it leads, with {@code prefixLength} 0 everywhere
 * @param prefixLength 0..32 or 0..128
 * @param gateway the next hop; empty: the network is on the link
 * @param vlan the VLAN that it leaves by
 */
public record Route(IpAddress network, int prefixLength, Optional<IpAddress> gateway, int vlan) {

    public Route {
        if (prefixLength < 0 || prefixLength > (network.isV4() ? 32 : 128)) {
            throw new IllegalArgumentException("prefix length " + prefixLength + " of route " + network
                    + " is out of range: 0.." + (network.isV4() ? 32 : 128) + " are allowed");
        }
        if (gateway.isPresent() && gateway.get().version() != network.version()) {
            throw new IllegalArgumentException("route " + network + " and gateway " + gateway.get()
                    + " are of different address families: one family is allowed");
        }
        if (vlan < 0 || vlan > VlanTag.ID_MAX) {
            throw new IllegalArgumentException("VLAN " + vlan + " is out of range: 0..4094 are allowed");
        }
    }
}
