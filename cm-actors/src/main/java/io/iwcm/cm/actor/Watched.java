package io.iwcm.cm.actor;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Tells an {@link ActorWatch} what becomes of one actor. Most messages are only counted; the first one that is timed is drawn,
 * so that actors who live for a few messages are seen in each part of their lives.
 */
final class Watched<T> extends BehaviorInterceptor<T, T> {

    private final ActorWatch watch;
    private int untilTimed;

    @SuppressWarnings("unchecked") // Every message is one.
    private Watched(ActorWatch watch) {
        super((Class<T>) Object.class);
        this.watch = watch;
        this.untilTimed = firstTimed(watch.sample());
    }

    /** The same behavior, and {@code watch} hears of it. To be put under a supervisor, not over it. */
    static <T> Behavior<T> by(ActorWatch watch, Behavior<T> behavior) {
        return watch == ActorWatch.NONE ? behavior : Behaviors.intercept(() -> new Watched<>(watch), behavior);
    }

    /** What an actor of this kind is spawned with, so that its mailbox is seen. */
    static Props mailbox(ActorKind kind, ActorWatch watch) {
        return watch == ActorWatch.NONE ? Props.empty() : WatchedMailbox.selector(kind);
    }

    /** Somewhere in the first {@code sample} messages, each as likely as the others. */
    static int firstTimed(int sample) {
        return sample == 1 ? 1 : ThreadLocalRandom.current().nextInt(sample) + 1;
    }

    @Override
    public Behavior<T> aroundStart(TypedActorContext<T> context, PreStartTarget<T> target) {
        watch.started();
        try {
            Behavior<T> begun = target.start(context);
            if (!Behavior.isAlive(begun)) watch.stopped(); // Without a behavior there will be no signal.
            return begun;
        } catch (RuntimeException | Error e) {
            watch.failed();
            watch.stopped();
            throw e;
        }
    }

    @Override
    public Behavior<T> aroundReceive(TypedActorContext<T> context, T message, ReceiveTarget<T> target) {
        watch.worked();
        boolean timed = --untilTimed == 0;
        long fromNs = timed ? System.nanoTime() : 0;
        try {
            return target.apply(context, message);
        } catch (RuntimeException | Error e) {
            watch.failed();
            throw e;
        } finally {
            if (timed) {
                watch.worked(System.nanoTime() - fromNs);
                untilTimed = watch.sample();
            }
        }
    }

    @Override
    public Behavior<T> aroundSignal(TypedActorContext<T> context, Signal signal, SignalTarget<T> target) {
        try {
            return target.apply(context, signal);
        } catch (RuntimeException | Error e) {
            watch.failed();
            throw e;
        } finally {
            if (signal instanceof PostStop || signal instanceof PreRestart) watch.stopped();
        }
    }
}
