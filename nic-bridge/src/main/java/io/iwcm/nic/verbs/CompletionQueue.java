package io.iwcm.nic.verbs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where completions wait for their consumer, in the order in which they came about; of one queue pair or of several. Safe
 * from any thread.
 *
 * <p>It cannot overflow: a queue pair that uses it takes as much of its capacity as its queues are deep, and a request keeps
 * its place in them until its completion has been taken from here.
 */
public final class CompletionQueue {

    private record Entry(Completion completion, AtomicInteger places) {}

    private record Alarm(Executor on, Runnable what, boolean solicitedOnly) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final int capacity;
    private int reserved;
    private Optional<Alarm> alarm = Optional.empty();

    /**
     * An empty queue.
     *
     * @param capacity completions that it holds at most, 1 or more
     */
    public CompletionQueue(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a completion queue must hold 1 or more, not " + capacity);
        }
        this.capacity = capacity;
    }

    /** The next completion; empty when there is none. */
    public Optional<Completion> poll() {
        lock.lock();
        try {
            return take();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next completion, waited for.
     *
     * @return empty when there is none by then
     */
    public Optional<Completion> await(Duration longest) throws InterruptedException {
        long leftNs = longest.toNanos();
        lock.lockInterruptibly();
        try {
            while (entries.isEmpty() && leftNs > 0) {
                leftNs = filled.awaitNanos(leftNs);
            }
            return take();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Completion> take() {
        Entry first = entries.poll();
        if (first == null) {
            return Optional.empty();
        }
        first.places.decrementAndGet();
        return Optional.of(first.completion);
    }

    /**
     * Rings once, when there is a completion: at once if there is one already. Another call takes the place of one that has
     * not rung.
     *
     * @param on runs {@code what}; the NIC's thread only hands it over
     * @param solicitedOnly only for a receive of a Send with Solicited Event, or for an error
     */
    public void ring(Executor on, Runnable what, boolean solicitedOnly) {
        lock.lock();
        boolean now;
        try {
            now = entries.stream().anyMatch(entry -> rings(entry.completion, solicitedOnly));
            alarm = now ? Optional.empty() : Optional.of(new Alarm(on, what, solicitedOnly));
        } finally {
            lock.unlock();
        }
        if (now) {
            on.execute(what);
        }
    }

    private static boolean rings(Completion completion, boolean solicitedOnly) {
        return !solicitedOnly || completion.solicited() || !completion.good();
    }

    void add(Completion completion, AtomicInteger places) {
        Optional<Alarm> rung;
        lock.lock();
        try {
            entries.add(new Entry(completion, places));
            filled.signal();
            rung = alarm.filter(set -> rings(completion, set.solicitedOnly));
            if (rung.isPresent()) {
                alarm = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        rung.ifPresent(set -> set.on.execute(set.what));
    }

    /** Takes part of the capacity, if there is as much. */
    boolean reserve(int wanted) {
        lock.lock();
        try {
            boolean fits = wanted <= capacity - reserved;
            reserved += fits ? wanted : 0;
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** Gives part of the capacity back. */
    void release(int taken) {
        lock.lock();
        try {
            reserved -= taken;
        } finally {
            lock.unlock();
        }
    }
}
