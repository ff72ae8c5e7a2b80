package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Orders that ask the port mapper before they go on, an actor each: on the wire are the mapped endpoints, the application
 * is shown its own, and the mapping is given back when connection or listener is over.
 */
final class MappedOrders {

    private MappedOrders() {}

    /** What such an order is told. */
    sealed interface Message {}

    private record Local(Optional<Endpoint> wire) implements Message {}

    private record Remote(Optional<Endpoint> wire) implements Message {}

    private record Connecting(ConnectAnswer answer) implements Message {}

    private record Listening(ListenAnswer answer) implements Message {}

    private record Passing(RelayedConsumer.Relayed relayed) implements Message {}

    private enum ListenerGone implements Message {
        INSTANCE
    }

    /** How far a connect has come: its events may overtake the answer. */
    private static final class Progress {
        private boolean started;
        private boolean over;

        Behavior<Message> next() {
            return started && over ? Behaviors.stopped() : Behaviors.same();
        }
    }

    /** A port that is chosen by the NIC is nobody else's and needs no mapping. */
    static Behavior<Message> connect(
            PortMapper mapper, CmCounters counters, CmGuardian.Connect connect, ActorRef<CmGuardian.Mapped> onwards) {
        ConnectOrder order = connect.order();
        Mapping mapping = new Mapping(mapper, counters, order.local());
        return Behaviors.setup(context -> {
            if (order.local().port() == 0) context.getSelf().tell(new Local(Optional.of(order.local())));
            else context.pipeToSelf(mapping.add(), (wire, _) -> new Local(wire));
            return awaitLocal(context, connect, mapping, onwards);
        });
    }

    private static Behavior<Message> awaitLocal(
            ActorContext<Message> context,
            CmGuardian.Connect connect,
            Mapping mapping,
            ActorRef<CmGuardian.Mapped> onwards) {
        return Behaviors.receive(Message.class)
                .onMessage(Local.class, local -> {
                    if (local.wire().isEmpty()) return refuse(connect, mapping, Cause.ADDRESS_IN_USE);
                    context.pipeToSelf(mapping.query(connect.order().remote()), (wire, _) -> new Remote(wire));
                    return awaitRemote(
                            context, connect, mapping, onwards, local.wire().get());
                })
                .onSignal(PostStop.class, _ -> gone(mapping))
                .build();
    }

    private static Behavior<Message> awaitRemote(
            ActorContext<Message> context,
            CmGuardian.Connect connect,
            Mapping mapping,
            ActorRef<CmGuardian.Mapped> onwards,
            Endpoint local) {
        ConnectOrder order = connect.order();
        UnaryOperator<FlowKey> shown =
                flow -> new FlowKey(portOf(order.local(), flow.local()), order.remote(), flow.vlan());
        Progress progress = new Progress();
        return Behaviors.receive(Message.class)
                .onMessage(Remote.class, remote -> {
                    onwards.tell(new CmGuardian.Mapped(new CmGuardian.Connect(
                            order.between(local, remote.wire().orElse(order.remote())),
                            relayed(context, connect.consumer()),
                            context.messageAdapter(ConnectAnswer.class, Connecting::new))));
                    return Behaviors.same();
                })
                .onMessage(Connecting.class, connecting -> switch (connecting.answer()) {
                    case ConnectAnswer.Started(var connection) -> {
                        connect.replyTo()
                                .tell(new ConnectAnswer.Started(connection.shownAs(shown.apply(connection.flow()))));
                        progress.started = true;
                        yield progress.next(); // From here on the connection's end gives the mapping back.
                    }
                    case ConnectAnswer.Refused(var cause) -> refuse(connect, mapping, cause);
                })
                .onMessage(Passing.class, passing -> {
                    passOn(passing.relayed(), shown);
                    progress.over |= passing.relayed() instanceof RelayedConsumer.IsOver;
                    return progress.next();
                })
                .onSignal(PostStop.class, _ -> gone(mapping))
                .build();
    }

    private static CmConsumer relayed(ActorContext<Message> context, CmConsumer application) {
        return new RelayedConsumer(context.messageAdapter(RelayedConsumer.Relayed.class, Passing::new), application);
    }

    /** Shows the application its connection under the endpoints that it knows. */
    private static void passOn(RelayedConsumer.Relayed relayed, UnaryOperator<FlowKey> shown) {
        switch (relayed) {
            case RelayedConsumer.Notice(var application, CmNotice.Event(var connection, long number, var event)) ->
                application
                        .telling(new CmNotice.Event(shown(connection, shown), number, event))
                        .send();
            case RelayedConsumer.Notice(var application, CmNotice.Moved(var connection)) ->
                application
                        .telling(new CmNotice.Moved(shown(connection, shown)))
                        .send();
            case RelayedConsumer.IsOver(var application, var connection) ->
                application.over(shown(connection, shown)).ifPresent(Announcement::send);
            case RelayedConsumer.NoMore _ -> {}
        }
    }

    private static CmConnection shown(CmConnection connection, UnaryOperator<FlowKey> shown) {
        return connection.shownAs(shown.apply(connection.flow()));
    }

    private static Behavior<Message> refuse(CmGuardian.Connect connect, Mapping mapping, Cause cause) {
        mapping.remove();
        connect.replyTo().tell(new ConnectAnswer.Refused(cause));
        return Behaviors.stopped();
    }

    static Behavior<Message> listen(
            PortMapper mapper, CmCounters counters, CmGuardian.Listen listen, ActorRef<Listeners.Command> listeners) {
        Mapping mapping = new Mapping(mapper, counters, listen.order().local());
        return Behaviors.setup(context -> {
            context.pipeToSelf(mapping.add(), (wire, _) -> new Local(wire));
            return listening(context, mapper, listen, mapping, listeners);
        });
    }

    private static Behavior<Message> listening(
            ActorContext<Message> context,
            PortMapper mapper,
            CmGuardian.Listen listen,
            Mapping mapping,
            ActorRef<Listeners.Command> listeners) {
        Endpoint asked = listen.order().local();
        UnaryOperator<FlowKey> shown =
                flow -> new FlowKey(portOf(asked, flow.local()), mapper.unmapped(flow.remote()), flow.vlan());
        Set<ConnectionId> live = new HashSet<>();
        AtomicBoolean ended = new AtomicBoolean();
        return Behaviors.receive(Message.class)
                .onMessage(Local.class, local -> {
                    if (local.wire().isEmpty()) return refuse(listen, mapping, Cause.ADDRESS_IN_USE);
                    listeners.tell(new Listeners.Listen(
                            listen.order().on(local.wire().get()),
                            relayed(context, listen.consumer()),
                            context.messageAdapter(ListenAnswer.class, Listening::new)));
                    return Behaviors.same();
                })
                .onMessage(Listening.class, listening -> switch (listening.answer()) {
                    case ListenAnswer.Listening(long _, var listener) -> {
                        context.watchWith(listener, ListenerGone.INSTANCE);
                        listen.replyTo().tell(listening.answer());
                        yield Behaviors.same();
                    }
                    case ListenAnswer.Refused(var cause) -> refuse(listen, mapping, cause);
                })
                .onMessage(Passing.class, passing -> {
                    passOn(passing.relayed(), shown);
                    if (passing.relayed() instanceof RelayedConsumer.IsOver(var _, var connection))
                        live.remove(connection.id());
                    else if (passing.relayed() instanceof RelayedConsumer.Notice(var _, var notice))
                        live.add(notice.connection().id());
                    return live.isEmpty() && ended.get() ? Behaviors.stopped() : Behaviors.same();
                })
                .onMessage(ListenerGone.class, _ -> {
                    mapping.remove(); // Its connections go on without.
                    ended.set(true);
                    return live.isEmpty() ? Behaviors.stopped() : Behaviors.same();
                })
                .onSignal(PostStop.class, _ -> gone(mapping))
                .build();
    }

    private static Behavior<Message> refuse(CmGuardian.Listen listen, Mapping mapping, Cause cause) {
        mapping.remove();
        listen.replyTo().tell(new ListenAnswer.Refused(cause));
        return Behaviors.stopped();
    }

    private static Behavior<Message> gone(Mapping mapping) {
        mapping.remove();
        return Behaviors.same();
    }

    /** The address that the flow has, with the port that the application asked for, if it did. */
    private static Endpoint portOf(Endpoint asked, Endpoint wire) {
        return asked.port() == 0 ? wire : new Endpoint(wire.address(), asked.port());
    }
}
