package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.codec.Portable;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * One listening endpoint: says when it listens, ends with its application or when told to. Its SYN entries, one per address
 * and VLAN, are given and taken by {@link Listeners}; SYNs are admitted in the buckets.
 */
public final class Listener extends AbstractBehavior<Listener.Command> {

    /** The listener of a connection that came by none. */
    static final long NO_LISTENER = 0;

    /** What a listener can be told. */
    public sealed interface Command extends Portable {}

    /**
     * Stop listening: connections not handed over and not closing are reset. Answered when no SYN can come any more.
     */
    public record Destroy(ActorRef<Destroyed> replyTo) implements Command {}

    /** The answer. */
    public record Destroyed() implements Portable {}

    /** These SYN entries have been ordered; each will be up or fail. */
    record Expecting(Set<ListenKey> keys) implements Command {}

    record ChildUp(ListenKey key) implements Command {}

    record ChildFailed(ListenKey key, NicEvent.Failure why) implements Command {}

    record ChildGone(ListenKey key) implements Command {}

    /** Nothing is left of it in the NIC. */
    enum Gone implements Command {
        INSTANCE
    }

    private enum ConsumerDied implements Command {
        INSTANCE
    }

    private final long id;
    private final ActorRef<Listeners.Command> listeners;
    private final ActorRef<ListenAnswer> opener;
    private final Set<ListenKey> expected = new HashSet<>();
    private final List<ActorRef<Destroyed>> destroyers = new ArrayList<>();
    private boolean answered;
    private boolean ending;

    private Listener(
            ActorContext<Command> context,
            long id,
            ActorRef<Listeners.Command> listeners,
            ActorRef<ListenAnswer> opener) {
        super(context);
        this.id = id;
        this.listeners = listeners;
        this.opener = opener;
    }

    /** @param opener told once how it went */
    static Behavior<Command> create(
            long id, CmConsumer consumer, ActorRef<Listeners.Command> listeners, ActorRef<ListenAnswer> opener) {
        return Behaviors.setup(context -> {
            consumer.actor().ifPresent(actor -> context.watchWith(actor, ConsumerDied.INSTANCE));
            return new Listener(context, id, listeners, opener);
        });
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Expecting.class, expecting -> {
                    expected.addAll(expecting.keys());
                    return answerWhenUp();
                })
                .onMessage(ChildUp.class, up -> {
                    expected.remove(up.key());
                    return answerWhenUp();
                })
                .onMessage(ChildGone.class, gone -> {
                    expected.remove(gone.key());
                    return answerWhenUp();
                })
                .onMessage(ChildFailed.class, this::fail)
                .onMessage(Destroy.class, destroy -> {
                    destroyers.add(destroy.replyTo());
                    return end();
                })
                .onMessage(ConsumerDied.class, _ -> end())
                .onMessage(Gone.class, _ -> {
                    destroyers.forEach(destroyer -> destroyer.tell(new Destroyed()));
                    return Behaviors.stopped();
                })
                .build();
    }

    private Behavior<Command> answerWhenUp() {
        if (expected.isEmpty() && !ending)
            answer(new ListenAnswer.Listening(id, getContext().getSelf()));
        return this;
    }

    /** While it is being made, all or nothing; later the others stay. */
    private Behavior<Command> fail(ChildFailed failed) {
        expected.remove(failed.key());
        if (answered) {
            getContext().getLog().warn("no SYN entry on {}: {}", failed.key(), failed.why());
            return this;
        }
        answer(new ListenAnswer.Refused(Failures.cause(failed.why())));
        return end();
    }

    private Behavior<Command> end() {
        answer(new ListenAnswer.Refused(Cause.LOCAL_ABORT)); // If it never listened.
        if (!ending) listeners.tell(new Listeners.Destroy(id));
        ending = true;
        return this;
    }

    private void answer(ListenAnswer answer) {
        if (!answered) opener.tell(answer);
        answered = true;
    }
}
