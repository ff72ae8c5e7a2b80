package io.iwcm.nic.bridge;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A queue into a stream stage: many threads add, the stage's thread takes. The stage is woken once however much is added
 * before it looks, which is what makes a hop cheap under load.
 */
final class Inbox<T> {

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Runnable wake;
    private volatile boolean closed;

    Inbox(Runnable wake) {
        this.wake = wake;
    }

    /** Whether the input was taken; it is not once the stage has ended. */
    boolean add(T input) {
        if (closed) return false;
        queue.add(input);
        wakeOnce();
        return true;
    }

    /** The stage has ended: nothing is kept any more. */
    void close() {
        closed = true;
        queue.clear();
    }

    /** Gives up to {@code most} inputs to {@code taker}, in order; when more are left, the stage is woken again. */
    void drain(int most, Consumer<T> taker) {
        woken.set(false); // Before looking: what is added from here on wakes again.
        T input = queue.poll();
        for (int taken = 1; input != null; taken++) {
            taker.accept(input);
            if (taken == most) break;
            input = queue.poll();
        }
        if (!queue.isEmpty()) wakeOnce();
    }

    private void wakeOnce() {
        if (woken.compareAndSet(false, true)) wake.run();
    }
}
