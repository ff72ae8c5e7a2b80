package io.iwcm.cm.actor;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;

/** An address and the VLAN that it is on: what a connection loses when either goes down. */
record Place(IpAddress address, int vlan) {

    static Place of(LocalAddress local) {
        return new Place(local.address(), local.vlan());
    }

    static Place of(FlowKey flow) {
        return new Place(flow.local().address(), flow.vlan());
    }

    /** Whether a connection's own end is here. */
    boolean isOf(NodeRecord record) {
        return equals(of(record.connection().flow()));
    }
}
