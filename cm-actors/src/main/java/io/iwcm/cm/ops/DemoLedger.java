package io.iwcm.cm.ops;

import io.iwcm.cm.api.Connection;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmEvent.Closed;
import io.iwcm.cm.proto.CmEvent.ConnectReply;
import io.iwcm.cm.proto.CmEvent.Established;
import io.iwcm.nic.wire.FlowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What both ends of every connection of a demo were told, side by side. Safe for several threads. */
final class DemoLedger {

    private final Map<FlowKey, Pair> pairs = new LinkedHashMap<>();
    private final Map<FlowKey, Connection> initiators = new HashMap<>();

    /** One connection, seen from both ends. */
    record Pair(FlowKey flow, List<CmEvent> initiator, List<CmEvent> target) {

        private static boolean has(List<CmEvent> events, Class<? extends CmEvent> kind) {
            return events.stream().anyMatch(kind::isInstance);
        }

        boolean stands() {
            return has(target, Established.class) && has(initiator, ConnectReply.class);
        }

        boolean isOver() {
            boolean refused = initiator.stream()
                    .anyMatch(event -> event instanceof ConnectReply reply && reply.outcome() != Cause.NONE);
            return refused || (has(initiator, Closed.class) && has(target, Closed.class));
        }

        private Pair copy() {
            return new Pair(flow, List.copyOf(initiator), List.copyOf(target));
        }
    }

    /**
     * Notes an event of the initiator's end.
     *
     * @return the initiator's connection when this event made it stand at both ends
     */
    synchronized Optional<Connection> initiator(Connection connection, CmEvent event) {
        Pair pair = pair(connection.flow());
        initiators.put(pair.flow(), connection);
        return note(pair, pair.initiator(), event);
    }

    /** Notes an event of the target's end; returns as {@link #initiator} does. */
    synchronized Optional<Connection> target(Connection connection, CmEvent event) {
        Pair pair = pair(connection.flow().reversed());
        return note(pair, pair.target(), event);
    }

    private Pair pair(FlowKey flow) {
        return pairs.computeIfAbsent(flow, key -> new Pair(key, new ArrayList<>(), new ArrayList<>()));
    }

    private Optional<Connection> note(Pair pair, List<CmEvent> events, CmEvent event) {
        boolean stood = pair.stands();
        events.add(event);
        notifyAll();
        return !stood && pair.stands() ? Optional.ofNullable(initiators.get(pair.flow())) : Optional.empty();
    }

    /** Waits until so many connections are over, or until the time is. */
    synchronized void awaitOver(int connections, long timeoutSeconds) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        while (pairs.values().stream().filter(Pair::isOver).count() < connections) {
            long leftNs = endNs - System.nanoTime();
            if (leftNs <= 0) return;
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
        }
    }

    synchronized List<Pair> pairs() {
        return pairs.values().stream().map(Pair::copy).toList();
    }
}
