package io.iwcm.cm.cluster;

import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.ListenAnswer;
import io.iwcm.cm.actor.Listener;
import io.iwcm.cm.proto.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * A listener of an application here, at every bridge. It asks one bridge after the other, in an order that is the same on all
 * members: of two who want one endpoint, one is first everywhere. A bridge without its address does not count; one that comes
 * later is asked then. With its application, or when it is destroyed, it ends at all of them.
 */
final class SharedListener extends AbstractBehavior<SharedListener.Message> {

    sealed interface Message {}

    /** The bridges there are, in order, and who is to be told there. */
    record Bridges(Map<ActorRef<CmGuardian.Command>, CmConsumer> all) implements Message {}

    private record Answered(ActorRef<CmGuardian.Command> bridge, ListenAnswer answer) implements Message {}

    private record Called(Listener.Command command) implements Message {}

    private record Gone(ActorRef<CmGuardian.Command> bridge) implements Message {}

    private enum ConsumerDied implements Message {
        INSTANCE
    }

    private enum Silence implements Message {
        INSTANCE
    }

    /** When nobody has answered by then, there is no bridge. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CmGuardian.Listen listen;
    private final Optional<ActorRef<CmGuardian.Command>> own;
    private final Map<ActorRef<CmGuardian.Command>, Optional<ListenAnswer.Listening>> asked = new LinkedHashMap<>();
    private final List<ActorRef<Listener.Destroyed>> destroyers = new ArrayList<>();
    private Map<ActorRef<CmGuardian.Command>, CmConsumer> bridges;
    private Optional<ActorRef<CmGuardian.Command>> asking = Optional.empty();
    private Cause refusal = Cause.ADDRESS_NOT_AVAILABLE;
    private boolean answered;
    private boolean ending;
    private int destroying;

    private SharedListener(
            ActorContext<Message> context,
            CmGuardian.Listen listen,
            Optional<ActorRef<CmGuardian.Command>> own,
            Map<ActorRef<CmGuardian.Command>, CmConsumer> bridges) {
        super(context);
        this.listen = listen;
        this.own = own;
        this.bridges = bridges;
        listen.consumer().actor().ifPresent(actor -> context.watchWith(actor, ConsumerDied.INSTANCE));
        context.setReceiveTimeout(PATIENCE, Silence.INSTANCE);
    }

    /** @param own the bridge of this member, whose number for the listener is shown here */
    static Behavior<Message> create(
            CmGuardian.Listen listen,
            Optional<ActorRef<CmGuardian.Command>> own,
            Map<ActorRef<CmGuardian.Command>, CmConsumer> bridges) {
        return Behaviors.setup(context -> new SharedListener(context, listen, own, bridges).askNext());
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder()
                .onMessage(Bridges.class, there -> {
                    bridges = there.all();
                    if (asking.filter(bridge -> !bridges.containsKey(bridge)).isPresent()) asking = Optional.empty();
                    asked.keySet().retainAll(bridges.keySet());
                    return askNext();
                })
                .onMessage(Answered.class, this::hear)
                .onMessage(Called.class, called -> {
                    if (called.command() instanceof Listener.Destroy(var replyTo)) destroyers.add(replyTo);
                    return end();
                })
                .onMessage(Gone.class, _ -> {
                    destroying--;
                    return stopWhenGone();
                })
                .onMessage(ConsumerDied.class, _ -> end())
                .onMessage(Silence.class, _ -> answered ? this : refuse(Cause.RESOURCES))
                .build();
    }

    private Behavior<Message> askNext() {
        if (asking.isPresent() || ending) return this;
        Optional<ActorRef<CmGuardian.Command>> next = bridges.keySet().stream()
                .filter(bridge -> !asked.containsKey(bridge))
                .findFirst();
        if (next.isEmpty()) return answerWhenServed();
        ActorRef<CmGuardian.Command> bridge = next.get();
        asking = next;
        asked.put(bridge, Optional.empty());
        ActorRef<ListenAnswer> answers = getContext().spawnAnonymous(Behaviors.receive((context, answer) -> {
            self().tell(new Answered(bridge, answer));
            return Behaviors.stopped();
        }));
        bridge.tell(new CmGuardian.Listen(listen.order(), bridges.getOrDefault(bridge, listen.consumer()), answers));
        return this;
    }

    private ActorRef<Message> self() {
        return getContext().getSelf();
    }

    private Behavior<Message> hear(Answered answer) {
        if (asking.equals(Optional.of(answer.bridge()))) asking = Optional.empty();
        switch (answer.answer()) {
            case ListenAnswer.Listening listening -> {
                asked.put(answer.bridge(), Optional.of(listening));
                if (ending) return destroy(answer.bridge(), listening);
            }
            case ListenAnswer.Refused(var cause) -> {
                refusal = cause;
                boolean counts = cause != Cause.ADDRESS_NOT_AVAILABLE;
                if (counts && !answered) return refuse(cause);
                if (counts)
                    getContext()
                            .getLog()
                            .warn(
                                    "{} does not listen on {}: {}",
                                    answer.bridge(),
                                    listen.order().local(),
                                    cause);
            }
        }
        return askNext();
    }

    private Behavior<Message> answerWhenServed() {
        if (answered || bridges.isEmpty()) return this;
        Optional<ListenAnswer.Listening> first = own.flatMap(bridge -> asked.getOrDefault(bridge, Optional.empty()))
                .or(() -> asked.values().stream().flatMap(Optional::stream).findFirst());
        if (first.isEmpty()) return refuse(refusal);
        answered = true;
        getContext().cancelReceiveTimeout();
        listen.replyTo()
                .tell(new ListenAnswer.Listening(
                        first.get().id(), getContext().messageAdapter(Listener.Command.class, Called::new)));
        return this;
    }

    private Behavior<Message> refuse(Cause cause) {
        answered = true;
        listen.replyTo().tell(new ListenAnswer.Refused(cause));
        return end();
    }

    private Behavior<Message> end() {
        if (ending) return stopWhenGone();
        ending = true;
        asked.forEach((bridge, listening) -> listening.ifPresent(there -> destroy(bridge, there)));
        return stopWhenGone();
    }

    private Behavior<Message> destroy(ActorRef<CmGuardian.Command> bridge, ListenAnswer.Listening listening) {
        destroying++;
        getContext().watchWith(listening.listener(), new Gone(bridge));
        listening.listener().tell(new Listener.Destroy(getContext().getSystem().ignoreRef()));
        return this;
    }

    private Behavior<Message> stopWhenGone() {
        if (!ending || destroying > 0 || asking.isPresent()) return this;
        if (!answered) listen.replyTo().tell(new ListenAnswer.Refused(Cause.LOCAL_ABORT));
        destroyers.forEach(destroyer -> destroyer.tell(new Listener.Destroyed()));
        return Behaviors.stopped();
    }
}
