package io.iwcm.nic.rnic;

import io.iwcm.nic.qp.QpCounter;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * An RNIC at one moment, for operators and tests.
 *
 * @param held what is in use; when all connections are over it is what it was before them
 * @param timeWaits TIME_WAIT rows
 * @param drops received frames that were not used, by reason; every reason is there
 * @param counts everything else that is counted
 * @param queuePairs what all queue pairs have counted together, those that are gone included
 */
public record RnicSnapshot(
        Held held,
        int timeWaits,
        Map<Drop, Long> drops,
        Map<NicCounter, Long> counts,
        Map<QpCounter, Long> queuePairs) {

    /** One count with its name and a sentence. */
    public record Count(String id, long value, String sentence) {}

    /**
     * What is in use.
     *
     * @param flows rows of the quad hash, those being prepared included
     * @param listeners SYN entries
     * @param halfOpen places taken by half-open connections, over all SYN entries
     * @param waiting places taken by connections that wait for the application
     * @param ports local ports that are ours
     * @param handles address handles
     * @param qps queue pairs
     * @param underWay what is not over yet
     */
    public record Held(
            int flows, int listeners, int halfOpen, int waiting, int ports, int handles, int qps, UnderWay underWay) {}

    /**
     * What is not over yet.
     *
     * @param waiters flows waiting for a neighbour
     * @param loopback frames on their way round inside the NIC
     * @param commands commands that the device has not completed
     * @param stuck entries that the device would not delete, and queue pairs that it would not move to ERROR
     * @param buffers frames that have not left
     * @param timers deadlines of flows and queue pairs
     */
    public record UnderWay(int waiters, int loopback, int commands, int stuck, int buffers, int timers) {}

    public long drops(Drop why) {
        return drops.getOrDefault(why, 0L);
    }

    public long count(NicCounter counter) {
        return counts.getOrDefault(counter, 0L);
    }

    public long count(QpCounter counter) {
        return queuePairs.getOrDefault(counter, 0L);
    }

    /** What queue pairs have counted, for those who know it by name only. */
    public List<Count> ofQueuePairs() {
        return Arrays.stream(QpCounter.values())
                .map(counter -> new Count(counter.id(), count(counter), counter.sentence()))
                .toList();
    }
}
