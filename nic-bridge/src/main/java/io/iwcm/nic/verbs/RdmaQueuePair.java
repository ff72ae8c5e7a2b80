package io.iwcm.nic.verbs;

import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.QpId;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A queue pair in an application's hands; safe from any thread. Work may be posted before there is a connection: receives
 * must be, for the peer may send as soon as it has our reply; what is to be sent waits until the connection may carry it.
 * When the connection ends everything left is flushed, in order.
 */
public final class RdmaQueuePair {

    private final QpId id;
    private final QpOptions options;
    private final Predicate<VerbsOrder> nic;
    private final Executor applications;
    private final AtomicInteger sends = new AtomicInteger();
    private final AtomicInteger receives = new AtomicInteger();
    private final Events events = new Events();
    private final Hearing hearing = new Hearing();

    RdmaQueuePair(QpId id, QpOptions options, Predicate<VerbsOrder> nic, Executor applications) {
        this.id = id;
        this.options = options;
        this.nic = nic;
        this.applications = applications;
    }

    public QpId id() {
        return id;
    }

    public ProtectionDomain domain() {
        return options.domain();
    }

    /** Posts work. Returns at once; what one thread posts is done in that order. */
    public PostResult post(WorkRequest work) {
        boolean sound = switch (work) {
            case WorkRequest.Receive receive -> sound(receive.into(), true);
            case WorkRequest.Send send -> sound(send.from(), false);
            case WorkRequest.Write write -> sound(write.from(), false);
            case WorkRequest.Read read ->
                sound(read.into(), true) && read.into().parts().size() == 1;
            case WorkRequest.Invalidate invalidate -> invalidate.region().domain() == options.domain();
        };
        if (!sound) {
            return PostResult.BAD_MEMORY;
        }
        boolean receive = work instanceof WorkRequest.Receive;
        AtomicInteger places = receive ? receives : sends;
        int depth = receive ? options.receiveDepth() : options.sendDepth();
        int before = places.getAndUpdate(taken -> taken < depth ? taken + 1 : taken);
        if (before >= depth) {
            return PostResult.QUEUE_FULL;
        }
        if (!nic.test(new VerbsOrder.Post(id, work, hearing))) {
            places.decrementAndGet();
            return PostResult.CLOSED;
        }
        return PostResult.POSTED;
    }

    private boolean sound(Slices memory, boolean written) {
        return memory.sound(options.domain(), written);
    }

    QpConsumer hearing() {
        return hearing;
    }

    /** Takes what it will need of the completion queues' capacity, or nothing. */
    boolean reserve() {
        if (!options.sendDone().reserve(options.sendDepth())) {
            return false;
        }
        if (!options.receiveDone().reserve(options.receiveDepth())) {
            options.sendDone().release(options.sendDepth());
            return false;
        }
        return true;
    }

    void release() {
        options.sendDone().release(options.sendDepth());
        options.receiveDone().release(options.receiveDepth());
    }

    @Override
    public String toString() {
        return id.toString();
    }

    private final class Hearing implements QpConsumer {

        @Override
        public void completed(Completion completion, boolean told) {
            boolean receive = completion.kind() == Completion.Kind.RECEIVE;
            AtomicInteger places = receive ? receives : sends;
            if (told) {
                (receive ? options.receiveDone() : options.sendDone()).add(completion, places);
            } else {
                places.decrementAndGet();
            }
        }

        @Override
        public void event(AsyncEvent event) {
            events.add(event);
        }

        @Override
        public void gone() {
            release();
        }
    }

    /** One event after the other, off the NIC's thread. Each code comes once, so there are never many. */
    private final class Events implements Runnable {
        private final ConcurrentLinkedQueue<AsyncEvent> queue = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean running = new AtomicBoolean();

        private void add(AsyncEvent event) {
            queue.add(event);
            if (running.compareAndSet(false, true)) {
                applications.execute(this);
            }
        }

        @Override
        public void run() {
            try {
                for (AsyncEvent next = queue.poll(); next != null; next = queue.poll()) {
                    options.events().accept(next);
                }
            } finally {
                running.set(false);
                if (!queue.isEmpty() && running.compareAndSet(false, true)) {
                    applications.execute(this);
                }
            }
        }
    }
}
