package io.iwcm.nic.spi;

import java.util.List;

/**
 * A connection's state as its owner would need it back, kept by the NIC and never looked into. Inside one process it is
 * an object reference.
 */
public interface Checkpoint {

    /** The queue pairs that were made for this connection and end with it: whoever adopts the flow has them too. */
    default List<QpId> queuePairs() {
        return List.of();
    }
}
