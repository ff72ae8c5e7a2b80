package io.iwcm.nic.rnic;

import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.qp.WorkQueues;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.QpConsumer;
import io.iwcm.nic.verbs.WorkRequest;
import java.util.HashMap;
import java.util.Optional;

/** The queue pairs that an application uses: what it has posted, and where its results go. */
final class WorkBank {

    private record Use(WorkQueues work, QpConsumer consumer) {}

    private final RegionTable regions;
    private final int depthMax;
    private final HashMap<QpId, Use> uses = new HashMap<>();

    WorkBank(RegionTable regions, int depthMax) {
        this.regions = regions;
        this.depthMax = depthMax;
    }

    /** Takes a queue pair into use; false when somebody has, or its queues would be too deep. */
    boolean open(QpId id, ProtectionDomain domain, int depth, QpConsumer consumer) {
        if (uses.containsKey(id) || depth > depthMax) {
            return false;
        }
        uses.put(id, new Use(new WorkQueues(id, domain, regions, consumer::completed), consumer));
        return true;
    }

    /** What is posted to a queue pair, whether or not somebody uses it. */
    WorkQueues of(QpId id) {
        return Optional.ofNullable(uses.get(id)).map(Use::work).orElseGet(() -> WorkQueues.unused(id));
    }

    /** Takes work; without such a queue pair it is flushed. */
    void post(QpId id, WorkRequest work, QpConsumer consumer) {
        Use use = uses.get(id);
        if (use != null) {
            use.work.post(work);
        } else {
            WorkQueues gone = new WorkQueues(id, new ProtectionDomain("gone"), regions, consumer::completed);
            gone.flush();
            gone.post(work);
        }
    }

    void event(QpId id, AsyncEvent event) {
        Optional.ofNullable(uses.get(id)).ifPresent(use -> use.consumer.event(event));
    }

    /** What was posted is flushed, and what will be. */
    void flush(QpId id) {
        Optional.ofNullable(uses.get(id)).ifPresent(use -> use.work.flush());
    }

    /** The queue pair is gone. */
    void forget(QpId id) {
        Optional.ofNullable(uses.remove(id)).ifPresent(use -> {
            use.work.flush();
            use.consumer.gone();
        });
    }
}
