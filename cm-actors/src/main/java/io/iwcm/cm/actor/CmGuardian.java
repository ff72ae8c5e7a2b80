package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.QpId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * A connection manager as an actor: makes bridge, buckets and listeners on a NIC host, passes on what it is asked, and
 * stops in order: no new work, then no listeners, then no connections, then nothing. The NIC host stays.
 */
public final class CmGuardian extends AbstractBehavior<CmGuardian.Command> {

    /** What a connection manager can be told. */
    public sealed interface Command extends Portable {}

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

    /** A room with buckets for this bridge, here or on another member, would enter. */
    record Enter(ActorRef<Room.Command> room) implements Command {}

    /** The member of this address is out of reach: its buckets count no more. */
    public record MemberLost(Address address) implements Command {}

    /** The member can be reached again: its buckets begin anew. */
    public record MemberBack(Address address) implements Command {}

    /** Stop in order; answered last of all. */
    public record Stop(ActorRef<Stopped> replyTo) implements Command {}

    /** The answer: every connection has ended and everything is given back. */
    public record Stopped() implements Portable {}

    private record ListenersClosed() implements Command {}

    private record BucketDrained(IlqDispatcher.Drained answer) implements Command {}

    private record BucketGone(ActorRef<IlqDispatcher.Command> bucket) implements Command {}

    /** No bucket has been found for a connect. */
    private record Hopeless(long ticket) implements Command {}

    /** @param again not for the first time */
    private record BucketUp(ActorRef<IlqDispatcher.Command> bucket, boolean again) implements Command {}

    /** A connect between endpoints as they are on the wire. */
    record Mapped(Connect connect) implements Command {}

    private record Opened(IlqDispatcher.Opened opened) implements Command {}

    /** A connect that its bucket has not answered, or that waits for one. */
    private record Unanswered(Connect connect, Optional<ActorRef<IlqDispatcher.Command>> bucket, int repeats) {}

    /** How often a connect is given to another bucket because its bucket failed; it may be what they fail on. */
    private static final int CONNECT_REPEATS_MAX = 3;

    /** A connect waits so long for a bucket when there is none. */
    private static final Duration BUCKET_PATIENCE = Duration.ofSeconds(10);

    private enum BridgeStopped implements Command {
        INSTANCE
    }

    private final TimerScheduler<Command> timers;
    private final NicHost host;
    private final CmOptions options;
    private final CmCounters counters;
    private final ActorRef<Bridge.Command> bridge;
    private final ActorRef<Listeners.Command> listeners;
    private final List<ActorRef<IlqDispatcher.Command>> buckets = new ArrayList<>();
    private final Set<ActorRef<IlqDispatcher.Command>> drained = new HashSet<>();
    private final List<ActorRef<Stopped>> stoppers = new ArrayList<>();
    private final Map<Long, Unanswered> unanswered = new LinkedHashMap<>();
    private final ActorRef<IlqDispatcher.Opened> opened;
    private final ActorRef<IlqDispatcher.Drained> drainAnswers;
    private final ActorRef<IlqDispatcher.Up> ups;
    /** Listens that wait for our own room: a SYN that finds no bucket is lost. */
    private final List<Listen> early = new ArrayList<>();

    private boolean furnished;
    private long lastTicket;
    private long drainRound;
    private int nextBucket;

    private CmGuardian(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            NicHost host,
            CmOptions options,
            CmCounters counters,
            boolean withRoom) {
        super(context);
        this.timers = timers;
        this.host = host;
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
        this.ups = context.messageAdapter(IlqDispatcher.Up.class, up -> new BucketUp(up.bucket(), up.again()));
        this.furnished = !withRoom;
        if (withRoom) {
            context.spawn(Room.create(context.getSelf(), options, counters, Optional.of(host.clock())), "room");
        }
    }

    /** @param counters counted up from here on */
    public static Behavior<Command> create(NicHost host, CmOptions options, CmCounters counters) {
        return create(host, options, counters, true);
    }

    /**
     * One whose buckets may all be elsewhere.
     *
     * @param counters counted up from here on
     * @param withRoom whether it has a room of its own
     */
    public static Behavior<Command> create(NicHost host, CmOptions options, CmCounters counters, boolean withRoom) {
        return Watched.by(
                options.observer().actors(ActorKind.GUARDIAN),
                Behaviors.setup(context -> Behaviors.withTimers(
                        timers -> new CmGuardian(context, timers, host, options, counters, withRoom))));
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
                .onMessage(Enter.class, this::admit)
                .onMessage(BucketGone.class, gone -> forget(List.of(gone.bucket())))
                .onMessage(MemberLost.class, lost -> {
                    bridge.tell(new Bridge.MemberLost(lost.address()));
                    return forget(buckets.stream()
                            .filter(bucket -> bucket.path().address().equals(lost.address()))
                            .toList());
                })
                .onMessage(MemberBack.class, back -> {
                    bridge.tell(new Bridge.MemberBack(back.address()));
                    return this;
                })
                .onMessage(Hopeless.class, hopeless -> {
                    Unanswered waiting = unanswered.remove(hopeless.ticket());
                    if (waiting != null) waiting.connect().replyTo().tell(new ConnectAnswer.Refused(Cause.RESOURCES));
                    return this;
                })
                .onMessage(Stop.class, this::stop)
                .onMessage(ListenersClosed.class, _ -> drainBuckets())
                .onMessage(Mapped.class, mapped -> {
                    open(mapped.connect(), 0);
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
            open(marked, 0);
        } else {
            ActorRef<Mapped> onwards = getContext().messageAdapter(Mapped.class, mapped -> mapped);
            getContext().spawnAnonymous(MappedOrders.connect(options.portMapper(), counters, marked, onwards));
        }
        return this;
    }

    private Behavior<Command> admit(Enter enter) {
        enter.room()
                .tell(new Room.Admitted(
                        host.nextNumber(),
                        bridge,
                        listeners,
                        ups,
                        host.clock().nowNs(),
                        KeyedIsnSource.secretOf(options.params().isn())));
        return this;
    }

    /** A ticket is of one bucket: what another one says about it comes too late. */
    private void open(Connect connect, int repeats) {
        long ticket = ++lastTicket;
        if (buckets.isEmpty()) {
            unanswered.put(ticket, new Unanswered(connect, Optional.empty(), repeats));
            timers.startSingleTimer(ticket, new Hopeless(ticket), BUCKET_PATIENCE);
            return;
        }
        nextBucket = (nextBucket + 1) % buckets.size();
        ActorRef<IlqDispatcher.Command> bucket = buckets.get(nextBucket);
        unanswered.put(ticket, new Unanswered(connect, Optional.of(bucket), repeats));
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
        if (!buckets.contains(up.bucket())) {
            buckets.add(up.bucket());
            getContext().watchWith(up.bucket(), new BucketGone(up.bucket()));
        }
        reopen(waiting -> waiting.bucket().isEmpty()
                || (up.again() && waiting.bucket().get().equals(up.bucket())));
        if (buckets.size() >= options.buckets()) listenEarly();
        if (drainRound > 0) drainBuckets();
        return this;
    }

    private void listenEarly() {
        furnished = true;
        early.forEach(this::listen);
        early.clear();
    }

    private Behavior<Command> forget(List<ActorRef<IlqDispatcher.Command>> gone) {
        buckets.removeAll(gone);
        gone.forEach(bucket -> {
            getContext().unwatch(bucket);
            listeners.tell(new Listeners.Left(bucket));
        });
        reopen(waiting -> waiting.bucket().filter(gone::contains).isPresent());
        if (drainRound > 0) drainBuckets();
        return this;
    }

    private void reopen(Predicate<Unanswered> which) {
        Map<Long, Unanswered> again = new LinkedHashMap<>(unanswered);
        again.values().removeIf(which.negate());
        again.forEach((ticket, waiting) -> {
            unanswered.remove(ticket);
            timers.cancel(ticket);
            int repeats = waiting.bucket().isEmpty() ? waiting.repeats() : waiting.repeats() + 1;
            if (repeats <= CONNECT_REPEATS_MAX) open(waiting.connect(), repeats);
            else waiting.connect().replyTo().tell(new ConnectAnswer.Refused(Cause.RESOURCES));
        });
    }

    private Behavior<Command> listen(Listen listen) {
        if (!furnished) {
            early.add(listen);
            return this;
        }
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
            listenEarly(); // Refused by now.
        }
        return this;
    }

    private Behavior<Command> drainBuckets() {
        drained.clear(); // Who was empty may have adopted something by now.
        IlqDispatcher.Drain drain = new IlqDispatcher.Drain(++drainRound, options.stopGrace(), drainAnswers);
        buckets.forEach(bucket -> bucket.tell(drain));
        return stopWhenDrained();
    }

    private Behavior<Command> bucketDrained(BucketDrained answer) {
        if (answer.answer().round() != drainRound) return this;
        drained.add(answer.answer().bucket());
        return stopWhenDrained();
    }

    private Behavior<Command> stopWhenDrained() {
        if (drained.containsAll(buckets)) {
            getContext().watchWith(bridge, BridgeStopped.INSTANCE);
            bridge.tell(Bridge.Stop.INSTANCE);
        }
        return this;
    }
}
