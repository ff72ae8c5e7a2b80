package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicEvent.Failure;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One table of a device whose entries are shared: an entry is added for its first user and deleted after its last, and both
 * can be slow and can fail. About one entry the device is told one thing at a time, so that a deletion neither overtakes an
 * addition nor is overtaken by one; users who come meanwhile wait, and all who wait for an addition share its outcome.
 *
 * @param <K> names an entry
 * @param <T> what an order and a callback are carried out in
 */
public final class SharedEntries<K, T> {

    /** Takes orders to the device; each is answered by {@link #added} or {@link #deleted}, perhaps before it returns. */
    public interface Orders<K, T> {

        void add(K key, T turn);

        void delete(K key, T turn);

        /** The device would not delete an entry that nobody uses: {@link #deleteAgain} later. */
        void stuck(K key, T turn);

        /** The device has no such entry, and nobody wants it. */
        void gone(K key);
    }

    private enum State {
        ADDING,
        PRESENT,
        DELETING
    }

    private final class Row {
        private State state = State.ADDING;
        private int users;
        private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    }

    /** Told only once {@link #use} has returned: before, who uses can see for himself. */
    private final class Waiter {
        private final EntryUse<K> use;
        private final Consumer<T> then;
        private boolean away;

        Waiter(EntryUse<K> use, Consumer<T> then) {
            this.use = use;
            this.then = then;
        }
    }

    private final Orders<K, T> orders;
    private final LinkedHashMap<K, Row> rows = new LinkedHashMap<>();

    public SharedEntries(Orders<K, T> orders) {
        this.orders = orders;
    }

    /**
     * One use more.
     *
     * @param then called once when the use is settled, unless it is when this returns or has been left before
     */
    public EntryUse<K> use(K key, Consumer<T> then, T turn) {
        EntryUse<K> use = new EntryUse<>(key);
        Row row = rows.get(key);
        if (row != null && row.state == State.PRESENT) {
            row.users++;
            use.ready();
            return use;
        }
        Waiter waiter = new Waiter(use, then);
        if (row == null) {
            Row fresh = new Row();
            fresh.waiting.add(waiter);
            rows.put(key, fresh);
            orders.add(key, turn);
        } else {
            row.waiting.add(waiter);
        }
        waiter.away = true;
        return use;
    }

    /** One use less; one that has failed or was left before: nothing happens. */
    public void leave(EntryUse<K> use, T turn) {
        boolean ready = use.isReady();
        if (!ready && !use.isWaiting()) {
            return;
        }
        use.left();
        Row row = rows.get(use.key());
        if (row == null) {
            throw new IllegalStateException("no entry " + use.key());
        }
        if (!ready) {
            row.waiting.removeIf(waiter -> waiter.use == use);
        } else if (--row.users == 0) {
            delete(use.key(), row, turn);
        }
    }

    /** What the device has made of an addition. */
    public void added(K key, Optional<Failure> failed, T turn) {
        Row row = inState(key, State.ADDING);
        if (failed.isPresent()) {
            rows.remove(key);
            orders.gone(key);
            settle(row, turn, use -> use.failed(failed.get()));
            return;
        }
        row.state = State.PRESENT;
        row.users = row.waiting.size();
        if (row.users == 0) { // Everybody has left while it was being added.
            delete(key, row, turn);
        } else {
            settle(row, turn, EntryUse::ready);
        }
    }

    /** What the device has made of a deletion. */
    public void deleted(K key, Optional<Failure> failed, T turn) {
        Row row = inState(key, State.DELETING);
        if (failed.isPresent()) { // It is still there, for whoever wants it now.
            row.state = State.PRESENT;
            row.users = row.waiting.size();
            if (row.users == 0) {
                orders.stuck(key, turn);
            } else {
                settle(row, turn, EntryUse::ready);
            }
        } else if (row.waiting.isEmpty()) {
            rows.remove(key);
            orders.gone(key);
        } else {
            row.state = State.ADDING;
            orders.add(key, turn);
        }
    }

    /** Deletes an entry that was stuck, if nobody uses it by now. */
    public void deleteAgain(K key, T turn) {
        Row row = rows.get(key);
        if (row != null && row.state == State.PRESENT && row.users == 0) {
            delete(key, row, turn);
        }
    }

    /** Entries that the device has, is given, or is yet to lose. */
    public int size() {
        return rows.size();
    }

    private void delete(K key, Row row, T turn) {
        row.state = State.DELETING;
        orders.delete(key, turn);
    }

    private void settle(Row row, T turn, Consumer<EntryUse<K>> outcome) {
        List<Waiter> waiters = List.copyOf(row.waiting);
        row.waiting.clear();
        waiters.forEach(waiter -> outcome.accept(waiter.use));
        for (Waiter waiter : waiters) {
            if (waiter.away) {
                waiter.then.accept(turn);
            }
        }
    }

    private Row inState(K key, State expected) {
        Row row = rows.get(key);
        if (row == null || row.state != expected) {
            throw new IllegalStateException("entry " + key + " is not " + expected);
        }
        return row;
    }
}
