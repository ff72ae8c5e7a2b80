package io.iwcm.cm.http;

import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The listeners that the API may end, and the leases of those whose application is outside this process: its life cannot be
 * watched, so it says from time to time that it lives. Safe from any thread.
 */
final class ListenerBook {

    private static final double NS_PER_S = 1e9;

    /** Who made a listener. */
    enum Origin {
        CONFIG,
        API,
        /** A program inside the process, who alone may end it. */
        APPLICATION
    }

    private record Held(ListenHandle handle, Origin origin, Optional<Lease> lease) {}

    private record Lease(Duration length, long dueNs) {
        Lease renewed(long nowNs) {
            return new Lease(length, nowNs + length.toNanos());
        }
    }

    private final ConnectionManager manager;
    private final ConnectionHandler handler;
    private final EventLog events;
    private final LongSupplier clock;
    private final Map<Long, Held> held = new ConcurrentHashMap<>();

    ListenerBook(ConnectionManager manager, ConnectionHandler handler, EventLog events, LongSupplier clock) {
        this.manager = manager;
        this.handler = handler;
        this.events = events;
        this.clock = clock;
    }

    /** Listens; completes with the listener's number, fails as the connection manager does. */
    CompletionStage<Long> listen(ListenOptions options, Optional<Duration> lease) {
        return manager.listen(options, handler).thenApply(handle -> {
            add(handle, Origin.API, lease.map(length -> new Lease(length, clock.getAsLong() + length.toNanos())));
            return handle.id();
        });
    }

    /** Knows one that the configuration made. */
    void know(ListenHandle handle) {
        add(handle, Origin.CONFIG, Optional.empty());
    }

    private void add(ListenHandle handle, Origin origin, Optional<Lease> lease) {
        held.put(handle.id(), new Held(handle, origin, lease));
        events.add(new EventLog.OfListener(handle.id(), true));
    }

    Origin origin(long id) {
        return Optional.ofNullable(held.get(id)).map(Held::origin).orElse(Origin.APPLICATION);
    }

    /** Seconds until it ends by itself. */
    OptionalDouble leaseLeft(long id) {
        return Optional.ofNullable(held.get(id))
                .flatMap(Held::lease)
                .map(lease -> OptionalDouble.of(Math.max(0, (lease.dueNs() - clock.getAsLong()) / NS_PER_S)))
                .orElse(OptionalDouble.empty());
    }

    /** Begins its lease again; false when it has none. */
    boolean renew(long id) {
        Held renewed = held.computeIfPresent(
                id,
                (_, one) -> new Held(
                        one.handle(), one.origin(), one.lease().map(lease -> lease.renewed(clock.getAsLong()))));
        return renewed != null && renewed.lease().isPresent();
    }

    /** Ends it; empty when it is none of ours. Completes when no SYN can come any more. */
    Optional<CompletionStage<Void>> end(long id) {
        return Optional.ofNullable(held.remove(id)).map(this::end);
    }

    private CompletionStage<Void> end(Held one) {
        return one.handle()
                .close()
                .thenRun(() -> events.add(new EventLog.OfListener(one.handle().id(), false)));
    }

    /** Ends those whose lease is over. */
    void expire() {
        long nowNs = clock.getAsLong();
        held.forEach((id, one) -> {
            boolean over =
                    one.lease().filter(lease -> lease.dueNs() - nowNs <= 0).isPresent();
            if (over && held.remove(id, one)) end(one);
        });
    }
}
