package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.SynOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    sealed interface Command extends Portable {}

    record Listen(ListenOrder order, CmConsumer consumer, ActorRef<ListenAnswer> replyTo) implements Command {}

    /** A bucket is there, or there again, and knows of no listener. */
    record Joined(ActorRef<IlqDispatcher.Command> bucket) implements Command {}

    /** A bucket is there no more. */
    record Left(ActorRef<IlqDispatcher.Command> bucket) implements Command {}

    /** A bucket goes on with a connection, and may not have heard what has happened meanwhile. */
    record Adopted(long listenerId, Place place, ActorRef<IlqDispatcher.Command> bucket) implements Command {}

    record Destroy(long id) implements Command {}

    record Change(AddressChange change, ActorRef<AddressAnswer> replyTo) implements Command {}

    record Report(ActorRef<Reported> replyTo) implements Command {}

    record Reported(List<CmSnapshot.Listener> listeners) implements Portable {}

    /** Ends all listeners, takes none any more, and answers when no SYN can come. */
    record Close(ActorRef<Closed> replyTo) implements Command {}

    record Closed() implements Portable {}

    private record Answered(NicControl.Answer answer) implements Command {}

    private record Definition(
            ListenOrder order,
            Admission admission,
            ActorRef<Listener.Command> listener,
            Optional<ActorRef<RelayedConsumer.Relayed>> relay) {}

    /**
     * A SYN entry and whose it is.
     *
     * @param generation tells it from an earlier one on the same key, whose answer may come late
     */
    private record Child(long listenerId, long generation) {}

    private final CmCounters counters;
    private final NicOrders orders;
    private final LocalInterfaces interfaces;
    private final SynOffer offer;
    private final ActorWatch watch;
    private final Set<ActorRef<IlqDispatcher.Command>> buckets = new LinkedHashSet<>();
    private final Set<Place> lost = new LinkedHashSet<>();
    private final Map<Long, Definition> definitions = new LinkedHashMap<>();
    private final Map<ListenKey, Child> installed = new LinkedHashMap<>();
    private final Map<Long, Integer> unlistening = new HashMap<>();
    private final Map<Long, ActorRef<Listener.Command>> ending = new LinkedHashMap<>();
    private final List<ActorRef<Closed>> closers = new ArrayList<>();
    private long lastId = Listener.NO_LISTENER;
    private long lastGeneration;

    private Listeners(
            ActorContext<Command> context,
            ActorRef<Bridge.Command> bridge,
            CmCounters counters,
            List<LocalAddress> addresses,
            SynOffer offer,
            ActorWatch watch) {
        super(context);
        this.watch = watch;
        this.counters = counters;
        this.offer = offer;
        this.interfaces = new LocalInterfaces(addresses);
        this.orders =
                new NicOrders(bridge, context.messageAdapter(NicControl.Answer.class, Answered::new), Optional.empty());
    }

    /**
     * @param offer what the SYN-ACKs of all of them say
     * @param observer may watch each of them
     */
    static Behavior<Command> create(
            ActorRef<Bridge.Command> bridge,
            CmCounters counters,
            List<LocalAddress> addresses,
            SynOffer offer,
            CmObserver observer) {
        return Behaviors.setup(context ->
                new Listeners(context, bridge, counters, addresses, offer, observer.actors(ActorKind.LISTENER)));
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
                .onMessage(Left.class, left -> {
                    buckets.remove(left.bucket());
                    return this;
                })
                .onMessage(Adopted.class, this::bringUpToDate)
                .onMessage(Change.class, this::change)
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
        if (!order.isWildcard() && interfaces.up().stream().noneMatch(address -> ListenPlan.covers(order, address))) {
            return refuse(listen, Cause.ADDRESS_NOT_AVAILABLE);
        }
        long id = ++lastId;
        Optional<ActorRef<RelayedConsumer.Relayed>> relay = relay(id, order.answer());
        CmConsumer consumer = relay.<CmConsumer>map(to -> new RelayedConsumer(to, listen.consumer()))
                .orElse(listen.consumer());
        ActorRef<Listener.Command> listener = getContext()
                .spawn(
                        Watched.by(
                                watch,
                                Listener.create(
                                        id, listen.consumer(), getContext().getSelf(), listen.replyTo())),
                        "listener-" + id,
                        Watched.mailbox(ActorKind.LISTENER, watch));
        counters.count(CmCounter.LISTEN_CREATED);
        definitions.put(id, new Definition(order, new Admission(id, order, consumer), listener, relay));
        rearrange();
        return this;
    }

    /** Who answers for the application, unless it wants to be asked. */
    private Optional<ActorRef<RelayedConsumer.Relayed>> relay(long id, ListenOrder.AnswerPolicy policy) {
        return switch (policy) {
            case ListenOrder.AnswerPolicy.Ask _ -> Optional.empty();
            case ListenOrder.AnswerPolicy.Accept _, ListenOrder.AnswerPolicy.Reject _ ->
                Optional.of(getContext().spawn(PolicyRelay.create(policy, counters), "policy-" + id));
        };
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
        gone.relay().ifPresent(relay -> relay.tell(RelayedConsumer.NoMore.INSTANCE));
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
        Map<ListenKey, Long> plan = ListenPlan.arrange(listening, interfaces.up());
        Map.copyOf(installed).forEach((key, child) -> {
            long id = child.listenerId();
            if (!Long.valueOf(id).equals(plan.get(key))) takeOut(key, id);
        });
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
        Child child = new Child(id, ++lastGeneration);
        installed.put(key, child);
        counters.count(CmCounter.LISTEN_NODES_CREATED);
        tellBuckets(new IlqDispatcher.Serve(key, definition.admission()));
        ListenOrder.Backlog backlog = definition.order().backlog();
        orders.order(
                order -> new NicControl.Listen(order, key, backlog.halfOpen(), backlog.waiting(), offer), answer -> {
                    if (!child.equals(installed.get(key)))
                        return; // It was taken out meanwhile, and its listener knows.
                    switch (answer) {
                        case NicControl.Done _ -> definition.listener().tell(new Listener.ChildUp(key));
                        case NicControl.Failed(long _, var why) -> failed(key, definition, why);
                        case NicControl.FlowOpened _, NicControl.QpCreated _ ->
                            failed(key, definition, NicEvent.Failure.DEVICE);
                    }
                });
    }

    /** A child is kept only if its entry could be set. */
    private void failed(ListenKey key, Definition definition, NicEvent.Failure why) {
        installed.remove(key);
        counters.count(CmCounter.LISTEN_NODE_FAILURES);
        counters.count(CmCounter.LISTEN_NODES_DESTROYED);
        tellBuckets(new IlqDispatcher.Unserve(key));
        definition.listener().tell(new Listener.ChildFailed(key, why));
    }

    private Behavior<Command> join(Joined joined) {
        buckets.add(joined.bucket());
        lost.forEach(place -> joined.bucket().tell(new IlqDispatcher.AddressDown(place)));
        installed.forEach((key, child) -> {
            Definition definition = definitions.get(child.listenerId());
            if (definition != null) joined.bucket().tell(new IlqDispatcher.Serve(key, definition.admission()));
        });
        return this;
    }

    private Behavior<Command> bringUpToDate(Adopted adopted) {
        boolean listenerGone =
                adopted.listenerId() != Listener.NO_LISTENER && !definitions.containsKey(adopted.listenerId());
        if (listenerGone) adopted.bucket().tell(new IlqDispatcher.ListenerGone(adopted.listenerId()));
        if (lost.contains(adopted.place())) adopted.bucket().tell(new IlqDispatcher.AddressDown(adopted.place()));
        return this;
    }

    private Behavior<Command> change(Change change) {
        if (!closers.isEmpty()) {
            counters.count(CmCounter.ADDRESS_CHANGES_IGNORED);
            change.replyTo().tell(new AddressAnswer.Refused(Cause.SHUTDOWN));
            return this;
        }
        Set<LocalAddress> before = interfaces.up();
        if (!interfaces.apply(change.change())) counters.count(CmCounter.ADDRESS_CHANGES_IGNORED);
        Set<LocalAddress> after = interfaces.up();
        List<LocalAddress> coming =
                after.stream().filter(address -> !before.contains(address)).toList();
        Set<Place> staying = after.stream().map(Place::of).collect(Collectors.toSet());
        List<Place> going = before.stream()
                .map(Place::of)
                .filter(place -> !staying.contains(place))
                .toList();
        AddressOrders changing = new AddressOrders(coming.size() + going.size(), change.replyTo());
        coming.forEach(address -> bring(address, changing));
        rearrange();
        going.forEach(place -> take(place, changing));
        return this;
    }

    private void bring(LocalAddress address, AddressOrders changing) {
        counters.count(CmCounter.ADDRESS_UPS);
        lost.remove(Place.of(address));
        tellBuckets(new IlqDispatcher.AddressUp(Place.of(address)));
        orders.order(id -> new NicControl.AddAddress(id, address), answer -> {
            if (answer instanceof NicControl.Failed(long _, var why)) {
                getContext().getLog().warn("the NIC does not take the address {}: {}", address, why);
                interfaces.forget(address);
                rearrange();
                changing.failed(Failures.cause(why));
            } else {
                changing.done();
            }
        });
    }

    /**
     * The connections are told at once, before the NIC has let the address go, so that a NIC that is slow keeps nobody
     * waiting; the buckets let none begin there meanwhile. Whether their resets still leave is the NIC's affair.
     */
    private void take(Place place, AddressOrders changing) {
        counters.count(CmCounter.ADDRESS_DOWNS);
        lost.add(place);
        tellBuckets(new IlqDispatcher.AddressDown(place));
        orders.order(id -> new NicControl.RemoveAddress(id, place.address(), place.vlan()), _ -> changing.done());
    }

    private Behavior<Command> report(Report report) {
        List<CmSnapshot.Listener> rows = new ArrayList<>();
        definitions.forEach((id, definition) -> rows.add(new CmSnapshot.Listener(
                id,
                definition.order(),
                installed.entrySet().stream()
                        .filter(child -> id == child.getValue().listenerId())
                        .map(Map.Entry::getKey)
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
