package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.bridge.NanoClock;
import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The buckets that one member has for one bridge, wherever that is: enters with the bridge's guardian, which gives it a number
 * that nobody has had there, and names its buckets by it. It ends with the guardian, and leaves in order when it is told to:
 * then its connections are others' before it goes.
 */
public final class Room extends AbstractBehavior<Room.Command> {

    /** What a room can be told. */
    public sealed interface Command extends Portable {}

    /**
     * It may attach its buckets.
     *
     * @param number its own at this bridge
     * @param nowNs the time there
     * @param isn what initial sequence numbers are keyed with at this bridge; empty: as the room has it
     */
    record Admitted(
            int number,
            ActorRef<Bridge.Command> bridge,
            ActorRef<Listeners.Command> listeners,
            ActorRef<IlqDispatcher.Up> ups,
            long nowNs,
            Optional<KeyedIsnSource.Secret> isn)
            implements Command {}

    /** Hand all connections to others, then go; answered last of all. */
    public record Leave(ActorRef<Left> replyTo) implements Command {}

    /** The answer. */
    public record Left() implements Portable {}

    private record Detached(Owner owner) implements Command {}

    private record BucketEnded() implements Command {}

    private enum Knock implements Command {
        INSTANCE
    }

    private enum GuardianGone implements Command {
        INSTANCE
    }

    private enum LeaveNow implements Command {
        INSTANCE
    }

    /** What a bucket is called now: written when it starts, read when it leaves. */
    private static final class Name {
        private volatile Optional<Owner> now = Optional.empty();
    }

    /** An answer that is not there by then is asked for again. */
    private static final Duration KNOCK_AGAIN = Duration.ofSeconds(1);
    /** Who leaves waits so long for the bridge to say that others have its connections. */
    private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(5);

    private static final int NAME_BITS = 12;

    /** What comes while a bucket restarts waits; so many messages at most. */
    private static final SupervisorStrategy RESTART =
            SupervisorStrategy.restart().withStashCapacity(1_000_000);

    private final TimerScheduler<Command> timers;
    private final ActorRef<CmGuardian.Command> guardian;
    private final CmOptions options;
    private final CmCounters counters;
    private final Optional<NanoClock> shared;
    private final AtomicInteger lastName = new AtomicInteger(); // Buckets name themselves, on their threads.
    private final List<Name> names = new ArrayList<>();
    private final Set<Owner> leaving = new HashSet<>();
    private Optional<Admitted> admitted = Optional.empty();
    private Optional<Leave> leave = Optional.empty();
    private long knockedNs;

    private Room(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            ActorRef<CmGuardian.Command> guardian,
            CmOptions options,
            CmCounters counters,
            Optional<NanoClock> shared) {
        super(context);
        this.timers = timers;
        this.guardian = guardian;
        this.options = options;
        this.counters = counters;
        this.shared = shared;
        context.watchWith(guardian, GuardianGone.INSTANCE);
        knock();
    }

    /**
     * A room.
     *
     * @param guardian of the bridge
     * @param options how many buckets, and how their connections work
     * @param counters count what these connections do
     * @param shared the bridge's clock where it is of this process; elsewhere the room finds out how far its own is from it
     */
    public static Behavior<Command> create(
            ActorRef<CmGuardian.Command> guardian, CmOptions options, CmCounters counters, Optional<NanoClock> shared) {
        return Behaviors.supervise(Behaviors.<Command>setup(context ->
                        Behaviors.withTimers(timers -> new Room(context, timers, guardian, options, counters, shared))))
                .onFailure(SupervisorStrategy.restart());
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Admitted.class, this::furnish)
                .onMessage(Knock.class, _ -> {
                    knock();
                    return this;
                })
                .onMessage(BucketEnded.class, _ -> {
                    if (leave.isEmpty()) throw new IllegalStateException("a bucket has ended, so all begin anew");
                    return this;
                })
                .onMessage(GuardianGone.class, _ -> Behaviors.stopped())
                .onMessage(Leave.class, this::leave)
                .onMessage(Detached.class, detached -> {
                    leaving.remove(detached.owner());
                    return leaving.isEmpty() ? go() : this;
                })
                .onMessage(LeaveNow.class, _ -> go())
                .build();
    }

    private void knock() {
        knockedNs = System.nanoTime();
        guardian.tell(new CmGuardian.Enter(getContext().getSelf()));
        timers.startSingleTimer(Knock.INSTANCE, KNOCK_AGAIN);
    }

    private Behavior<Command> furnish(Admitted answer) {
        if (admitted.isPresent()) return this; // It had asked twice.
        timers.cancel(Knock.INSTANCE);
        admitted = Optional.of(answer);
        NanoClock clock = shared.orElseGet(() -> clockOf(answer));
        CmParams params = answer.isn()
                .map(secret -> withIsn(options.params(), KeyedIsnSource.of(secret)))
                .orElse(options.params());
        for (int i = 0; i < options.buckets(); i++) spawn(i, answer, clock, params);
        return this;
    }

    /** Half of the way there and back is taken for the way back. */
    private NanoClock clockOf(Admitted answer) {
        long hereNs = System.nanoTime();
        long aheadNs = answer.nowNs() - (hereNs - (hereNs - knockedNs) / 2);
        return () -> System.nanoTime() + aheadNs;
    }

    private static CmParams withIsn(CmParams params, KeyedIsnSource isn) {
        return new CmParams(params.tcp(), params.deadlines(), params.mpa(), params.compat(), isn);
    }

    private void spawn(int index, Admitted at, NanoClock clock, CmParams params) {
        Name name = new Name();
        names.add(name);
        ActorRef<NicControl.Answer> ignored = getContext().getSystem().ignoreRef();
        Behavior<IlqDispatcher.Command> bucket = IlqDispatcher.create(
                self -> new NodeHome(
                        incarnation(at.number(), name),
                        self,
                        at.bridge(),
                        clock,
                        params,
                        counters,
                        options.observer(),
                        ignored),
                at.listeners(),
                at.ups());
        ActorWatch watch = options.observer().actors(ActorKind.BUCKET);
        ActorRef<IlqDispatcher.Command> spawned = getContext()
                .spawn(
                        Behaviors.supervise(Watched.by(watch, bucket)).onFailure(RESTART),
                        "ilq-" + index,
                        Watched.mailbox(ActorKind.BUCKET, watch));
        getContext().watchWith(spawned, new BucketEnded());
    }

    /** When a room has used up its names, its bucket fails for good, and the room enters anew. */
    private NodeHome.Incarnation incarnation(int room, Name name) {
        int number = lastName.incrementAndGet();
        if (number >= 1 << NAME_BITS) throw new IllegalStateException("room " + room + " has no name left");
        Owner owner = new Owner((long) room << NAME_BITS | number);
        Optional<Owner> before = name.now;
        name.now = Optional.of(owner);
        return new NodeHome.Incarnation(owner, before);
    }

    private Behavior<Command> leave(Leave order) {
        leave = Optional.of(order);
        if (admitted.isEmpty()) return go();
        var answers = getContext().messageAdapter(Bridge.Detached.class, detached -> new Detached(detached.owner()));
        for (Name name : names) {
            name.now.ifPresent(owner -> {
                leaving.add(owner);
                admitted.orElseThrow().bridge().tell(new Bridge.Detach(owner, answers));
            });
        }
        timers.startSingleTimer(LeaveNow.INSTANCE, LEAVE_PATIENCE);
        return this;
    }

    private Behavior<Command> go() {
        leave.ifPresent(order -> order.replyTo().tell(new Left()));
        return Behaviors.stopped();
    }
}
