package io.iwcm.nic.rnic;

import io.iwcm.nic.qp.QpOutput;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.qp.QueuePair;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpContext;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.Deadlines;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import java.util.HashMap;
import java.util.HashSet;
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
    private final QpParams params;
    private final int qpsMax;
    private final HashSet<QpId> made = new HashSet<>();
    private final HashSet<QpId> free = new HashSet<>();
    private final HashMap<QpId, Connection> taken = new HashMap<>();
    private final HashMap<FlowKey, Connection> byFlow = new HashMap<>();
    private final Deadlines<QpId> deadlines = new Deadlines<>();
    private int lastNumber;

    QpBank(Tables tables, Egress egress, QpParams params, int qpsMax) {
        this.tables = tables;
        this.egress = egress;
        this.params = params;
        this.qpsMax = qpsMax;
    }

    /** A new queue pair; empty when there are too many. */
    Optional<QpId> create() {
        if (made.size() >= qpsMax) {
            tables.counts.add(NicCounter.QPS_REFUSED);
            return Optional.empty();
        }
        QpId id;
        do {
            lastNumber = lastNumber % NUMBER_MAX + 1;
            id = new QpId(lastNumber);
        } while (!made.add(id));
        free.add(id);
        return Optional.of(id);
    }

    /** Ends a queue pair; a connection that it has is reset. Without such a queue pair: nothing happens. */
    void destroy(QpId id, Turn turn) {
        Connection connection = taken.get(id);
        if (connection != null) {
            abort(connection.entry, turn);
        }
        free.remove(id);
        made.remove(id);
    }

    int size() {
        return made.size();
    }

    /** Whether a connection can be handed over to it. */
    boolean isFree(QpId id) {
        return free.contains(id);
    }

    /** Lets a free queue pair take over a flow that is in the quad hash. */
    void takeOver(QpId id, FlowEntry entry, AddressHandle handle, HandOver handOver, Turn turn) {
        free.remove(id);
        tables.flows.handOver(entry);
        tables.timeWaits.forget(entry.flow());
        QpContext context = new QpContext(
                egress.addressing(entry.flow(), handle, turn), handOver.tcp(), handOver.rdma(), handOver.lsmm());
        Port port = new Port(id, entry, handle, turn);
        QueuePair pair = QueuePair.takeOver(id, context, params, turn.nowNs(), port);
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

    /** An order for a queue pair: carried out if it is the one that has this flow. */
    void order(FlowEntry entry, QpId id, Turn turn, BiConsumer<QueuePair, QpOutput> what) {
        Connection connection = taken.get(id);
        if (connection != null && connection.entry.flow().equals(entry.flow())) {
            with(connection, turn, what);
        }
    }

    /** Resets the peer of this flow; it ends. */
    void abort(FlowEntry entry, Turn turn) {
        with(byFlow.get(entry.flow()), turn, (pair, port) -> pair.abort(turn.nowNs(), port));
    }

    /** Does what is due. */
    void tick(Turn turn) {
        for (Optional<QpId> due = due(turn); due.isPresent(); due = due(turn)) {
            with(taken.get(due.get()), turn, (pair, port) -> pair.tick(turn.nowNs(), port));
        }
    }

    private Optional<QpId> due(Turn turn) {
        return deadlines.takeDue(turn.nowNs());
    }

    /** When {@link #tick} is due next, or {@link Long#MAX_VALUE}. */
    long nextNs() {
        return deadlines.nextNs();
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
            if (egress.send(entry.flow(), handle, segment, turn)) {
                tables.counts.add(NicCounter.QP_SEGMENTS_SENT);
            }
        }

        @Override
        public void event(AsyncEvent event) {
            turn.tell(entry, new NicEvent.QpEvent(event));
        }

        /** The flow is over, and whatever its connection still held goes with it. */
        @Override
        public void ended(Optional<TimeWaitRow> timeWait) {
            timeWait.ifPresent(row -> tables.timeWaits.enter(entry.flow(), row, turn.nowNs()));
            taken.remove(id);
            byFlow.remove(entry.flow());
            deadlines.clear(id);
            tables.release(entry);
        }
    }
}
