package io.iwcm.nic.wire;

/**
 * What identifies one TCP connection at a NIC: both endpoints, seen from our side, and the VLAN. The address family is
 * part of the addresses.
 *
 * @param local our end
 * @param remote the peer's end
 * @param vlan VLAN id 1..4094, or {@link VlanTag#UNTAGGED} for untagged and priority-tagged frames
 */
public record FlowKey(Endpoint local, Endpoint remote, int vlan) {

    public FlowKey {
        if (vlan < 0 || vlan > VlanTag.ID_MAX) {
            throw new IllegalArgumentException("VLAN " + vlan + " is out of range: 0..4094 are allowed");
        }
        if (local.address().version() != remote.address().version()) {
            throw new IllegalArgumentException("both ends must be of one address family: " + local + ", " + remote);
        }
    }

    /** The same flow as the peer sees it. */
    public FlowKey reversed() {
        return new FlowKey(remote, local, vlan);
    }

    @Override
    public String toString() {
        return local + " <> " + remote + (vlan == VlanTag.UNTAGGED ? "" : " vlan " + vlan);
    }
}
