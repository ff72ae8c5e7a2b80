package io.iwcm.nic.steer;

import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage.Advertisement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The neighbours of a NIC and their MAC addresses, for ARP (RFC 826) and IPv6 neighbour discovery (RFC 4861 §7) alike.
 *
 * <p>Bounded three ways: entries, unresolved entries (half of them, RFC 6583), and flows that wait for one. A full table
 * forgets the neighbour that was used least recently. Of RFC 4861's states DELAY is left out: a stale neighbour is asked
 * again as soon as it is used, and used meanwhile.
 */
public final class Neighbours {

    /**
     * The limits and times of a neighbour table.
     *
     * @param entriesMax most neighbours, 2 or more
     * @param waitersMax most flows waiting for a resolution
     * @param triesMax how often a neighbour is asked before it counts as unreachable
     * @param retryNs time between two questions
     * @param reachableNs how long a confirmed neighbour is believed
     * @param forgetNs how long a neighbour that nobody uses, or that failed, is kept
     */
    public record Limits(int entriesMax, int waitersMax, int triesMax, long retryNs, long reachableNs, long forgetNs) {

        public static final Limits DEFAULT =
                new Limits(1024, 4096, 3, 1_000_000_000L, 30_000_000_000L, 600_000_000_000L);
    }

    /** What is known about a neighbour. */
    public enum State {
        /** Asked for, not answered yet: nothing can be sent. */
        INCOMPLETE,
        /** Confirmed not long ago. */
        REACHABLE,
        /** Known but not confirmed lately: used, and asked again when used. */
        STALE,
        /** Did not answer: nothing can be sent. The next use asks again. */
        FAILED
    }

    /** What becomes of a flow that asks for its next hop. */
    public enum Asked {
        /** The MAC address is known. */
        READY,
        /** The flow waits and will be told. */
        WAITING,
        /** Too many are unresolved or waiting. */
        REFUSED
    }

    /** Where results go; called while an input is being worked on. */
    public interface Output {
        /** Ask who has this address: everybody, or the host at {@code known} whether it is still there. */
        void solicit(Hop.Neighbour target, Optional<MacAddress> known);

        /** The flow's next hop is known. */
        void resolved(FlowKey waiter);

        /** The flow's next hop does not answer. */
        void unreachable(FlowKey waiter);
    }

    /** One neighbour, for people. */
    public record Row(Hop.Neighbour neighbour, State state, MacAddress mac, int waiting) {}

    /** A MAC address that an address handle keeps as long as it is {@link #isCurrent}: no question need be asked meanwhile. */
    public static final class Binding {
        private final MacAddress mac;
        private boolean current = true;

        private Binding(MacAddress mac) {
            this.mac = mac;
        }

        public MacAddress mac() {
            return mac;
        }

        /** Until anything about the neighbour changes: its address, how long it is believed, whether it is remembered. */
        public boolean isCurrent() {
            return current;
        }
    }

    private final Limits limits;
    private final NicCounts counts;
    private final LinkedHashMap<Hop.Neighbour, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // by last use
    private final Deadlines<Hop.Neighbour> deadlines = new Deadlines<>();
    private int incomplete;
    private int waiting;

    public Neighbours(Limits limits, NicCounts counts) {
        this.limits = limits;
        this.counts = counts;
    }

    /** A flow wants to send by {@code key}. When it has to wait, {@code waiter} is told once. */
    public Asked ask(Hop.Neighbour key, FlowKey waiter, long nowNs, Output out) {
        if (find(key, nowNs, out).isPresent()) {
            return Asked.READY;
        }
        Entry entry = entries.get(key);
        boolean asked = entry != null && entry.state == State.INCOMPLETE;
        if (entry == null || !asked || (waiting >= limits.waitersMax && !entry.waiters.contains(waiter))) {
            counts.add(NicCounter.NEIGHBOUR_REFUSALS);
            return Asked.REFUSED;
        }
        if (entry.waiters.add(waiter)) {
            waiting++;
        }
        return Asked.WAITING;
    }

    /** The flow does not wait any more. */
    public void cancel(Hop.Neighbour key, FlowKey waiter) {
        Entry entry = entries.get(key);
        if (entry != null && entry.waiters.remove(waiter)) {
            waiting--;
        }
    }

    /**
     * The MAC address to send to now. Without one the neighbour is asked for; with a stale one it is asked again. Never the
     * zero address.
     */
    public Optional<MacAddress> find(Hop.Neighbour key, long nowNs, Output out) {
        Entry entry = entries.get(key);
        if (entry == null) {
            if (incomplete >= limits.entriesMax / 2 || !makeRoom()) {
                return Optional.empty();
            }
            question(key, enter(key), nowNs, out);
            return Optional.empty();
        }
        switch (entry.state) {
            case INCOMPLETE -> {}
            case FAILED -> {
                if (incomplete >= limits.entriesMax / 2) {
                    return Optional.empty();
                }
                become(key, entry, State.INCOMPLETE, nowNs);
                question(key, entry, nowNs, out);
            }
            case STALE -> {
                if (entry.tries == 0) {
                    question(key, entry, nowNs, out);
                }
                return Optional.of(entry.mac);
            }
            case REACHABLE -> {
                return Optional.of(entry.mac);
            }
        }
        return Optional.empty();
    }

    /** As {@link #find}, for a handle that keeps what it finds: of a neighbour that is not confirmed it keeps nothing. */
    public Optional<Binding> bind(Hop.Neighbour key, long nowNs, Output out) {
        Optional<MacAddress> mac = find(key, nowNs, out);
        Entry entry = entries.get(key);
        if (mac.isEmpty() || entry == null || entry.state != State.REACHABLE) {
            return Optional.empty();
        }
        if (entry.binding.isEmpty()) {
            entry.binding = Optional.of(new Binding(mac.get()));
        }
        return entry.binding;
    }

    /**
     * An ARP packet or neighbour solicitation shows where its sender is: the merge rule of RFC 826, and RFC 4861 §7.2.3.
     * What is learnt this way is usable but unconfirmed.
     *
     * @param toUs it asks for an address of ours: the sender is entered even if it is new
     */
    public void heard(Hop.Neighbour key, MacAddress mac, boolean toUs, long nowNs, Output out) {
        if (!possible(mac)) {
            return;
        }
        Entry entry = entries.get(key);
        if (entry == null) {
            if (toUs && makeRoom()) {
                settle(key, enter(key), mac, State.STALE, nowNs, out);
            }
        } else if (!entry.hasMac() || !entry.mac.equals(mac)) {
            settle(key, entry, mac, State.STALE, nowNs, out);
        }
    }

    /** An ARP reply to us: confirms the neighbour. Nobody asked for: ignored. */
    public void confirmed(Hop.Neighbour key, MacAddress mac, long nowNs, Output out) {
        Entry entry = entries.get(key);
        if (entry != null && possible(mac)) {
            settle(key, entry, mac, State.REACHABLE, nowNs, out);
        }
    }

    /** A neighbour advertisement (RFC 4861 §7.2.5). */
    public void advertised(Hop.Neighbour key, Advertisement message, long nowNs, Output out) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return; // Nobody has any use for it.
        }
        Optional<MacAddress> told = message.linkAddress();
        if (told.isPresent() && !possible(told.get())) {
            return;
        }
        boolean solicited = message.flags().solicited();
        if (!entry.hasMac()) {
            told.ifPresent(mac -> settle(key, entry, mac, solicited ? State.REACHABLE : State.STALE, nowNs, out));
            return;
        }
        MacAddress mac = told.orElse(entry.mac);
        boolean differs = !mac.equals(entry.mac);
        if (differs && !message.flags().override()) {
            if (entry.state == State.REACHABLE) {
                become(key, entry, State.STALE, nowNs);
            }
        } else if (solicited) {
            settle(key, entry, mac, State.REACHABLE, nowNs, out);
        } else if (differs) {
            settle(key, entry, mac, State.STALE, nowNs, out);
        }
    }

    /** Does what is due. */
    public void tick(long nowNs, Output out) {
        for (Optional<Hop.Neighbour> due = deadlines.takeDue(nowNs); due.isPresent(); due = deadlines.takeDue(nowNs)) {
            Entry entry = entries.get(due.get());
            if (entry != null) {
                expired(due.get(), entry, nowNs, out);
            }
        }
    }

    /** When {@link #tick} is due next, or {@link Long#MAX_VALUE}. */
    public long nextNs() {
        return deadlines.nextNs();
    }

    public int size() {
        return entries.size();
    }

    /** How many flows wait for a resolution. */
    public int waiting() {
        return waiting;
    }

    /** All neighbours, the one used least recently first. */
    public List<Row> rows() {
        ArrayList<Row> rows = new ArrayList<>(entries.size());
        entries.forEach((key, entry) -> rows.add(new Row(key, entry.state, entry.mac, entry.waiters.size())));
        return rows;
    }

    private void expired(Hop.Neighbour key, Entry entry, long nowNs, Output out) {
        boolean asking = entry.state == State.INCOMPLETE || (entry.state == State.STALE && entry.tries > 0);
        if (asking && entry.tries < limits.triesMax) {
            question(key, entry, nowNs, out);
        } else if (asking) {
            counts.add(NicCounter.NEIGHBOUR_FAILURES);
            become(key, entry, State.FAILED, nowNs);
            release(entry).forEach(out::unreachable);
        } else if (entry.state == State.REACHABLE) {
            become(key, entry, State.STALE, nowNs);
        } else {
            entries.remove(key);
        }
    }

    private Entry enter(Hop.Neighbour key) {
        Entry entry = new Entry();
        entries.put(key, entry);
        incomplete++;
        return entry;
    }

    private void question(Hop.Neighbour key, Entry entry, long nowNs, Output out) {
        entry.tries++;
        deadlines.set(key, nowNs + limits.retryNs);
        counts.add(NicCounter.NEIGHBOUR_SOLICITS);
        out.solicit(key, entry.hasMac() ? Optional.of(entry.mac) : Optional.empty());
    }

    private void settle(Hop.Neighbour key, Entry entry, MacAddress mac, State state, long nowNs, Output out) {
        if (entry.hasMac() && !entry.mac.equals(mac)) {
            counts.add(NicCounter.NEIGHBOUR_CHANGES);
        }
        become(key, entry, state, nowNs);
        entry.mac = mac;
        release(entry).forEach(out::resolved);
    }

    private void become(Hop.Neighbour key, Entry entry, State state, long nowNs) {
        incomplete += (state == State.INCOMPLETE ? 1 : 0) - (entry.state == State.INCOMPLETE ? 1 : 0);
        entry.unbind();
        entry.state = state;
        entry.tries = 0;
        if (state == State.FAILED || state == State.INCOMPLETE) {
            entry.mac = MacAddress.ZERO;
        }
        deadlines.set(key, nowNs + (state == State.REACHABLE ? limits.reachableNs : limits.forgetNs));
    }

    private List<FlowKey> release(Entry entry) {
        List<FlowKey> released = List.copyOf(entry.waiters);
        waiting -= released.size();
        entry.waiters.clear();
        return released;
    }

    private boolean makeRoom() {
        if (entries.size() < limits.entriesMax) {
            return true;
        }
        return forgetEldest(true) || forgetEldest(false);
    }

    /** Who is bound is in use, however long ago it was asked for. Passes over the unresolved besides: at most half. */
    private boolean forgetEldest(boolean unboundOnly) {
        for (Map.Entry<Hop.Neighbour, Entry> eldest : entries.entrySet()) {
            Entry entry = eldest.getValue();
            if (entry.state != State.INCOMPLETE && (entry.binding.isEmpty() || !unboundOnly)) {
                entry.unbind();
                entries.remove(eldest.getKey());
                deadlines.clear(eldest.getKey());
                counts.add(NicCounter.NEIGHBOUR_EVICTIONS);
                return true;
            }
        }
        return false;
    }

    private boolean possible(MacAddress mac) {
        boolean possible = !mac.isGroup() && !mac.equals(MacAddress.ZERO);
        if (!possible) {
            counts.add(NicCounter.NEIGHBOUR_BAD_MAC);
        }
        return possible;
    }

    private static final class Entry {
        private final LinkedHashSet<FlowKey> waiters = new LinkedHashSet<>();
        private State state = State.INCOMPLETE;
        private MacAddress mac = MacAddress.ZERO;
        private int tries;
        private Optional<Binding> binding = Optional.empty();

        void unbind() {
            binding.ifPresent(held -> held.current = false);
            binding = Optional.empty();
        }

        boolean hasMac() {
            return !mac.equals(MacAddress.ZERO);
        }
    }
}
