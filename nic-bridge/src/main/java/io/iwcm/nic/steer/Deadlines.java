package io.iwcm.nic.steer;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who is due when: at most one deadline per key. Asking what is due costs by what is due, never by how many wait.
 *
 * @param <K> what a deadline belongs to; equal keys are one
 */
public final class Deadlines<K> {

    private final HashMap<K, At> byKey = new HashMap<>();
    private final TreeMap<At, K> inOrder = new TreeMap<>();
    private long set;

    /** Sets the deadline of {@code key}; an older one is replaced. {@link Long#MAX_VALUE}: none. */
    public void set(K key, long atNs) {
        At old = byKey.get(key);
        if (old != null && old.ns == atNs) {
            return;
        }
        clear(key);
        if (atNs != Long.MAX_VALUE) {
            At at = new At(atNs, set++);
            byKey.put(key, at);
            inOrder.put(at, key);
        }
    }

    /** Takes the deadline of {@code key} away; without one: nothing happens. */
    public void clear(K key) {
        At old = byKey.remove(key);
        if (old != null) {
            inOrder.remove(old);
        }
    }

    /** Takes out the key that is due first, if one is due at {@code nowNs}; ties in the order they were set. */
    public Optional<K> takeDue(long nowNs) {
        Map.Entry<At, K> first = inOrder.firstEntry();
        if (first == null || first.getKey().ns > nowNs) {
            return Optional.empty();
        }
        clear(first.getValue());
        return Optional.of(first.getValue());
    }

    /** The next deadline, or {@link Long#MAX_VALUE}. */
    public long nextNs() {
        return inOrder.isEmpty() ? Long.MAX_VALUE : inOrder.firstKey().ns;
    }

    public int size() {
        return byKey.size();
    }

    private record At(long ns, long order) implements Comparable<At> {
        @Override
        public int compareTo(At other) {
            return ns != other.ns ? Long.compare(ns, other.ns) : Long.compare(order, other.order);
        }
    }
}
