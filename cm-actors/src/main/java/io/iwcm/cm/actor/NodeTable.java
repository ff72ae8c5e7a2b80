package io.iwcm.cm.actor;

import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The nodes of a bucket: those that have a flow by their flow, and those that have lost it and await the application's
 * answer by connection id, since the flow may be another connection's by now.
 */
final class NodeTable {

    record Node(NodeRecord record, ActorRef<CmNode.Command> ref) {
        CmConnection connection() {
            return record.connection();
        }
    }

    /** Most connections that have lost their flow and await an answer: peers can make them at will. */
    static final int AWAITING_ANSWER_MAX = 1024;

    private final Map<FlowKey, Node> byFlow = new HashMap<>();
    private final LinkedHashMap<ConnectionId, Node> awaitingAnswer = new LinkedHashMap<>();

    /** Whoever has this flow. A node that is over or has given its flow back has none, even before it has said so. */
    Optional<Node> find(FlowKey flow) {
        return Optional.ofNullable(byFlow.get(flow))
                .filter(node -> node.record().hasFlow());
    }

    Optional<Node> find(CmConnection connection) {
        return Optional.ofNullable(byFlow.get(connection.flow()))
                .filter(node -> node.connection().id().equals(connection.id()))
                .or(() -> Optional.ofNullable(awaitingAnswer.get(connection.id())));
    }

    /** Enters a node under its flow. One that had the flow before is set aside; see {@link #setAside}. */
    Optional<Node> add(Node node) {
        Optional<Node> tooOld =
                Optional.ofNullable(byFlow.get(node.connection().flow())).flatMap(before -> setAside(before.record()));
        byFlow.put(node.connection().flow(), node);
        return tooOld;
    }

    /**
     * A node's flow is another's by now, or nobody's: it is found by connection id only.
     *
     * @return the eldest of too many, which has to end
     */
    Optional<Node> setAside(NodeRecord record) {
        Node node = byFlow.get(record.connection().flow());
        if (node == null || node.record() != record) return Optional.empty();
        byFlow.remove(record.connection().flow());
        if (record.state() != StateName.CLOSED)
            awaitingAnswer.put(record.connection().id(), node);
        return awaitingAnswer.size() > AWAITING_ANSWER_MAX
                ? Optional.of(awaitingAnswer.pollFirstEntry().getValue())
                : Optional.empty();
    }

    void remove(NodeRecord record) {
        CmConnection connection = record.connection();
        awaitingAnswer.remove(connection.id());
        byFlow.computeIfPresent(connection.flow(), (_, node) -> node.record() == record ? null : node);
    }

    List<Node> all() {
        return Stream.concat(byFlow.values().stream(), awaitingAnswer.values().stream())
                .toList();
    }

    boolean isEmpty() {
        return byFlow.isEmpty() && awaitingAnswer.isEmpty();
    }
}
