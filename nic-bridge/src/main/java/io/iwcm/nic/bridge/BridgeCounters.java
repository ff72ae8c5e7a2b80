package io.iwcm.nic.bridge;

/**
 * What passed between link, RNIC and dispatchers.
 *
 * @param framesReceived frames given to the RNIC
 * @param framesSent frames given to the link
 * @param receiveQueueDropped frames dropped between link and RNIC because the queue there was full
 * @param ilqEntries ILQ entries told to dispatchers
 * @param ilqFull ILQ entries dropped because their dispatcher had too many unread ({@code Drop.ILQ_FULL})
 * @param undeliverable ILQ entries and events for a dispatcher that is not there
 * @param events flow events told to dispatchers
 * @param failures batches, orders and ticks on which the code of the RNIC or the link threw
 */
public record BridgeCounters(
        long framesReceived,
        long framesSent,
        long receiveQueueDropped,
        long ilqEntries,
        long ilqFull,
        long undeliverable,
        long events,
        long failures) {}
