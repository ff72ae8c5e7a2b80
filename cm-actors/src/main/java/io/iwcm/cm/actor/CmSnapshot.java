package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.wire.FlowKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A connection manager at one moment, for operators and tests; prints itself as a table. The buckets answer one after the
 * other, so that a connection may be a little older in it than its neighbour.
 *
 * @param listeners by id
 * @param nodes by id
 * @param counters all, in the enum's order
 */
public record CmSnapshot(List<Listener> listeners, List<Node> nodes, Map<CmCounter, Long> counters)
        implements Portable {

    public CmSnapshot {
        listeners = List.copyOf(listeners);
        nodes = nodes.stream()
                .sorted(Comparator.comparingLong(node -> node.id().value()))
                .toList();
    }

    /**
     * A listening endpoint.
     *
     * @param id its number
     * @param order what was asked for
     * @param children its SYN entries
     */
    public record Listener(long id, ListenOrder order, List<ListenKey> children) {
        public Listener {
            children = List.copyOf(children);
        }
    }

    /**
     * A connection.
     *
     * @param id its name
     * @param role who opened it
     * @param flow both endpoints and the VLAN
     * @param state where it stands
     * @param age since it was made
     */
    public record Node(ConnectionId id, Role role, FlowKey flow, StateName state, Duration age) {
        static Node of(NodeRecord record, long nowNs) {
            CmConnection connection = record.connection();
            return new Node(
                    connection.id(),
                    connection.role(),
                    connection.flow(),
                    record.state(),
                    Duration.ofNanos(nowNs - record.bornNs()));
        }
    }

    /** Listeners, connections, then the counters that are not zero. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(String.format("%-9s %-48s %-48s %-19s %9s%n", "Id", "Local", "Remote", "State", "Age"));
        for (Listener listener : listeners) {
            text.append(line(
                    "L" + listener.id(),
                    listener.order().local().toString(),
                    listener.children().size() + " SYN entries",
                    StateName.LISTENING.name(),
                    ""));
        }
        for (Node node : nodes) {
            String vlan = node.flow().vlan() == 0 ? "" : " vlan " + node.flow().vlan();
            text.append(line(
                    (node.role() == Role.ACTIVE ? "A" : "P") + node.id(),
                    node.flow().local() + vlan,
                    node.flow().remote().toString(),
                    node.state().name(),
                    String.format("%d.%03ds", node.age().toSeconds(), node.age().toMillisPart())));
        }
        counters.forEach((counter, value) -> {
            if (value != 0) text.append(String.format("%12d %-24s %s%n", value, counter.label(), counter.sentence()));
        });
        return text.toString();
    }

    private static String line(String id, String local, String remote, String state, String age) {
        return String.format("%-9s %-48s %-48s %-19s %9s%n", id, local, remote, state, age);
    }
}
