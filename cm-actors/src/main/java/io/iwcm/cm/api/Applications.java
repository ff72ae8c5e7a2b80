package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmConsumer.Over;
import io.iwcm.cm.actor.CmConsumer.ToHandler;
import io.iwcm.cm.actor.CmConsumer.Told;
import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmNotice;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * The home of an application's handlers: told by connections wherever they live, it brings each one's events to its handler,
 * in order. With this actor the application dies.
 */
final class Applications extends AbstractBehavior<ToHandler> {

    /**
     * Told once, before any handler has a number.
     *
     * @param handlers the application's
     * @param executor runs them
     * @param calls for the connections they are given
     * @param counters count their failures
     */
    record Open(Handlers handlers, Executor executor, Calls calls, CmCounters counters) implements ToHandler {}

    /** A connection's name is its NIC's affair, its flow is its own. */
    private record Key(ConnectionId id, FlowKey flow) {
        static Key of(CmConnection connection) {
            return new Key(connection.id(), connection.flow());
        }
    }

    private record Live(long handler, Delivery delivery) {}

    private final Map<Key, Live> live = new HashMap<>();
    private final Open opened;

    private Applications(ActorContext<ToHandler> context, Open opened) {
        super(context);
        this.opened = opened;
    }

    static Behavior<ToHandler> create() {
        return Behaviors.receive(ToHandler.class)
                .onMessage(
                        Open.class,
                        open -> Behaviors.<ToHandler>supervise(
                                        Behaviors.setup(context -> new Applications(context, open)))
                                .onFailure(SupervisorStrategy.resume()))
                .build();
    }

    @Override
    public Receive<ToHandler> createReceive() {
        return newReceiveBuilder()
                .onMessage(Told.class, told -> {
                    tell(told.handler(), told.notice());
                    return this;
                })
                .onMessage(Over.class, over -> {
                    live.remove(Key.of(over.connection()));
                    opened.handlers().over(over.handler());
                    return this;
                })
                .build();
    }

    private void tell(long handler, CmNotice notice) {
        Key key = Key.of(notice.connection());
        Live known = live.get(key);
        if (known == null && notice instanceof CmNotice.Event(CmConnection connection, long _, var _)) {
            known = begin(handler, connection).orElse(null);
            if (known != null) live.put(key, known);
        }
        if (known != null) known.delivery().tell(notice);
    }

    private Optional<Live> begin(long handler, CmConnection connection) {
        return opened.handlers()
                .begin(handler)
                .map(to -> new Live(
                        handler, new Delivery(connection, to, opened.executor(), opened.calls(), opened.counters())));
    }
}
