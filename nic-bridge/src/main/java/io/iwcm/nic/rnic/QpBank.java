package io.iwcm.nic.rnic;

import io.iwcm.nic.qp.QpCounter;
import io.iwcm.nic.qp.QpOutput;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.qp.QueuePair;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpContext;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.Deadlines;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.verbs.VerbsOrder;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a NIC. One serves one connection in its life: a queue pair that has had a connection takes no other, and
 * waits to be destroyed.
 */
final class QpBank {

    private static final int NUMBER_MAX = (1 << 24) - 1;

    private final Tables tables;
    private final Egress egress;
    private final WorkBank works;
    private final QpParams params;
    private final int qpsMax;
    private final LinkedHashMap<QpId, Optional<Owner>> made = new LinkedHashMap<>();
    private final HashSet<QpId> free = new HashSet<>();
    /** Those in error: the device flushes what is posted to one, once. */
    private final HashSet<QpId> flushed = new HashSet<>();

    private final HashMap<QpId, Connection> taken = new HashMap<>();
    private final HashMap<FlowKey, Connection> byFlow = new HashMap<>();
    private final Deadlines<QpId> deadlines = new Deadlines<>();
    /** Those that the device would not move to ERROR, and when it is told again. */
    private final Deadlines<QpId> errorsDue = new Deadlines<>();

    /** What those have counted whose connection is over. */
    private final long[] ended = new long[QpCounter.values().length];

    private int lastNumber;

    QpBank(Tables tables, Egress egress, WorkBank works, QpParams params, int qpsMax) {
        this.tables = tables;
        this.egress = egress;
        this.works = works;
        this.params = params;
        this.qpsMax = qpsMax;
    }

    /**
     * A new queue pair; empty when there are too many.
     *
     * @param madeFor the dispatcher for whose connection it is; empty: an application's
     */
    Optional<QpId> create(Optional<Owner> madeFor) {
        if (made.size() >= qpsMax) {
            tables.counts.add(NicCounter.QPS_REFUSED);
            return Optional.empty();
        }
        QpId id;
        do {
            lastNumber = lastNumber % NUMBER_MAX + 1;
            id = new QpId(lastNumber);
        } while (made.containsKey(id));
        made.put(id, madeFor);
        free.add(id);
        return Optional.of(id);
    }

    /** Ends a queue pair; a connection that it has is reset. Without such a queue pair: nothing happens. */
    void destroy(QpId id, Turn turn) {
        Connection connection = taken.get(id);
        if (connection != null) {
            abort(connection, turn);
        } else if (made.containsKey(id)) {
            toError(id, turn);
        }
        flushed.remove(id);
        free.remove(id);
        made.remove(id);
        works.forget(id);
    }

    /** An application uses it; false when it is not there, or a connection has it. */
    boolean open(VerbsOrder.Open order) {
        return free.contains(order.qp()) && works.open(order.qp(), order.domain(), order.depth(), order.consumer());
    }

    /** An application has posted work. */
    void post(VerbsOrder.Post order, Turn turn) {
        works.post(order.qp(), order.work(), order.consumer());
        with(taken.get(order.qp()), turn, (pair, port) -> pair.posted(turn.nowNs(), port));
    }

    /** Those that the device would not move to ERROR. */
    int stuck() {
        return errorsDue.size();
    }

    /** Timers that run. */
    int deadlines() {
        return deadlines.size();
    }

    /** A dispatcher's connection that goes to another takes its queue pairs along: those named and the one that has it. */
    void handOn(FlowEntry entry, List<QpId> named, Owner to) {
        List<QpId> all = new ArrayList<>(named);
        Connection connection = byFlow.get(entry.flow());
        if (connection != null) {
            all.add(connection.pair.id());
        }
        all.forEach(id -> made.computeIfPresent(id, (_, maker) -> maker.map(_ -> to)));
    }

    /** Those that were made for connections of this dispatcher, oldest first. */
    List<QpId> madeFor(Owner owner) {
        return made.keySet().stream()
                .filter(id -> Optional.of(owner).equals(made.get(id)))
                .toList();
    }

    int size() {
        return made.size();
    }

    /** What all of them have counted so far. */
    Map<QpCounter, Long> counted() {
        EnumMap<QpCounter, Long> sum = new EnumMap<>(QpCounter.class);
        for (QpCounter counter : QpCounter.values()) {
            long living = made.keySet().stream()
                    .map(taken::get)
                    .filter(Objects::nonNull)
                    .mapToLong(connection -> connection.pair.count(counter))
                    .sum();
            sum.put(counter, ended[counter.ordinal()] + living);
        }
        return sum;
    }

    private void count(@Nullable Connection connection) {
        if (connection != null) {
            for (QpCounter counter : QpCounter.values()) {
                ended[counter.ordinal()] += connection.pair.count(counter);
            }
        }
    }

    /** Whether a connection can be handed over to it; from now on no other can. */
    boolean take(QpId id) {
        return free.remove(id);
    }

    /** It could not take a connection over, and may take another. */
    void giveBack(QpId id) {
        if (made.containsKey(id)) {
            free.add(id);
        }
    }

    /** Lets a taken queue pair take over a flow that is in the quad hash. */
    void takeOver(QpId id, FlowEntry entry, AddressHandle handle, QpContext context, Turn turn) {
        tables.flows.handOver(entry);
        tables.timeWaits.forget(entry.flow());
        Port port = new Port(id, entry, handle, turn);
        QueuePair pair = QueuePair.takeOver(id, context, params, works.of(id), turn.nowNs(), port);
        if (!pair.ended()) {
            Connection connection = new Connection(pair, entry, handle);
            taken.put(id, connection);
            byFlow.put(entry.flow(), connection);
            deadlines.set(id, pair.nextDeadlineNs());
        }
    }

    /** A segment for the queue pair that has this flow. */
    void segment(FlowEntry entry, Segment segment, Turn turn) {
        tables.counts.add(NicCounter.QP_SEGMENTS_RECEIVED);
        with(byFlow.get(entry.flow()), turn, (pair, port) -> pair.segment(segment, turn.nowNs(), port));
    }

    void terminate(FlowEntry entry, QpId id, TermCode code, Turn turn) {
        with(of(entry, id), turn, (pair, port) -> pair.terminate(code, turn.nowNs(), port));
    }

    /** Closes when the device lets it; when it does not, there is no orderly end. */
    void close(FlowEntry entry, QpId id, Turn turn) {
        Connection connection = of(entry, id);
        if (connection != null) {
            tables.device.order(
                    new DeviceCommand.QpToClosing(id),
                    (failed, later) -> {
                        if (failed.isPresent()) {
                            abort(taken.get(id), later);
                        } else {
                            with(taken.get(id), later, (pair, port) -> pair.close(later.nowNs(), port));
                        }
                    },
                    turn);
        }
    }

    void abort(FlowEntry entry, QpId id, Turn turn) {
        abort(of(entry, id), turn);
    }

    /** Resets the peer of this flow; it ends. */
    void abort(FlowEntry entry, Turn turn) {
        abort(byFlow.get(entry.flow()), turn);
    }

    /** The end comes at once, whatever the device makes of it. */
    private void abort(@Nullable Connection connection, Turn turn) {
        if (connection != null) {
            toError(connection.pair.id(), turn);
            with(connection, turn, (pair, port) -> pair.abort(turn.nowNs(), port));
        }
    }

    void toError(QpId id, Turn turn) {
        if (!taken.containsKey(id)) { // One that has a connection flushes with that.
            works.flush(id);
        }
        if (!made.containsKey(id) || flushed.add(id)) {
            orderError(id, turn);
        }
    }

    /** Nobody waits for it, but it has to happen: it is ordered until it has. */
    private void orderError(QpId id, Turn turn) {
        tables.device.order(
                new DeviceCommand.QpToError(id),
                (failed, later) -> {
                    if (failed.isPresent()) {
                        errorsDue.set(id, later.nowNs() + DeviceTable.AGAIN_NS);
                    }
                },
                turn);
    }

    /** The queue pair of this number if it is the one that has this flow. */
    private @Nullable Connection of(FlowEntry entry, QpId id) {
        Connection connection = taken.get(id);
        return connection != null && connection.entry.flow().equals(entry.flow()) ? connection : null;
    }

    /** Does what is due. */
    void tick(Turn turn) {
        for (var due = errorsDue.takeDue(turn.nowNs()); due.isPresent(); due = errorsDue.takeDue(turn.nowNs())) {
            orderError(due.get(), turn);
        }
        for (Optional<QpId> due = due(turn); due.isPresent(); due = due(turn)) {
            with(taken.get(due.get()), turn, (pair, port) -> pair.tick(turn.nowNs(), port));
        }
    }

    private Optional<QpId> due(Turn turn) {
        return deadlines.takeDue(turn.nowNs());
    }

    /** When {@link #tick} is due next, or {@link Long#MAX_VALUE}. */
    long nextNs() {
        return Math.min(deadlines.nextNs(), errorsDue.nextNs());
    }

    private void with(@Nullable Connection connection, Turn turn, BiConsumer<QueuePair, QpOutput> what) {
        if (connection == null) {
            return;
        }
        QueuePair pair = connection.pair;
        what.accept(pair, new Port(pair.id(), connection.entry, connection.handle, turn));
        if (!pair.ended()) {
            deadlines.set(pair.id(), pair.nextDeadlineNs());
        }
    }

    /** A flow, the queue pair that has it, and what it sends by: the connection's address handle may be gone by now. */
    private record Connection(QueuePair pair, FlowEntry entry, AddressHandle handle) {}

    /** What a queue pair does in one turn. */
    private final class Port implements QpOutput {
        private final QpId id;
        private final FlowEntry entry;
        private final AddressHandle handle;
        private final Turn turn;

        Port(QpId id, FlowEntry entry, AddressHandle handle, Turn turn) {
            this.id = id;
            this.entry = entry;
            this.handle = handle;
            this.turn = turn;
        }

        @Override
        public void transmit(Segment segment) {
            if (egress.send(entry.flow(), handle, segment, SendBuffers.Whom.OURS, turn)) {
                tables.counts.add(NicCounter.QP_SEGMENTS_SENT);
            }
        }

        @Override
        public void event(AsyncEvent event) {
            turn.tell(entry, new NicEvent.QpEvent(event));
            works.event(id, event);
        }

        /** The flow is over, and whatever its connection still held goes with it. */
        @Override
        public void ended(Optional<TimeWaitRow> timeWait) {
            timeWait.ifPresent(row -> tables.timeWaits.enter(entry.flow(), row, turn.nowNs()));
            count(taken.remove(id));
            byFlow.remove(entry.flow());
            deadlines.clear(id);
            tables.retire(entry, turn);
        }
    }
}
