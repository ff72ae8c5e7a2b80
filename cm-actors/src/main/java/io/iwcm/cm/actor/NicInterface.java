package io.iwcm.cm.actor;

import io.iwcm.nic.wire.VlanTag;

/** A part of a NIC that goes down and comes up with all its addresses. */
public sealed interface NicInterface {

    /** The NIC with all its VLANs. */
    NicInterface NIC = new Whole();

    /** What is on no VLAN. */
    NicInterface UNTAGGED = new Vlan(VlanTag.UNTAGGED);

    static NicInterface vlan(int id) {
        return new Vlan(id);
    }

    /** See {@link #NIC}. */
    record Whole() implements NicInterface {}

    /** One VLAN; {@link VlanTag#UNTAGGED} is what is on none. */
    record Vlan(int id) implements NicInterface {
        public Vlan {
            Limits.vlan(id);
        }
    }
}
