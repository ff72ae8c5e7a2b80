package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.IpAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * All listeners of a connection manager and its local addresses. It alone orders SYN entries from the NIC, one after the
 * other, so that taking one out cannot overtake putting the next one in; and a bucket knows whose a SYN is before the NIC
 * can send one.
 */
final class Listeners extends AbstractBehavior<Listeners.Command> {

    sealed interface Command {}

    record Listen(ListenOrder order, CmConsumer consumer, ActorRef<ListenAnswer> replyTo) implements Command {}

    /** A bucket is there, or there again, and knows of no listener. */
    record Joined(ActorRef<IlqDispatcher.Command> bucket) implements Command {}

    record Destroy(long id) implements Command {}

    record AddressUp(LocalAddress address) implements Command {}

    record AddressDown(IpAddress address, int vlan) implements Command {}

    record Report(ActorRef<Reported> replyTo) implements Command {}

    record Reported(List<CmSnapshot.Listener> listeners) {}

    /** Ends all listeners, takes none any more, and answers when no SYN can come. */
    record Close(ActorRef<Closed> replyTo) implements Command {}

    record Closed() {}

    private record Answered(NicControl.Answer answer) implements Command {}

    private record Definition(ListenOrder order, Admission admission, ActorRef<Listener.Command> listener) {}

    private final CmCounters counters;
    private final NicOrders orders;
    private final List<LocalAddress> addresses;
    private final Set<ActorRef<IlqDispatcher.Command>> buckets = new LinkedHashSet<>();
    private final Map<Long, Definition> definitions = new LinkedHashMap<>();
    private final Map<ListenKey, Long> installed = new LinkedHashMap<>();
    private final Map<Long, Integer> unlistening = new HashMap<>();
    private final Map<Long, ActorRef<Listener.Command>> ending = new LinkedHashMap<>();
    private final List<ActorRef<Closed>> closers = new ArrayList<>();
    private long lastId = Listener.NO_LISTENER;

    private Listeners(
            ActorContext<Command> context,
            ActorRef<Bridge.Command> bridge,
            CmCounters counters,
            List<LocalAddress> addresses) {
        super(context);
        this.counters = counters;
        this.addresses = new ArrayList<>(addresses);
        this.orders = new NicOrders(bridge, context.messageAdapter(NicControl.Answer.class, Answered::new));
    }

    static Behavior<Command> create(
            ActorRef<Bridge.Command> bridge, CmCounters counters, List<LocalAddress> addresses) {
        return Behaviors.setup(context -> new Listeners(context, bridge, counters, addresses));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Listen.class, this::listen)
                .onMessage(Destroy.class, destroy -> destroy(destroy.id()))
                .onMessage(Answered.class, answered -> {
                    orders.answered(answered.answer());
                    return this;
                })
                .onMessage(Joined.class, this::join)
                .onMessage(AddressUp.class, this::addressUp)
                .onMessage(AddressDown.class, this::addressDown)
                .onMessage(Report.class, this::report)
                .onMessage(Close.class, this::close)
                .build();
    }

    private Behavior<Command> listen(Listen listen) {
        ListenOrder order = listen.order();
        if (!closers.isEmpty()) return refuse(listen, Cause.SHUTDOWN);
        if (definitions.values().stream().anyMatch(other -> ListenPlan.collide(order, other.order()))) {
            return refuse(listen, Cause.ADDRESS_IN_USE);
        }
        if (!order.isWildcard() && addresses.stream().noneMatch(address -> ListenPlan.covers(order, address))) {
            return refuse(listen, Cause.ADDRESS_NOT_AVAILABLE);
        }
        long id = ++lastId;
        CmConsumer consumer = PolicyConsumer.of(
                order.answer(), listen.consumer(), getContext().getSystem().ignoreRef());
        ActorRef<Listener.Command> listener = getContext()
                .spawn(
                        Listener.create(id, listen.consumer(), getContext().getSelf(), listen.replyTo()),
                        "listener-" + id);
        counters.count(CmCounter.LISTEN_CREATED);
        definitions.put(id, new Definition(order, new Admission(id, order, consumer), listener));
        rearrange();
        return this;
    }

    private Behavior<Command> refuse(Listen listen, Cause cause) {
        listen.replyTo().tell(new ListenAnswer.Refused(cause));
        return this;
    }

    private Behavior<Command> destroy(long id) {
        Definition gone = definitions.remove(id);
        if (gone == null) return this;
        counters.count(CmCounter.LISTEN_DESTROYED);
        ending.put(id, gone.listener());
        rearrange();
        tellBuckets(new IlqDispatcher.ListenerGone(id));
        answerEnded(id);
        return this;
    }

    /** Says so when the last of its SYN entries is out. */
    private void answerEnded(long id) {
        if (unlistening.containsKey(id)) return;
        ActorRef<Listener.Command> listener = ending.remove(id);
        if (listener == null) return;
        listener.tell(Listener.Gone.INSTANCE);
        answerClosers();
    }

    /** Brings the SYN entries in line with listeners and addresses. */
    private void rearrange() {
        Map<Long, ListenOrder> listening = definitions.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().order(), (a, _) -> a, LinkedHashMap::new));
        Map<ListenKey, Long> plan = ListenPlan.arrange(listening, addresses);
        for (Map.Entry<ListenKey, Long> now : List.copyOf(installed.entrySet())) {
            if (!now.getValue().equals(plan.get(now.getKey()))) takeOut(now.getKey(), now.getValue());
        }
        Map<Long, Set<ListenKey>> coming = new LinkedHashMap<>();
        plan.forEach((key, id) -> {
            if (!installed.containsKey(key))
                coming.computeIfAbsent(id, _ -> new LinkedHashSet<>()).add(key);
        });
        definitions.forEach((id, definition) -> {
            Set<ListenKey> keys = coming.getOrDefault(id, Set.of());
            definition.listener().tell(new Listener.Expecting(keys));
            keys.forEach(key -> putIn(key, id, definition));
        });
    }

    private void takeOut(ListenKey key, long id) {
        installed.remove(key);
        counters.count(CmCounter.LISTEN_NODES_DESTROYED);
        tellBuckets(new IlqDispatcher.Unserve(key));
        unlistening.merge(id, 1, Integer::sum);
        orders.order(order -> new NicControl.Unlisten(order, key), _ -> {
            unlistening.computeIfPresent(id, (_, left) -> left > 1 ? left - 1 : null);
            answerEnded(id);
        });
        Definition definition = definitions.get(id);
        if (definition != null) definition.listener().tell(new Listener.ChildGone(key));
    }

    private void putIn(ListenKey key, long id, Definition definition) {
        installed.put(key, id);
        counters.count(CmCounter.LISTEN_NODES_CREATED);
        tellBuckets(new IlqDispatcher.Serve(key, definition.admission()));
        ListenOrder.Backlog backlog = definition.order().backlog();
        orders.order(order -> new NicControl.Listen(order, key, backlog.halfOpen(), backlog.waiting()), answer -> {
            switch (answer) {
                case NicControl.Done _ -> definition.listener().tell(new Listener.ChildUp(key));
                case NicControl.Failed(long _, var why) -> failed(key, id, definition, why);
                case NicControl.FlowOpened _, NicControl.QpCreated _ ->
                    failed(key, id, definition, NicEvent.Failure.DEVICE);
            }
        });
    }

    /** A child is kept only if its entry could be set. */
    private void failed(ListenKey key, long id, Definition definition, NicEvent.Failure why) {
        if (installed.remove(key, id)) {
            counters.count(CmCounter.LISTEN_NODES_DESTROYED);
            tellBuckets(new IlqDispatcher.Unserve(key));
        }
        definition.listener().tell(new Listener.ChildFailed(key, why));
    }

    private Behavior<Command> join(Joined joined) {
        buckets.add(joined.bucket());
        installed.forEach((key, id) -> {
            Definition definition = definitions.get(id);
            if (definition != null) joined.bucket().tell(new IlqDispatcher.Serve(key, definition.admission()));
        });
        return this;
    }

    private Behavior<Command> addressUp(AddressUp up) {
        LocalAddress address = up.address();
        if (addresses.contains(address)) return this;
        addresses.removeIf(known -> known.address().equals(address.address()) && known.vlan() == address.vlan());
        addresses.add(address);
        orders.order(id -> new NicControl.AddAddress(id, address), _ -> {});
        rearrange();
        return this;
    }

    /** The connections are told too; whether their resets still leave is the NIC's affair. */
    private Behavior<Command> addressDown(AddressDown down) {
        if (!addresses.removeIf(known -> known.address().equals(down.address()) && known.vlan() == down.vlan())) {
            return this;
        }
        rearrange();
        tellBuckets(new IlqDispatcher.AddressDown(down.address(), down.vlan()));
        orders.order(id -> new NicControl.RemoveAddress(id, down.address(), down.vlan()), _ -> {});
        return this;
    }

    private Behavior<Command> report(Report report) {
        List<CmSnapshot.Listener> rows = new ArrayList<>();
        definitions.forEach((id, definition) -> rows.add(new CmSnapshot.Listener(
                id,
                definition.order(),
                installed.keySet().stream()
                        .filter(key -> id.equals(installed.get(key)))
                        .toList())));
        report.replyTo().tell(new Reported(rows));
        return this;
    }

    private Behavior<Command> close(Close close) {
        closers.add(close.replyTo());
        List.copyOf(definitions.keySet()).forEach(this::destroy);
        answerClosers();
        return this;
    }

    private void answerClosers() {
        if (closers.isEmpty() || !ending.isEmpty() || !definitions.isEmpty()) return;
        closers.forEach(closer -> closer.tell(new Closed()));
    }

    private void tellBuckets(IlqDispatcher.Command command) {
        buckets.forEach(bucket -> bucket.tell(command));
    }
}
