package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConsumer.HandlerConsumer;
import io.iwcm.cm.actor.CmConsumer.ToHandler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The handlers of an application by number. That of a connect goes with its connection; that of a listener when the listener
 * and all its connections are over. From any thread.
 */
final class Handlers {

    /** What a connection that came by a listener is told first may be under way while the listener closes. */
    private static final Duration STRAGGLERS = Duration.ofMinutes(1);

    private record Held(ConnectionHandler handler, boolean connecting, AtomicInteger connections) {}

    private final ActorRef<ToHandler> home;
    private final Map<Long, Held> held = new ConcurrentHashMap<>();
    private final AtomicLong lastNumber = new AtomicLong();

    /** @param home runs them */
    Handlers(ActorRef<ToHandler> home) {
        this.home = home;
    }

    HandlerConsumer connecting(ConnectionHandler handler) {
        return hold(new Held(handler, true, new AtomicInteger()));
    }

    HandlerConsumer listening(ConnectionHandler handler) {
        return hold(new Held(handler, false, new AtomicInteger()));
    }

    private HandlerConsumer hold(Held one) {
        long number = lastNumber.incrementAndGet();
        held.put(number, one);
        return new HandlerConsumer(home, number);
    }

    /** Nothing came of it. */
    void forget(HandlerConsumer consumer) {
        held.remove(consumer.handler());
    }

    /** Its listener has closed; some of its connections may go on. */
    void closed(HandlerConsumer consumer) {
        CompletableFuture.delayedExecutor(STRAGGLERS.toSeconds(), TimeUnit.SECONDS)
                .execute(() -> held.computeIfPresent(
                        consumer.handler(),
                        (_, one) ->
                                one.connections().get() > 0 ? new Held(one.handler(), true, one.connections()) : null));
    }

    /** A connection begins to be told to it; empty when it is none any more. */
    Optional<ConnectionHandler> begin(long number) {
        return Optional.ofNullable(held.computeIfPresent(number, (_, one) -> {
                    one.connections().incrementAndGet();
                    return one;
                }))
                .map(Held::handler);
    }

    /** One of its connections is over. */
    void over(long number) {
        held.computeIfPresent(
                number, (_, one) -> one.connections().decrementAndGet() <= 0 && one.connecting() ? null : one);
    }
}
