package io.iwcm.cm.actor;

import io.iwcm.cm.actor.NodeTable.Node;
import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CompletedSpec;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.Letter;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * One bucket of connections: takes what the NIC has for it, finds the node by the whole flow key, and makes one for a SYN
 * that a listener admits. The NIC divides the flows among the buckets: by flow hash for SYNs, by owner from then on.
 *
 * <p>It is the only one who tells its nodes anything. When it fails it restarts empty and under another name: the NIC divides
 * its flows anew, and they come with all that is needed to go on ({@code docs/ownership.md}).
 */
public final class IlqDispatcher extends AbstractBehavior<IlqDispatcher.Command> {

    /** What a bucket can be told. */
    public sealed interface Command extends Portable {}

    /** This incarnation is attached, and whatever the one before it had has been handed on. */
    record Up(ActorRef<Command> bucket, boolean again) implements Portable {}

    /** Open a connection. Refused at once, or started and then told to {@code consumer}. */
    record Connect(long ticket, ConnectOrder order, CmConsumer consumer, ActorRef<Opened> replyTo) implements Command {
        void answer(ConnectAnswer answer) {
            replyTo.tell(new Opened(ticket, answer));
        }
    }

    /** What came of a connect. */
    record Opened(long ticket, ConnectAnswer answer) implements Portable {}

    /** An application calls for something; see {@link CmConnection}. */
    public record Called(CmConnection connection, CmConnection.Call call, ActorRef<Cause> replyTo)
            implements Command, Letter {}

    record ConsumerFailed(CmConnection connection) implements Command, Letter {}

    record Serve(ListenKey key, Admission admission) implements Command {}

    record Unserve(ListenKey key) implements Command {}

    record ListenerGone(long listenerId) implements Command {}

    /** The NIC has this address, again or for the first time. */
    record AddressUp(Place place) implements Command {}

    /** The NIC has lost it: its connections end, and none that is being opened begins there. */
    record AddressDown(Place place) implements Command {}

    record Report(ActorRef<Reported> replyTo) implements Command {}

    record Reported(List<CmSnapshot.Node> nodes) implements Portable {}

    /** Takes nothing new, resets what is half open, closes what is open, and answers when it is empty. */
    record Drain(long round, Duration grace, ActorRef<Drained> replyTo) implements Command {}

    record Drained(ActorRef<Command> bucket, long round) implements Portable {}

    /** A node has ended; unless it failed, it waits for its release. */
    record NodeEnded(NodeRecord record, ActorRef<CmNode.Command> node, boolean waits) implements Command {}

    /** A node has given its flow back and only awaits the application's answer. */
    record FlowGivenBack(NodeRecord record, ActorRef<CmNode.Command> node) implements Command {}

    private record FromBridge(Bridge.Delivered delivered) implements Command {}

    private record Answered(NicControl.Answer answer) implements Command {}

    private record ConsumerDied(ActorRef<?> consumer) implements Command {}

    private enum GraceOver implements Command {
        INSTANCE
    }

    /** The id under which the bridge answers an attachment; no order has it. */
    private static final long ATTACHED = 0;

    private final NodeHome home;
    private final TimerScheduler<Command> timers;
    private final NodeTable table = new NodeTable();
    private final Set<NodeRecord> alive = new HashSet<>();
    private final Map<ListenKey, Admission> admissions = new HashMap<>();
    private final Map<ActorRef<?>, Integer> watched = new HashMap<>();
    private final Set<Place> down = new HashSet<>();
    private final NicOrders orders;
    private final CallRouter router;
    private final List<Drain> drainWaiters = new ArrayList<>();
    private long connectionCount;
    private boolean draining;
    private final ActorRef<Up> ups;
    private final ActorRef<Listeners.Command> listeners;

    private IlqDispatcher(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            NodeHome home,
            ActorRef<Listeners.Command> listeners,
            ActorRef<Up> ups) {
        super(context);
        this.home = home;
        this.listeners = listeners;
        this.ups = ups;
        this.timers = timers;
        this.orders = new NicOrders(
                home.bridge(),
                context.messageAdapter(NicControl.Answer.class, Answered::new),
                Optional.of(home.owner()));
        this.router = new CallRouter(home, table, orders, context.getSystem().ignoreRef());
    }

    /**
     * A bucket.
     *
     * @param homeOf what the bucket and its nodes need, made anew each time it starts
     * @param ups told each time when it has started
     */
    static Behavior<Command> create(
            Function<ActorRef<Command>, NodeHome> homeOf, ActorRef<Listeners.Command> listeners, ActorRef<Up> ups) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            NodeHome home = homeOf.apply(context.getSelf());
            IlqDispatcher bucket = new IlqDispatcher(context, timers, home, listeners, ups);
            listeners.tell(new Listeners.Joined(context.getSelf()));
            home.bridge()
                    .tell(new Bridge.Attach(
                            home.owner(),
                            home.incarnation().replaces(),
                            context.messageAdapter(Bridge.Delivered.class, FromBridge::new),
                            context.messageAdapter(NicControl.Answer.class, Answered::new)));
            return bucket;
        }));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(FromBridge.class, this::route)
                .onMessage(Called.class, called -> {
                    router.call(called, false);
                    return this;
                })
                .onMessage(NodeEnded.class, this::release)
                .onMessage(FlowGivenBack.class, given -> {
                    table.setAside(given.record()).ifPresent(this::drop);
                    return this;
                })
                .onMessage(Connect.class, this::connect)
                .onMessage(Answered.class, answered -> {
                    if (answered.answer().id() == ATTACHED)
                        ups.tell(new Up(
                                getContext().getSelf(),
                                home.incarnation().replaces().isPresent()));
                    else orders.answered(answered.answer());
                    return this;
                })
                .onMessage(Serve.class, serve -> {
                    admissions.put(serve.key(), serve.admission());
                    return this;
                })
                .onMessage(Unserve.class, unserve -> {
                    admissions.remove(unserve.key());
                    return this;
                })
                .onMessage(ListenerGone.class, this::forgetListener)
                .onMessage(AddressUp.class, up -> {
                    down.remove(up.place());
                    return this;
                })
                .onMessage(AddressDown.class, gone -> {
                    down.add(gone.place());
                    return tellAll(node -> gone.place().isOf(node.record()), new CmInput.AddressDown());
                })
                .onMessage(ConsumerFailed.class, failed -> {
                    router.consumerFailed(failed, false);
                    return this;
                })
                .onMessage(ConsumerDied.class, this::forgetConsumer)
                .onMessage(Report.class, this::report)
                .onMessage(Drain.class, this::drain)
                .onMessage(GraceOver.class, _ -> tellAll(_ -> true, new CmInput.Shutdown()))
                .build();
    }

    private Behavior<Command> route(FromBridge batch) {
        if (!batch.delivered().to().equals(home.owner()))
            return this; // What still matters of it comes with an adoption.
        int read = 0;
        for (Rnic.Delivery delivery : batch.delivered().deliveries()) {
            switch (delivery) {
                case Rnic.IlqEntry entry -> {
                    read++;
                    route(entry);
                }
                case Rnic.FlowEvent(var flow, long epoch, long number, var event) ->
                    table.find(flow).ifPresent(node -> node.ref().tell(new CmNode.FromNic(epoch, number, event)));
                case Rnic.Adopt adopt -> adopt(adopt);
                case Rnic.Forwarded(var _, var letter) -> {
                    if (letter instanceof Called called) router.call(called, true);
                    else if (letter instanceof ConsumerFailed failed) router.consumerFailed(failed, true);
                }
                case Rnic.Dismissed _ ->
                    throw new IllegalStateException(home.owner() + " has been dismissed"); // Begins anew.
            }
        }
        if (read > 0) home.bridge().tell(new Bridge.Grant(home.owner(), read));
        return this;
    }

    private void route(Rnic.IlqEntry entry) {
        FlowKey flow = entry.frame().addressing().flow();
        Segment segment = entry.frame().segment();
        Optional<Node> node = table.find(flow);
        if (node.isPresent()) {
            node.get().ref().tell(new CmNode.Arrived(segment));
            return;
        }
        Admission admission = entry.listener().map(admissions::get).orElse(null);
        boolean pureSyn = segment.syn() && !segment.hasAck() && !segment.rst();
        boolean opens = pureSyn || entry.completed().isPresent();
        if (admission == null || !opens || draining) {
            home.counters().count(CmCounter.ILQ_UNKNOWN_FLOW);
            return;
        }
        admit(entry, admission);
    }

    private void admit(Rnic.IlqEntry entry, Admission admission) {
        TcpFrame.Addressing addressing = entry.frame().addressing();
        FlowKey flow = addressing.flow();
        ListenOrder.Tos tos = admission.order().tos();
        if (addressing.trafficClass() != tos.trafficClass()) home.counters().count(CmCounter.TOS_MISMATCHES);
        Segment segment = entry.frame().segment();
        ListenKey listener = entry.listener().orElseThrow();
        Path path = tos.answering(addressing.trafficClass());
        NodeRecord record = record(flow, Role.PASSIVE, admission.consumer(), admission.listenerId());
        spawn(
                record,
                entry.completed()
                        .map(said ->
                                CmNode.completed(home, record, new CompletedSpec(flow, segment, listener, path, said)))
                        .orElseGet(() -> CmNode.passive(
                                home, record, new AdmitSpec(flow, segment, listener, path, entry.isnAbove()))));
    }

    /** Another bucket has failed: goes on with one of its connections. */
    private void adopt(Rnic.Adopt adopt) {
        if (!(adopt.checkpoint() instanceof NodeCheckpoint left)) return; // Not of a connection manager.
        NodeRecord record = left.record().movedTo(getContext().getSelf());
        spawn(record, CmNode.adopted(home, record, left, adopt.epoch(), adopt.events()));
        listeners.tell(new Listeners.Adopted(
                record.listenerId(), Place.of(adopt.flow()), getContext().getSelf()));
        if (draining) table.find(adopt.flow()).ifPresent(router::drain);
    }

    private Behavior<Command> connect(Connect connect) {
        if (draining) connect.answer(new ConnectAnswer.Refused(Cause.SHUTDOWN));
        else new ActiveOpen(connect, home, orders, this::open).begin();
        return this;
    }

    /** The local end and the queue pair are there. */
    private Optional<Cause> open(Connect connect, ConnectSpec spec, boolean inside) {
        if (draining) return Optional.of(Cause.SHUTDOWN);
        if (down.contains(Place.of(spec.flow()))) return Optional.of(Cause.LOCAL_DOWN); // It went while we asked.
        if (table.find(spec.flow()).isPresent()) return Optional.of(Cause.ADDRESS_IN_USE);

        NodeRecord record = record(spec.flow(), Role.ACTIVE, connect.consumer(), Listener.NO_LISTENER);
        connect.answer(new ConnectAnswer.Started(record.connection()));
        if (inside) home.counters().count(CmCounter.LPBS);
        spawn(record, CmNode.active(home, record, spec, connect.order().qp().isEmpty()));
        return Optional.empty();
    }

    private NodeRecord record(FlowKey flow, Role role, CmConsumer consumer, long listenerId) {
        ConnectionId id = ConnectionId.of(home.owner().id(), ++connectionCount);
        CmConnection connection = new CmConnection(id, flow, role, getContext().getSelf(), flow, listenerId);
        return new NodeRecord(connection, consumer, listenerId, home.clock().nowNs());
    }

    private void spawn(NodeRecord record, Behavior<CmNode.Command> behavior) {
        watch(record.consumer());
        alive.add(record);
        ActorWatch watch = home.observer().actors(ActorKind.NODE);
        ActorRef<CmNode.Command> node =
                getContext().spawnAnonymous(Watched.by(watch, behavior), Watched.mailbox(ActorKind.NODE, watch));
        table.add(new Node(record, node)).ifPresent(this::drop);
    }

    /** Its late answer will find nothing left to end. */
    private void drop(Node lost) {
        home.counters().count(CmCounter.LOST_REQUESTS_DROPPED);
        lost.ref().tell(new CmNode.Happened(new CmInput.ApplicationGone()));
    }

    private Behavior<Command> release(NodeEnded ended) {
        if (!alive.remove(ended.record())) return this; // Of this bucket's last life.
        table.remove(ended.record());
        unwatch(ended.record().consumer());
        if (ended.waits()) ended.node().tell(CmNode.Released.INSTANCE);
        return answerDrained();
    }

    private Behavior<Command> forgetListener(ListenerGone gone) {
        admissions.values().removeIf(admission -> admission.listenerId() == gone.listenerId());
        return tellAll(node -> node.record().listenerId() == gone.listenerId(), new CmInput.ListenerGone());
    }

    /** Watching costs, so it is done once per application, not once per connection. */
    private void watch(CmConsumer consumer) {
        consumer.actor().ifPresent(actor -> {
            if (watched.merge(actor, 1, Integer::sum) == 1) {
                getContext().watchWith(actor, new ConsumerDied(actor));
            }
        });
    }

    private void unwatch(CmConsumer consumer) {
        consumer.actor().filter(watched::containsKey).ifPresent(actor -> {
            if (watched.merge(actor, -1, Integer::sum) > 0) return;
            watched.remove(actor);
            getContext().unwatch(actor);
        });
    }

    private Behavior<Command> forgetConsumer(ConsumerDied died) {
        watched.remove(died.consumer());
        return tellAll(
                node -> node.record()
                        .consumer()
                        .actor()
                        .filter(died.consumer()::equals)
                        .isPresent(),
                new CmInput.ApplicationGone());
    }

    private Behavior<Command> tellAll(Predicate<Node> whose, CmInput input) {
        for (Node node : table.all()) {
            if (whose.test(node)) node.ref().tell(new CmNode.Happened(input));
        }
        return this;
    }

    private Behavior<Command> report(Report report) {
        long nowNs = home.clock().nowNs();
        report.replyTo()
                .tell(new Reported(table.all().stream()
                        .map(node -> CmSnapshot.Node.of(node.record(), nowNs))
                        .toList()));
        return this;
    }

    private Behavior<Command> drain(Drain drain) {
        draining = true;
        drainWaiters.add(drain);
        timers.startSingleTimer(GraceOver.INSTANCE, drain.grace());
        table.all().forEach(router::drain);
        return answerDrained();
    }

    private Behavior<Command> answerDrained() {
        if (draining && table.isEmpty()) {
            drainWaiters.forEach(
                    waiter -> waiter.replyTo().tell(new Drained(getContext().getSelf(), waiter.round())));
            drainWaiters.clear();
            timers.cancel(GraceOver.INSTANCE);
        }
        return this;
    }
}
