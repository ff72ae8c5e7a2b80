package io.iwcm.cm.examples;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmNotice;
import io.iwcm.cm.actor.ListenAnswer;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.wire.Endpoint;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** A target as an actor: no thread waits, and when it stops, its listener and its connections end with it. */
public final class TypedTarget extends AbstractBehavior<TypedTarget.Message> {

    /** What it is told. */
    public sealed interface Message {}

    private record Listens(ListenAnswer answer) implements Message {}

    private record Happened(CmNotice notice) implements Message {}

    private record Answered(Cause cause) implements Message {}

    private final Consumer<String> say;
    private final ActorRef<Cause> answers;

    private TypedTarget(ActorContext<Message> context, Consumer<String> say) {
        super(context);
        this.say = say;
        this.answers = context.messageAdapter(Cause.class, Answered::new);
    }

    /** @param manager a connection manager in the same actor system */
    public static Behavior<Message> create(ActorRef<CmGuardian.Command> manager, Endpoint local, Consumer<String> say) {
        return Behaviors.setup(context -> {
            manager.tell(new CmGuardian.Listen(
                    ListenOptions.on(local).order(),
                    CmConsumer.of(context.messageAdapter(CmNotice.class, Happened::new)),
                    context.messageAdapter(ListenAnswer.class, Listens::new)));
            return new TypedTarget(context, say);
        });
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder()
                .onMessage(Listens.class, this::listens)
                .onMessage(Happened.class, happened -> hear(happened.notice()))
                .onMessage(Answered.class, answered -> {
                    if (answered.cause() != Cause.NONE) say.accept("typed target: too late: " + answered.cause());
                    return this;
                })
                .build();
    }

    private Behavior<Message> listens(Listens listens) {
        return switch (listens.answer()) {
            case ListenAnswer.Listening _ -> {
                say.accept("typed target: listening");
                yield this;
            }
            case ListenAnswer.Refused(Cause cause) -> {
                say.accept("typed target: cannot listen: " + cause.phrase());
                yield Behaviors.stopped();
            }
        };
    }

    private Behavior<Message> hear(CmNotice notice) {
        if (notice instanceof CmNotice.Event(CmConnection connection, long _, CmEvent event)) hear(connection, event);
        return this;
    }

    private void hear(CmConnection connection, CmEvent event) {
        switch (event) {
            case CmEvent.ConnectRequest request ->
                connection.call(
                        new CmConnection.Accept(Optional.empty(), Optional.empty(), request.privateData()), answers);
            case CmEvent.Established _ -> say.accept("typed target: connected");
            case CmEvent.Closed(Cause cause) -> say.accept("typed target: closed: " + cause.phrase());
            case CmEvent.AcceptFailed _, CmEvent.Disconnected _, CmEvent.ConnectReply _ -> {}
        }
    }
}
