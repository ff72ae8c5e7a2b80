package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
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

    private record BucketDrained(ActorRef<IlqDispatcher.Command> bucket) implements Command {}

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
    private int nextBucket;

    private CmGuardian(ActorContext<Command> context, NicHost host, CmOptions options, CmCounters counters) {
        super(context);
        this.options = options;
        this.counters = counters;
        this.bridge = context.spawn(Bridge.create(host), "bridge");
        this.listeners = context.spawn(
                Behaviors.supervise(Listeners.create(
                                bridge,
                                counters,
                                options.addresses(),
                                options.params().tcp().offer()))
                        .onFailure(SupervisorStrategy.resume()),
                "listeners");
        for (int i = 0; i < options.buckets(); i++) buckets.add(bucket(host, i));
    }

    /** @param counters counted up from here on */
    public static Behavior<Command> create(NicHost host, CmOptions options, CmCounters counters) {
        return Behaviors.setup(context -> new CmGuardian(context, host, options, counters));
    }

    private ActorRef<IlqDispatcher.Command> bucket(NicHost host, int index) {
        Owner owner = new Owner(index + 1L);
        Behavior<IlqDispatcher.Command> bucket = IlqDispatcher.create(
                self -> new NodeHome(
                        owner,
                        self,
                        bridge,
                        host.clock(),
                        options.params(),
                        counters,
                        options.observer(),
                        getContext().getSystem().ignoreRef()),
                listeners);
        return getContext().spawn(Behaviors.supervise(bucket).onFailure(SupervisorStrategy.restart()), "ilq-" + index);
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
        nextBucket = (nextBucket + 1) % buckets.size();
        CmGuardian.Connect marked =
                new Connect(options.marking().mark(connect.order()), connect.consumer(), connect.replyTo());
        ActorRef<IlqDispatcher.Command> bucket = buckets.get(nextBucket);
        if (options.portMapper() == PortMapper.IDENTITY) {
            bucket.tell(new IlqDispatcher.Connect(marked.order(), marked.consumer(), marked.replyTo()));
        } else {
            getContext().spawnAnonymous(MappedOrders.connect(options.portMapper(), counters, marked, bucket));
        }
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
        ActorRef<IlqDispatcher.Drained> answers =
                getContext().messageAdapter(IlqDispatcher.Drained.class, answer -> new BucketDrained(answer.bucket()));
        buckets.forEach(bucket -> bucket.tell(new IlqDispatcher.Drain(options.stopGrace(), answers)));
        return this;
    }

    private Behavior<Command> bucketDrained(BucketDrained answer) {
        drained.add(answer.bucket());
        if (drained.size() == buckets.size()) {
            getContext().watchWith(bridge, BridgeStopped.INSTANCE);
            bridge.tell(Bridge.Stop.INSTANCE);
        }
        return this;
    }
}
