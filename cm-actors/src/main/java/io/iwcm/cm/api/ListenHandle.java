package io.iwcm.cm.api;

import io.iwcm.cm.actor.Listener;
import io.iwcm.nic.wire.Endpoint;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorRef;

/** A listener that listens; safe from any thread. It needs no closing when its connection manager stops. */
public final class ListenHandle {

    private final long id;
    private final Endpoint local;
    private final ActorRef<Listener.Command> listener;
    private final Calls calls;
    private final Runnable atTheEnd;
    private final AtomicReference<Optional<CompletionStage<Void>>> closing = new AtomicReference<>(Optional.empty());

    /** @param atTheEnd done when no SYN can come any more */
    ListenHandle(long id, Endpoint local, ActorRef<Listener.Command> listener, Calls calls, Runnable atTheEnd) {
        this.atTheEnd = atTheEnd;
        this.id = id;
        this.local = local;
        this.listener = listener;
        this.calls = calls;
    }

    /** Its number, as snapshots have it. */
    public long id() {
        return id;
    }

    /** As asked for. */
    public Endpoint local() {
        return local;
    }

    /**
     * Stops listening: its connections that are neither established nor closing are reset, the others stay. Completes when no
     * SYN can come any more. Again: the same stage.
     *
     * <p>An accept of a connection that it was asked about fails with {@code INVALID} from here on, a reject succeeds.
     */
    public CompletionStage<Void> close() {
        return closing.updateAndGet(before -> before.or(() -> Optional.of(destroy())))
                .orElseThrow();
    }

    private CompletionStage<Void> destroy() {
        return calls.<Listener.Command, Listener.Destroyed>ask(listener, Listener.Destroy::new)
                .<Optional<Listener.Destroyed>>thenApply(Optional::of)
                .exceptionally(_ -> Optional.empty()) // It had ended already, with its connection manager.
                .thenAccept(_ -> atTheEnd.run());
    }
}
