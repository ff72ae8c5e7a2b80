package io.iwcm.cm.actor;

import com.typesafe.config.Config;
import java.util.function.Function;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.MailboxSelector;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.AbstractNodeQueue;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedMessageQueueSemantics;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * The mailbox that Pekko gives a typed actor, and an {@link ActorWatch} hears what goes in and comes out. One message in
 * {@link ActorWatch#sample()} carries the time at which it came.
 *
 * <p>Pekko makes mailboxes by the name of a class, and hands that nothing of ours: therefore a class for each kind of actor,
 * and the watcher in the actor system.
 */
public abstract class WatchedMailbox implements MailboxType, ProducesMessageQueue<WatchedMailbox.Queue> {

    private final ActorKind kind;

    private WatchedMailbox(ActorKind kind) {
        this.kind = kind;
    }

    /** A guardian's. */
    public static final class OfGuardian extends WatchedMailbox {
        public OfGuardian(ActorSystem.Settings settings, Config config) {
            super(ActorKind.GUARDIAN);
        }
    }

    /** A bridge's. */
    public static final class OfBridge extends WatchedMailbox {
        public OfBridge(ActorSystem.Settings settings, Config config) {
            super(ActorKind.BRIDGE);
        }
    }

    /** That of who knows all listeners. */
    public static final class OfListeners extends WatchedMailbox {
        public OfListeners(ActorSystem.Settings settings, Config config) {
            super(ActorKind.LISTENERS);
        }
    }

    /** A listener's. */
    public static final class OfListener extends WatchedMailbox {
        public OfListener(ActorSystem.Settings settings, Config config) {
            super(ActorKind.LISTENER);
        }
    }

    /** A bucket's. */
    public static final class OfBucket extends WatchedMailbox {
        public OfBucket(ActorSystem.Settings settings, Config config) {
            super(ActorKind.BUCKET);
        }
    }

    /** A connection's. */
    public static final class OfNode extends WatchedMailbox {
        public OfNode(ActorSystem.Settings settings, Config config) {
            super(ActorKind.NODE);
        }
    }

    static MailboxSelector selector(ActorKind kind) {
        return MailboxSelector.fromConfig("iwcm.mailboxes." + kind.label());
    }

    /** Mailboxes that are made in this actor system from here on are watched by these. */
    static void watch(org.apache.pekko.actor.typed.ActorSystem<?> system, Function<ActorKind, ActorWatch> watches) {
        Watcher.ID.apply(system).watches = watches;
    }

    @Override
    public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
        return new Queue(
                system.isEmpty()
                        ? ActorWatch.NONE
                        : Watcher.ID
                                .apply(Adapter.toTyped(system.get()))
                                .watches
                                .apply(kind));
    }

    private static final class Watcher implements Extension {

        private static final ExtensionId<Watcher> ID = new ExtensionId<>() {
            @Override
            public Watcher createExtension(org.apache.pekko.actor.typed.ActorSystem<?> system) {
                return new Watcher();
            }
        };

        private volatile Function<ActorKind, ActorWatch> watches = _ -> ActorWatch.NONE;
    }

    /** A message that is timed. */
    private record Stamped(Envelope envelope, long atNs) {}

    /** The messages of one actor. */
    static final class Queue extends AbstractNodeQueue<Object> implements MessageQueue, UnboundedMessageQueueSemantics {

        private final transient ActorWatch watch;

        /** Counted by whoever tells, without a lock: when two do at once, the next sample comes a little late. */
        private int untilTimed;

        Queue(ActorWatch watch) {
            this.watch = watch;
            this.untilTimed = Watched.firstTimed(watch.sample());
        }

        @Override
        public void enqueue(ActorRef receiver, Envelope envelope) {
            watch.told();
            if (--untilTimed > 0) {
                add(envelope);
            } else {
                untilTimed = watch.sample();
                add(new Stamped(envelope, System.nanoTime()));
            }
        }

        @Override
        public @Nullable Envelope dequeue() { // Pekko's word for an empty mailbox is null.
            return switch (poll()) {
                case null -> null;
                case Stamped(var envelope, long atNs) -> {
                    watch.taken();
                    watch.waited(System.nanoTime() - atNs);
                    yield envelope;
                }
                case Object envelope -> {
                    watch.taken();
                    yield (Envelope) envelope;
                }
            };
        }

        @Override
        public int numberOfMessages() {
            return count();
        }

        @Override
        public boolean hasMessages() {
            return !isEmpty();
        }

        @Override
        public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
            for (Envelope left = dequeue(); left != null; left = dequeue()) deadLetters.enqueue(owner, left);
        }
    }
}
