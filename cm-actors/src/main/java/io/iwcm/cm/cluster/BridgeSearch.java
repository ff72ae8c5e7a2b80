package io.iwcm.cm.cluster;

import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.ConnectAnswer;
import io.iwcm.cm.proto.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A connect that looks for the bridge with its local address and a way to the peer; then it ends. */
final class BridgeSearch {

    private BridgeSearch() {}

    sealed interface Message {}

    private record Answered(ConnectAnswer answer) implements Message {}

    private enum Silence implements Message {
        INSTANCE
    }

    /** A bridge that has not answered by then is not there. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** @param bridges in the order to ask, and who is to be told there */
    static Behavior<Message> create(CmGuardian.Connect connect, Map<ActorRef<CmGuardian.Command>, CmConsumer> bridges) {
        return Behaviors.setup(context -> {
            context.setReceiveTimeout(PATIENCE, Silence.INSTANCE);
            return ask(context, connect, List.copyOf(bridges.entrySet()), Cause.UNREACHABLE);
        });
    }

    private static Behavior<Message> ask(
            ActorContext<Message> context,
            CmGuardian.Connect connect,
            List<Map.Entry<ActorRef<CmGuardian.Command>, CmConsumer>> left,
            Cause otherwise) {
        if (left.isEmpty()) return end(connect, new ConnectAnswer.Refused(otherwise));
        left.getFirst()
                .getKey()
                .tell(new CmGuardian.Connect(
                        connect.order(),
                        left.getFirst().getValue(),
                        context.messageAdapter(ConnectAnswer.class, Answered::new)));
        return Behaviors.receive(Message.class)
                .onMessage(
                        Answered.class,
                        answered ->
                                answered.answer() instanceof ConnectAnswer.Refused(Cause cause) && isElsewhere(cause)
                                        ? ask(context, connect, left.subList(1, left.size()), cause)
                                        : end(connect, answered.answer()))
                .onMessage(Silence.class, _ -> end(connect, new ConnectAnswer.Refused(Cause.RESOURCES)))
                .build();
    }

    private static boolean isElsewhere(Cause cause) {
        return cause == Cause.ADDRESS_NOT_AVAILABLE || cause == Cause.UNREACHABLE;
    }

    private static Behavior<Message> end(CmGuardian.Connect connect, ConnectAnswer answer) {
        connect.replyTo().tell(answer);
        return Behaviors.stopped();
    }
}
