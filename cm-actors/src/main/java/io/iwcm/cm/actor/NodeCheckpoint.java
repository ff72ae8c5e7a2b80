package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmState;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.QpId;
import java.util.List;

/**
 * All of a node that lasts: kept by the NIC, and enough for any other bucket to go on with the connection.
 *
 * @param record whose, as the bucket knew it
 * @param state where it stands
 * @param told what its application has been told
 * @param lastCallId the calls so far
 * @param queuePairs those that end with it
 */
record NodeCheckpoint(NodeRecord record, CmState state, Told told, long lastCallId, List<QpId> queuePairs)
        implements Checkpoint {

    NodeCheckpoint {
        queuePairs = List.copyOf(queuePairs);
    }

    /**
     * What an application has been told.
     *
     * @param notices how many events
     * @param replied how the connect ended
     * @param stands the connection stands, and its end has not been told
     */
    record Told(long notices, boolean replied, boolean stands) {
        static final Told NOTHING = new Told(0, false, false);
    }
}
