package io.iwcm.cm.actor;

import io.iwcm.cm.proto.StateName;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What a bucket knows of a connection without asking it. The node writes the state, its bucket reads it: another thread
 * perhaps, and a little later.
 */
final class NodeRecord {

    private final CmConnection connection;
    private final CmConsumer consumer;
    private final long listenerId;
    private final long bornNs;
    private volatile StateName state = StateName.INITED;
    private volatile boolean hasFlow = true;

    NodeRecord(CmConnection connection, CmConsumer consumer, long listenerId, long bornNs) {
        this.connection = connection;
        this.consumer = consumer;
        this.listenerId = listenerId;
        this.bornNs = bornNs;
    }

    /** What crosses of it between members. */
    record Crossing(
            CmConnection connection,
            CmConsumer consumer,
            long listenerId,
            long bornNs,
            StateName state,
            boolean hasFlow) {}

    static NodeRecord of(Crossing crossing) {
        NodeRecord record =
                new NodeRecord(crossing.connection, crossing.consumer, crossing.listenerId, crossing.bornNs);
        record.state = crossing.state;
        record.hasFlow = crossing.hasFlow;
        return record;
    }

    Crossing crossing() {
        return new Crossing(connection, consumer, listenerId, bornNs, state, hasFlow);
    }

    /** The same connection in another bucket. */
    NodeRecord movedTo(ActorRef<IlqDispatcher.Command> home) {
        NodeRecord moved = new NodeRecord(
                new CmConnection(connection.id(), connection.flow(), connection.role(), home),
                consumer,
                listenerId,
                bornNs);
        moved.state = state;
        return moved;
    }

    CmConnection connection() {
        return connection;
    }

    CmConsumer consumer() {
        return consumer;
    }

    /** The listener it came by, or {@link Listener#NO_LISTENER}. */
    long listenerId() {
        return listenerId;
    }

    long bornNs() {
        return bornNs;
    }

    StateName state() {
        return state;
    }

    void state(StateName next) {
        state = next;
    }

    /** Whether what arrives on the flow is this connection's. Not: it is over, or only awaits the application's answer. */
    boolean hasFlow() {
        return hasFlow;
    }

    void flowGivenBack() {
        hasFlow = false;
    }
}
