package io.iwcm.nic.rnic;

import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import java.util.Map;

/**
 * An RNIC at one moment, for operators and tests.
 *
 * @param held what is in use; when all connections are over it is what it was before them
 * @param timeWaits TIME_WAIT rows
 * @param drops received frames that were not used, by reason; every reason is there
 * @param counts everything else that is counted
 */
public record RnicSnapshot(Held held, int timeWaits, Map<Drop, Long> drops, Map<NicCounter, Long> counts) {

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
     * @param inFlight what is under way: flows waiting for a neighbour, frames on their way round inside the NIC, commands of the
     *     device not completed, entries that it would not delete
     */
    public record Held(
            int flows, int listeners, int halfOpen, int waiting, int ports, int handles, int qps, int inFlight) {}

    public long drops(Drop why) {
        return drops.getOrDefault(why, 0L);
    }

    public long count(NicCounter counter) {
        return counts.getOrDefault(counter, 0L);
    }
}
