package io.iwcm.cm.http;

import io.iwcm.cm.proto.CmEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The latest events, numbered from 1. Those who follow it read at their own pace: what they did not read in time is missed,
 * and they can tell by the numbers. Safe from any thread; adding costs no more however many follow.
 */
final class EventLog {

    /** What happened. */
    sealed interface What {}

    /**
     * An application was told something.
     *
     * @param whose the connection, in the state that this led to
     * @param atNs when, on the NIC's clock
     */
    record OfConnection(Seen whose, CmEvent event, long atNs) implements What {}

    /** A listener came or went. */
    record OfListener(long id, boolean up) implements What {}

    /** One event. */
    record Entry(long number, Instant at, What what) {}

    /**
     * What there is from a number on.
     *
     * @param missed events that are no longer kept
     * @param entries in order, perhaps none
     * @param next to be read next
     */
    record Read(long missed, List<Entry> entries, long next) {}

    private final int entriesMax;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final Set<CompletableFuture<Boolean>> waiting = new LinkedHashSet<>();
    private long last;
    private boolean closed;

    EventLog(int entriesMax) {
        this.entriesMax = entriesMax;
    }

    void add(What what) {
        List<CompletableFuture<Boolean>> woken;
        synchronized (this) {
            if (closed) return;
            entries.addLast(new Entry(++last, Instant.now(), what));
            if (entries.size() > entriesMax) entries.removeFirst();
            if (waiting.isEmpty()) return;
            woken = List.copyOf(waiting);
            waiting.clear();
        }
        woken.forEach(one -> one.completeAsync(() -> true)); // Not on the thread of a connection.
    }

    /** The number of the latest event, 0 before the first. */
    synchronized long last() {
        return last;
    }

    synchronized Read read(long from, int most) {
        long oldest = last - entries.size() + 1;
        long start = Math.max(from, oldest);
        List<Entry> found = new ArrayList<>();
        for (Entry entry : entries) {
            if (found.size() == most) break;
            if (entry.number() >= start) found.add(entry);
        }
        return new Read(start - from, found, start + found.size());
    }

    /** Completes with true when there is something from this number on, and with false when there never will be. */
    synchronized CompletableFuture<Boolean> more(long from) {
        if (from <= last) return CompletableFuture.completedFuture(true);
        if (closed) return CompletableFuture.completedFuture(false);
        CompletableFuture<Boolean> one = new CompletableFuture<>();
        waiting.add(one);
        return one;
    }

    /** Who was given this future does not wait any more. */
    synchronized void forget(CompletableFuture<Boolean> one) {
        waiting.remove(one);
    }

    /** How many wait for the next event. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** Takes no more events; whoever follows ends when he has read them all. */
    void close() {
        List<CompletableFuture<Boolean>> woken;
        synchronized (this) {
            closed = true;
            woken = List.copyOf(waiting);
            waiting.clear();
        }
        woken.forEach(one -> one.completeAsync(() -> false));
    }
}
