package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmNotice;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one connection's events to its handler, one at a time, off the actors' threads. */
final class Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final ConnectionHandler handler;
    private final Executor executor;
    private final CmCounters counters;
    private final Connection facade;
    private final Queue<CmEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile CmConnection connection;
    private volatile boolean failed;
    private long lastNumber; // Touched by the application's home alone.

    Delivery(CmConnection connection, ConnectionHandler handler, Executor executor, Calls calls, CmCounters counters) {
        this.connection = connection;
        this.handler = handler;
        this.executor = executor;
        this.counters = counters;
        this.facade = new Connection(connection, calls);
    }

    void tell(CmNotice notice) {
        switch (notice) {
            case CmNotice.Event(CmConnection now, long number, CmEvent event) -> {
                if (number <= lastNumber) return; // Told before.
                lastNumber = number;
                moveTo(now);
                waiting.add(event);
                if (count.getAndIncrement() == 0) executor.execute(this::deliver);
            }
            case CmNotice.Moved(CmConnection now) -> {
                moveTo(now);
                if (failed) now.consumerFailed(); // The first time may have been lost.
            }
        }
    }

    private void moveTo(CmConnection now) {
        if (now.equals(connection)) return;
        connection = now;
        facade.movedTo(now);
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
}
