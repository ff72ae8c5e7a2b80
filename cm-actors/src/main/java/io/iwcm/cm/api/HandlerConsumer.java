package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmNotice;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events to a handler, off the actors' threads.
 *
 * @param handler the application's
 * @param executor runs it
 * @param calls for the connections it is given
 * @param counters count its failures
 */
record HandlerConsumer(ConnectionHandler handler, Executor executor, Calls calls, CmCounters counters)
        implements CmConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerConsumer.class);

    @Override
    public CmConsumer of(CmConnection connection) {
        return new Delivery(connection);
    }

    @Override
    public void tell(CmNotice notice) {
        of(notice.connection()).tell(notice);
    }

    /** A handler does not die, it fails. */
    @Override
    public Optional<ActorRef<?>> actor() {
        return Optional.empty();
    }

    /** One connection's events, one at a time. */
    private final class Delivery implements CmConsumer {

        private volatile CmConnection connection;
        private final Connection facade;
        private final Queue<CmEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean failed;
        private long lastNumber; // Touched by one node at a time; adoption orders them.

        Delivery(CmConnection connection) {
            this.connection = connection;
            this.facade = new Connection(connection, calls);
        }

        @Override
        public void tell(CmNotice notice) {
            switch (notice) {
                case CmNotice.Event(var _, long number, CmEvent event) -> {
                    if (number <= lastNumber) return; // Told before.
                    lastNumber = number;
                    waiting.add(event);
                    if (count.getAndIncrement() == 0) executor.execute(this::deliver);
                }
                case CmNotice.Moved(CmConnection now) -> {
                    connection = now;
                    facade.movedTo(now);
                    if (failed) now.consumerFailed(); // The first time may have been lost.
                }
            }
        }

        private void deliver() {
            do {
                CmEvent next = waiting.poll();
                if (next != null && !failed) handle(next);
            } while (count.decrementAndGet() > 0);
        }

        private void handle(CmEvent event) {
            try {
                handler.onEvent(facade, event);
            } catch (RuntimeException | Error e) {
                failed = true;
                LOG.error("the handler of {} failed on {}, so the connection is ended", connection, event, e);
                counters.count(CmCounter.CONSUMER_FAILURES);
                connection.consumerFailed();
            }
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.empty();
        }
    }
}
