package io.iwcm.cm.http;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.cm.trace.Histories;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Watches a connection manager for the API: which connections there are and where they stand, what they went through, and what
 * applications are told. Made before the connection manager, since that is started with it.
 */
public final class Watch implements CmObserver {

    private final Histories histories;
    private final EventLog events;
    private final Map<ConnectionId, Live> live = new ConcurrentHashMap<>();

    private record Live(CmConnection connection, long bornNs, StateName state) {}

    public Watch(HttpSettings.Limits limits) {
        this.histories = new Histories(limits.histories());
        this.events = new EventLog(limits.events());
    }

    EventLog events() {
        return events;
    }

    /** One that lives, or ended not long ago. */
    Optional<Seen> find(ConnectionId id) {
        return Optional.ofNullable(live.get(id))
                .map(this::seen)
                .or(() -> histories.of(id).map(Seen::of));
    }

    /** All that live, in no order. */
    Stream<Seen> live() {
        return live.values().stream().map(this::seen);
    }

    /** All that ended not long ago, the latest first. */
    List<Seen> ended() {
        return histories.ended().stream().map(Seen::of).toList();
    }

    private Seen seen(Live connection) {
        return new Seen(
                connection.connection(),
                connection.bornNs(),
                connection.state(),
                histories.of(connection.connection().id()));
    }

    @Override
    public void began(CmConnection connection, Step first, long nowNs) {
        histories.began(connection, first, nowNs);
        stands(new Live(connection, nowNs, first.next().name()), first, nowNs);
    }

    @Override
    public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
        histories.stepped(connection, from, input, step, nowNs);
        Live before = live.get(connection.id());
        long bornNs = before == null ? nowNs : before.bornNs();
        stands(new Live(connection, bornNs, step.next().name()), step, nowNs);
    }

    /** Events are written down with the state that they led to, which is known only now. */
    private void stands(Live now, Step step, long nowNs) {
        if (now.state() == StateName.CLOSED) live.remove(now.connection().id());
        else live.put(now.connection().id(), now);
        for (CmOutput output : step.outputs()) {
            if (output instanceof CmOutput.Notify(var event) && !(event instanceof CmEvent.Closed))
                tell(now, event, nowNs);
        }
    }

    /** The last event of a connection comes even when its code failed and no step led to it. */
    @Override
    public void notified(CmConnection connection, CmEvent event, long nowNs) {
        if (!(event instanceof CmEvent.Closed)) return;
        Live before = live.remove(connection.id());
        long bornNs = before == null ? nowNs : before.bornNs();
        tell(new Live(connection, bornNs, StateName.CLOSED), event, nowNs);
    }

    private void tell(Live now, CmEvent event, long nowNs) {
        events.add(new EventLog.OfConnection(
                new Seen(now.connection(), now.bornNs(), now.state(), Optional.empty()), event, nowNs));
    }

    @Override
    public void frameReceived(byte[] frame, long nowNs) {}

    @Override
    public void frameSent(byte[] frame, long nowNs) {}
}
