package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.steer.FlowEntry;

/**
 * One input being worked on.
 *
 * @param nowNs when
 * @param out where its results go
 */
record Turn(long nowNs, Rnic.Output out) {

    /** Tells the flow's owner, who has to acknowledge it; without one there is nobody to tell. */
    void tell(FlowEntry entry, NicEvent event) {
        entry.owner().ifPresent(owner -> {
            long number = entry.tell(event);
            out.event(owner, new Rnic.FlowEvent(entry.flow(), entry.epoch(), number, event));
        });
    }
}
