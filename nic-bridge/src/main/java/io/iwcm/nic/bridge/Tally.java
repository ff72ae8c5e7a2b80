package io.iwcm.nic.bridge;

import java.util.concurrent.atomic.LongAdder;

/** Counts up {@link BridgeCounters}, from any thread. */
final class Tally {

    final LongAdder framesReceived = new LongAdder();
    final LongAdder framesSent = new LongAdder();
    final LongAdder receiveQueueDropped = new LongAdder();
    final LongAdder ilqEntries = new LongAdder();
    final LongAdder ilqFull = new LongAdder();
    final LongAdder undeliverable = new LongAdder();
    final LongAdder events = new LongAdder();
    final LongAdder failures = new LongAdder();

    BridgeCounters snapshot() {
        return new BridgeCounters(
                framesReceived.sum(),
                framesSent.sum(),
                receiveQueueDropped.sum(),
                ilqEntries.sum(),
                ilqFull.sum(),
                undeliverable.sum(),
                events.sum(),
                failures.sum());
    }
}
