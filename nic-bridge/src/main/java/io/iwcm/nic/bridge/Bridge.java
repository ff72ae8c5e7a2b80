package io.iwcm.nic.bridge;

import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * A NIC's face in an actor system: what dispatchers, connections and listeners tell goes on to the {@link NicHost} in order.
 * It watches the dispatchers: one that dies is detached. When it ends itself, all of them are, and unless it was told to
 * stop, their flows wait for the next bridge.
 */
public final class Bridge extends AbstractBehavior<Bridge.Command> {

    /** What a bridge can be told. */
    public sealed interface Command extends Portable {}

    /**
     * A dispatcher is there and has nothing unread; again after it restarted.
     *
     * @param owner its name in steering, unique at this bridge and never used before
     * @param replaces the incarnation of it before this one, whose flows are handed on
     * @param to takes what is delivered
     * @param replyTo told when SYNs may come
     */
    public record Attach(
            Owner owner, Optional<Owner> replaces, ActorRef<Delivered> to, ActorRef<NicControl.Answer> replyTo)
            implements Command {}

    /** What comes often, and may come as one of a {@link Batch}. */
    public sealed interface Frequent extends Command {}

    /** Some at once, in order: from a dispatcher on another member. */
    public record Batch(List<Frequent> commands) implements Command {
        public Batch {
            commands = List.copyOf(commands);
        }
    }

    /** A dispatcher has read this many ILQ entries: it may get as many more. */
    public record Grant(Owner owner, int entries) implements Frequent {}

    /** One step of a connection of {@code owner}. Answered by flow events to the flow's owner. */
    public record Request(Owner owner, NicRequest request) implements Frequent {}

    /**
     * An order that is not one connection's; the answer repeats its id.
     *
     * @param from the dispatcher whose order it is: when it is not attached, nothing is done and nothing answered; empty: of
     *     somebody who is none
     */
    public record Control(NicControl order, ActorRef<NicControl.Answer> replyTo, Optional<Owner> from)
            implements Frequent {

        /** Of somebody who is no dispatcher. */
        public Control(NicControl order, ActorRef<NicControl.Answer> replyTo) {
            this(order, replyTo, Optional.empty());
        }
    }

    /**
     * What is to be told to somebody when all that {@code owner} has asked before is done, and only if it is still a
     * dispatcher by then: one whose flows are somebody else's by now tells nobody anything.
     */
    public record Tell(Owner owner, Announcement<?> announcement) implements Frequent {}

    /**
     * The member of this address is out of reach: the flows of its dispatchers go to others. What these still ask is not done,
     * and they are told that they have been dismissed as soon as they can be.
     */
    public record MemberLost(Address address) implements Command {}

    /** The member can be reached again: its dispatchers hear that they have been dismissed. */
    public record MemberBack(Address address) implements Command {}

    /** A dispatcher leaves; answered when its flows are others'. What it still asks is not done. */
    public record Detach(Owner owner, ActorRef<Detached> replyTo) implements Command {}

    /** The answer. */
    public record Detached(Owner owner) implements Portable {}

    /** Detaches every dispatcher, ends all their flows, and ends; the NIC host stays. */
    public enum Stop implements Command {
        INSTANCE
    }

    private record Gone(Owner owner, ActorRef<Delivered> was) implements Command {}

    /**
     * What the NIC has for a dispatcher since the last time, in order; handed over, nobody writes to it any more.
     *
     * @param to for whom: an incarnation leaves what was meant for the one before it alone
     * @param deliveries at least one
     */
    public record Delivered(Owner to, List<Rnic.Delivery> deliveries) implements Portable {}

    /** Ends with all others what waits for an owner. */
    private static final Owner NOBODY = new Owner(0);

    private final NicHost host;
    private boolean stopping;
    private final Map<Owner, ActorRef<Delivered>> dispatchers = new HashMap<>();
    private final Map<Owner, ActorRef<Delivered>> lost = new HashMap<>();

    private Bridge(ActorContext<Command> context, NicHost host) {
        super(context);
        this.host = host;
    }

    public static Behavior<Command> create(NicHost host) {
        return Behaviors.setup(context -> new Bridge(context, host));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Frequent.class, this::carryOut)
                .onMessage(Batch.class, batch -> {
                    batch.commands().forEach(this::carryOut);
                    return this;
                })
                .onMessage(Attach.class, this::attach)
                .onMessage(MemberLost.class, this::lose)
                .onMessage(MemberBack.class, back -> {
                    lost.forEach((owner, to) -> {
                        if (to.path().address().equals(back.address())) dismiss(owner);
                    });
                    return this;
                })
                .onMessage(Gone.class, this::forget)
                .onMessage(Detach.class, this::detach)
                .onMessage(Stop.class, _ -> {
                    stopping = true;
                    return Behaviors.stopped();
                })
                .onSignal(PostStop.class, _ -> detachAll())
                .build();
    }

    private Behavior<Command> carryOut(Frequent command) {
        return switch (command) {
            case Request request -> request(request);
            case Tell tell -> announce(tell);
            case Grant(Owner owner, int entries) -> pass(new NicInput.Granted(owner, entries));
            case Control control -> control(control);
        };
    }

    private Behavior<Command> pass(NicInput input) {
        host.submit(input);
        return this;
    }

    /** The NIC itself knows whose a flow is and counts what comes from others. */
    private Behavior<Command> request(Request request) {
        dismiss(request.owner());
        return pass(new NicInput.Requested(request.owner(), request.request()));
    }

    private Behavior<Command> control(Control control) {
        if (control.from().isPresent()
                && !dispatchers.containsKey(control.from().get())) {
            dismiss(control.from().get());
            return this;
        }
        return pass(new NicInput.Ordered(control.order(), control.replyTo()));
    }

    private Behavior<Command> announce(Tell tell) {
        if (!dispatchers.containsKey(tell.owner())) dismiss(tell.owner());
        else if (!host.submit(new NicInput.Announced(tell.announcement())))
            tell.announcement().send(); // Without a NIC there is nothing that it would have to wait for.
        return this;
    }

    /** Says so to a dispatcher that is still there and not attached any more. */
    private void dismiss(Owner owner) {
        ActorRef<Delivered> to = lost.get(owner);
        if (to != null) to.tell(new Delivered(owner, List.of(new Rnic.Dismissed())));
    }

    private Behavior<Command> lose(MemberLost member) {
        Map.copyOf(dispatchers).forEach((owner, to) -> {
            if (!to.path().address().equals(member.address())) return;
            dispatchers.remove(owner);
            lost.put(owner, to); // Still watched: what ends is forgotten.
            pass(new NicInput.Detached(owner, to, true));
        });
        return this;
    }

    private Behavior<Command> attach(Attach attach) {
        attach.replaces().map(lost::remove).ifPresent(getContext()::unwatch);
        attach.replaces().map(dispatchers::remove).ifPresent(getContext()::unwatch);
        ActorRef<Delivered> before = dispatchers.put(attach.owner(), attach.to());
        if (before != null) getContext().unwatch(before);
        getContext().watchWith(attach.to(), new Gone(attach.owner(), attach.to()));
        return pass(new NicInput.Attached(attach.owner(), attach.replaces(), attach.to(), attach.replyTo()));
    }

    private Behavior<Command> forget(Gone gone) {
        dispatchers.remove(gone.owner(), gone.was());
        lost.remove(gone.owner(), gone.was());
        return pass(new NicInput.Detached(gone.owner(), gone.was(), true));
    }

    /** It leaves in order: its flows go to others before it goes. */
    private Behavior<Command> detach(Detach detach) {
        ActorRef<Delivered> to = dispatchers.remove(detach.owner());
        if (to == null) return this;
        getContext().unwatch(to);
        pass(new NicInput.Detached(detach.owner(), to, true));
        return pass(new NicInput.Announced(new Announcement<>(detach.replyTo(), new Detached(detach.owner()))));
    }

    /** With the actor system gone the NIC goes on, and its flows wait for the next bridge; an orderly stop ends them. */
    private Behavior<Command> detachAll() {
        dispatchers.forEach((owner, to) -> host.submit(new NicInput.Detached(owner, to, !stopping)));
        if (stopping) {
            host.submit(new NicInput.Ordered(
                    new NicControl.Detach(0, NOBODY, false),
                    getContext().getSystem().ignoreRef()));
        }
        return this;
    }
}
