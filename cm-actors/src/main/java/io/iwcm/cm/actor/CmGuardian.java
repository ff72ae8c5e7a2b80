package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * A connection manager as an actor: makes bridge, buckets and listeners on a NIC host, passes on what it is asked, and
 * stops in order: no new work, then no listeners, then no connections, then nothing. The NIC host stays.
 */
public final class CmGuardian extends AbstractBehavior<CmGuardian.Command> {

    /** What a connection manager can be told. */
    public sealed interface Command {}

    /**
     * Open a connection; the answer says whether events will follow. With an actor as consumer, {@link CmConsumer#of(ActorRef)},
     * it and its connection end with that actor.
     */
    public record Connect(ConnectOrder order, CmConsumer consumer, ActorRef<ConnectAnswer> replyTo)
            implements Command {}

    /**
     * Listen; answered when SYNs can come, or with why not. With an actor as consumer the listener and its connections end
     * with that actor.
     */
    public record Listen(ListenOrder order, CmConsumer consumer, ActorRef<ListenAnswer> replyTo) implements Command {}

    /** An address or an interface of the NIC comes or goes; answered when the NIC has carried that out. */
    public record Change(AddressChange change, ActorRef<AddressAnswer> replyTo) implements Command {}

    /** Make a queue pair that its application ends itself; the answer is the NIC's. */
    public record CreateQp(ActorRef<NicControl.Answer> replyTo) implements Command {}

    /** End such a queue pair; a connection that it still has is reset. */
    public record DestroyQp(QpId qp, ActorRef<NicControl.Answer> replyTo) implements Command {}

    /** How it stands. */
    public record Snapshot(ActorRef<CmSnapshot> replyTo) implements Command {}

    /** Stop in order; answered last of all. */
    public record Stop(ActorRef<Stopped> replyTo) implements Command {}

    /** The answer: every connection has ended and everything is given back. */
    public record Stopped() {}

    private record ListenersClosed() implements Command {}

    private record BucketDrained(IlqDispatcher.Drained answer) implements Command {}

    /** @param again not for the first time */
    private record BucketUp(ActorRef<IlqDispatcher.Command> bucket, boolean again) implements Command {}

    /** A connect between endpoints as they are on the wire. */
    record Mapped(Connect connect) implements Command {}

    private record Opened(IlqDispatcher.Opened opened) implements Command {}

    /** A connect that its bucket has not answered. */
    private record Unanswered(Connect connect, ActorRef<IlqDispatcher.Command> bucket, int repeats) {}

    /** How often a connect is given to another bucket because its bucket failed; it may be what they fail on. */
    private static final int CONNECT_REPEATS_MAX = 3;

    /** What comes while a bucket restarts waits; so many messages at most. */
    private static final SupervisorStrategy RESTART =
            SupervisorStrategy.restart().withStashCapacity(1_000_000);

    private enum BridgeStopped implements Command {
        INSTANCE
    }

    private final CmOptions options;
    private final CmCounters counters;
    private final ActorRef<Bridge.Command> bridge;
    private final ActorRef<Listeners.Command> listeners;
    private final List<ActorRef<IlqDispatcher.Command>> buckets = new ArrayList<>();
    private final Set<ActorRef<IlqDispatcher.Command>> drained = new HashSet<>();
    private final List<ActorRef<Stopped>> stoppers = new ArrayList<>();
    private final Map<Long, Unanswered> unanswered = new LinkedHashMap<>();
    private final AtomicLong lastOwner = new AtomicLong(); // Buckets name themselves when they start, on their threads.
    private final ActorRef<IlqDispatcher.Opened> opened;
    private final ActorRef<IlqDispatcher.Drained> drainAnswers;
    private long lastTicket;
    private long drainRound;
    private int nextBucket;

    private CmGuardian(ActorContext<Command> context, NicHost host, CmOptions options, CmCounters counters) {
        super(context);
        this.options = options;
        this.counters = counters;
        this.opened = context.messageAdapter(IlqDispatcher.Opened.class, Opened::new);
        this.drainAnswers = context.messageAdapter(IlqDispatcher.Drained.class, BucketDrained::new);
        WatchedMailbox.watch(context.getSystem(), options.observer()::actors);
        this.bridge = context.spawn(
                watched(ActorKind.BRIDGE, Bridge.create(host)), "bridge", mailbox(options, ActorKind.BRIDGE));
        this.listeners = context.spawn(
                Behaviors.supervise(watched(
                                ActorKind.LISTENERS,
                                Listeners.create(
                                        bridge,
                                        counters,
                                        options.addresses(),
                                        options.params().tcp().offer(),
                                        options.observer())))
                        .onFailure(SupervisorStrategy.resume()),
                "listeners",
                mailbox(options, ActorKind.LISTENERS));
        ActorRef<IlqDispatcher.Up> ups =
                context.messageAdapter(IlqDispatcher.Up.class, up -> new BucketUp(up.bucket(), up.again()));
        for (int i = 0; i < options.buckets(); i++) buckets.add(bucket(host, i, ups));
    }

    /** @param counters counted up from here on */
    public static Behavior<Command> create(NicHost host, CmOptions options, CmCounters counters) {
        return Watched.by(
                options.observer().actors(ActorKind.GUARDIAN),
                Behaviors.setup(context -> new CmGuardian(context, host, options, counters)));
    }

    /** What it is spawned with where its mailbox is to be seen by who observes. */
    public static Props props(ActorSystem<?> system, CmOptions options) {
        WatchedMailbox.watch(system, options.observer()::actors);
        return mailbox(options, ActorKind.GUARDIAN);
    }

    private static Props mailbox(CmOptions options, ActorKind kind) {
        return Watched.mailbox(kind, options.observer().actors(kind));
    }

    private <T> Behavior<T> watched(ActorKind kind, Behavior<T> behavior) {
        return Watched.by(options.observer().actors(kind), behavior);
    }

    private ActorRef<IlqDispatcher.Command> bucket(NicHost host, int index, ActorRef<IlqDispatcher.Up> ups) {
        AtomicReference<Optional<Owner>> before = new AtomicReference<>(Optional.empty());
        ActorRef<NicControl.Answer> ignored = getContext().getSystem().ignoreRef();
        Behavior<IlqDispatcher.Command> bucket = IlqDispatcher.create(
                self -> new NodeHome(
                        incarnation(before),
                        self,
                        bridge,
                        host.clock(),
                        options.params(),
                        counters,
                        options.observer(),
                        ignored),
                listeners,
                ups);
        return getContext()
                .spawn(
                        Behaviors.supervise(watched(ActorKind.BUCKET, bucket)).onFailure(RESTART),
                        "ilq-" + index,
                        mailbox(options, ActorKind.BUCKET));
    }

    private NodeHome.Incarnation incarnation(AtomicReference<Optional<Owner>> before) {
        Owner owner = new Owner(lastOwner.incrementAndGet());
        return new NodeHome.Incarnation(owner, before.getAndSet(Optional.of(owner)));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Connect.class, this::connect)
                .onMessage(Listen.class, this::listen)
                .onMessage(Change.class, change -> {
                    listeners.tell(new Listeners.Change(change.change(), change.replyTo()));
                    return this;
                })
                .onMessage(CreateQp.class, create -> {
                    bridge.tell(new Bridge.Control(new NicControl.CreateQp(0), create.replyTo()));
                    return this;
                })
                .onMessage(DestroyQp.class, destroy -> {
                    bridge.tell(new Bridge.Control(new NicControl.DestroyQp(0, destroy.qp()), destroy.replyTo()));
                    return this;
                })
                .onMessage(Snapshot.class, snapshot -> {
                    getContext()
                            .spawnAnonymous(SnapshotCollector.create(buckets, listeners, counters, snapshot.replyTo()));
                    return this;
                })
                .onMessage(Stop.class, this::stop)
                .onMessage(ListenersClosed.class, _ -> drainBuckets())
                .onMessage(Mapped.class, mapped -> {
                    open(++lastTicket, mapped.connect(), 0);
                    return this;
                })
                .onMessage(Opened.class, this::answerConnect)
                .onMessage(BucketUp.class, this::bucketUp)
                .onMessage(BucketDrained.class, this::bucketDrained)
                .onMessage(BridgeStopped.class, _ -> {
                    stoppers.forEach(stopper -> stopper.tell(new Stopped()));
                    return Behaviors.stopped();
                })
                .build();
    }

    private Behavior<Command> connect(Connect connect) {
        if (!stoppers.isEmpty()) {
            connect.replyTo().tell(new ConnectAnswer.Refused(Cause.SHUTDOWN));
            return this;
        }
        Connect marked = new Connect(options.marking().mark(connect.order()), connect.consumer(), connect.replyTo());
        if (options.portMapper() == PortMapper.IDENTITY) {
            open(++lastTicket, marked, 0);
        } else {
            ActorRef<Mapped> onwards = getContext().messageAdapter(Mapped.class, mapped -> mapped);
            getContext().spawnAnonymous(MappedOrders.connect(options.portMapper(), counters, marked, onwards));
        }
        return this;
    }

    private void open(long ticket, Connect connect, int repeats) {
        nextBucket = (nextBucket + 1) % buckets.size();
        ActorRef<IlqDispatcher.Command> bucket = buckets.get(nextBucket);
        unanswered.put(ticket, new Unanswered(connect, bucket, repeats));
        bucket.tell(new IlqDispatcher.Connect(ticket, connect.order(), connect.consumer(), opened));
    }

    private Behavior<Command> answerConnect(Opened answered) {
        Unanswered waiting = unanswered.remove(answered.opened().ticket());
        if (waiting != null) waiting.connect().replyTo().tell(answered.opened().answer());
        return this;
    }

    /**
     * A bucket has started, and if it is not its first start, it has forgotten what it was asked; what it answered before
     * has come before this.
     */
    private Behavior<Command> bucketUp(BucketUp up) {
        Map<Long, Unanswered> forgotten = new LinkedHashMap<>(up.again() ? unanswered : Map.of());
        forgotten.values().removeIf(waiting -> !waiting.bucket().equals(up.bucket()));
        forgotten.forEach((ticket, waiting) -> {
            unanswered.remove(ticket);
            if (waiting.repeats() < CONNECT_REPEATS_MAX) open(ticket, waiting.connect(), waiting.repeats() + 1);
            else waiting.connect().replyTo().tell(new ConnectAnswer.Refused(Cause.RESOURCES));
        });
        if (drainRound > 0) drainBuckets();
        return this;
    }

    private Behavior<Command> listen(Listen listen) {
        Listen marked = new Listen(options.marking().mark(listen.order()), listen.consumer(), listen.replyTo());
        if (options.portMapper() == PortMapper.IDENTITY) {
            listeners.tell(new Listeners.Listen(marked.order(), marked.consumer(), marked.replyTo()));
        } else {
            getContext().spawnAnonymous(MappedOrders.listen(options.portMapper(), counters, marked, listeners));
        }
        return this;
    }

    private Behavior<Command> stop(Stop stop) {
        stoppers.add(stop.replyTo());
        if (stoppers.size() == 1) {
            listeners.tell(new Listeners.Close(
                    getContext().messageAdapter(Listeners.Closed.class, _ -> new ListenersClosed())));
        }
        return this;
    }

    private Behavior<Command> drainBuckets() {
        drained.clear(); // Who was empty may have adopted something by now.
        IlqDispatcher.Drain drain = new IlqDispatcher.Drain(++drainRound, options.stopGrace(), drainAnswers);
        buckets.forEach(bucket -> bucket.tell(drain));
        return this;
    }

    private Behavior<Command> bucketDrained(BucketDrained answer) {
        if (answer.answer().round() != drainRound) return this;
        drained.add(answer.answer().bucket());
        if (drained.size() == buckets.size()) {
            getContext().watchWith(bridge, BridgeStopped.INSTANCE);
            bridge.tell(Bridge.Stop.INSTANCE);
        }
        return this;
    }
}
