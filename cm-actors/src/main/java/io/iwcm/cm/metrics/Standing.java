package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.rnic.BacklogUse;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.Rnic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How NIC and connections stood when they were last asked. Asked by whoever scrapes, read by the metrics. */
final class Standing {

    private static final RnicSnapshot NOTHING = new RnicSnapshot(
            new RnicSnapshot.Held(0, 0, 0, 0, 0, 0, 0, new RnicSnapshot.UnderWay(0, 0, 0, 0, 0, 0)),
            0,
            Map.of(),
            Map.of(),
            Map.of());

    private record Seen(RnicSnapshot nic, List<BacklogUse> backlogs, CmSnapshot connections) {}

    private record Inside(RnicSnapshot snapshot, List<BacklogUse> backlogs) {}

    private final ConnectionManager manager;
    private volatile Seen seen = new Seen(NOTHING, List.of(), new CmSnapshot(List.of(), List.of(), Map.of()));

    Standing(ConnectionManager manager) {
        this.manager = manager;
    }

    /**
     * Asks both.
     *
     * @return whether they answered in time; if not, what they said before still stands
     */
    boolean refresh(Duration wait) {
        CompletableFuture<Optional<Inside>> nic =
                manager.nic().inspect(Standing::look).toCompletableFuture();
        CompletableFuture<CmSnapshot> connections = manager.snapshot().toCompletableFuture();
        try {
            seen = nic.thenCombine(connections, this::seen).get(wait.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** An RNIC of another make has nothing to tell here. */
    private static Optional<Inside> look(Rnic rnic) {
        return rnic instanceof SoftRnic soft
                ? Optional.of(new Inside(soft.snapshot(), soft.backlogs()))
                : Optional.empty();
    }

    private Seen seen(Optional<Inside> nic, CmSnapshot connections) {
        return nic.map(inside -> new Seen(inside.snapshot(), inside.backlogs(), connections))
                .orElseGet(() -> new Seen(NOTHING, List.of(), connections));
    }

    RnicSnapshot nic() {
        return seen.nic();
    }

    List<BacklogUse> backlogs() {
        return seen.backlogs();
    }

    CmSnapshot connections() {
        return seen.connections();
    }
}
