package io.iwcm.nic.bridge;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * Stands for a bridge on another member, before one bucket and its nodes: what they tell it goes there in order, and what was
 * told at about the same time goes as one message. Nothing waits for a clock: a batch leaves when everything has been taken
 * that was in the mailbox when it began.
 */
public final class Uplink extends AbstractBehavior<Object> {

    /** As many as fit a frame of Artery with their checkpoints. */
    public static final int BATCH_MAX = 64;

    private enum Flush {
        INSTANCE
    }

    private final ActorRef<Bridge.Command> bridge;
    private final List<Bridge.Frequent> waiting = new ArrayList<>();
    private boolean flushing;

    private Uplink(ActorContext<Object> context, ActorRef<Bridge.Command> bridge) {
        super(context);
        this.bridge = bridge;
    }

    /** @param bridge on another member, or on this one: then it is but a detour */
    public static Behavior<Bridge.Command> create(ActorRef<Bridge.Command> bridge) {
        return Behaviors.<Object>setup(context -> new Uplink(context, bridge)).narrow();
    }

    @Override
    public Receive<Object> createReceive() {
        return newReceiveBuilder()
                .onMessage(Bridge.Frequent.class, this::collect)
                .onMessageEquals(Flush.INSTANCE, () -> {
                    flushing = false;
                    return flush();
                })
                .onMessage(Bridge.Command.class, command -> {
                    flush();
                    bridge.tell(command);
                    return this;
                })
                .build();
    }

    private Behavior<Object> collect(Bridge.Frequent command) {
        waiting.add(command);
        if (waiting.size() >= BATCH_MAX) return flush();
        if (!flushing) {
            flushing = true;
            getContext().getSelf().tell(Flush.INSTANCE);
        }
        return this;
    }

    private Behavior<Object> flush() {
        if (waiting.size() == 1) bridge.tell(waiting.getFirst());
        else if (!waiting.isEmpty()) bridge.tell(new Bridge.Batch(waiting));
        waiting.clear();
        return this;
    }
}
