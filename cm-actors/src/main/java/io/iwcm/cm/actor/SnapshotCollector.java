package io.iwcm.cm.actor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Collects one {@link CmSnapshot} from all who know a part of it, then ends. */
final class SnapshotCollector extends AbstractBehavior<SnapshotCollector.Command> {

    sealed interface Command {}

    private record Nodes(IlqDispatcher.Reported reported) implements Command {}

    private record Listening(Listeners.Reported reported) implements Command {}

    /** Some do not answer: those of a member that is out of reach, perhaps. */
    private enum TooLate implements Command {
        INSTANCE
    }

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CmCounters counters;
    private final ActorRef<CmSnapshot> replyTo;
    private final List<CmSnapshot.Node> nodes = new ArrayList<>();
    private Optional<List<CmSnapshot.Listener>> listeners = Optional.empty();
    private int bucketsLeft;

    private SnapshotCollector(
            ActorContext<Command> context, CmCounters counters, int buckets, ActorRef<CmSnapshot> replyTo) {
        super(context);
        this.counters = counters;
        this.bucketsLeft = buckets;
        this.replyTo = replyTo;
    }

    static Behavior<Command> create(
            List<ActorRef<IlqDispatcher.Command>> buckets,
            ActorRef<Listeners.Command> listeners,
            CmCounters counters,
            ActorRef<CmSnapshot> replyTo) {
        return Behaviors.setup(context -> {
            var nodes = context.messageAdapter(IlqDispatcher.Reported.class, Nodes::new);
            buckets.forEach(bucket -> bucket.tell(new IlqDispatcher.Report(nodes)));
            listeners.tell(new Listeners.Report(context.messageAdapter(Listeners.Reported.class, Listening::new)));
            context.setReceiveTimeout(PATIENCE, TooLate.INSTANCE);
            return new SnapshotCollector(context, counters, buckets.size(), replyTo).endWhenComplete();
        });
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Nodes.class, part -> {
                    nodes.addAll(part.reported().nodes());
                    bucketsLeft--;
                    return endWhenComplete();
                })
                .onMessage(Listening.class, part -> {
                    listeners = Optional.of(part.reported().listeners());
                    return endWhenComplete();
                })
                .onMessage(TooLate.class, _ -> end())
                .build();
    }

    private Behavior<Command> endWhenComplete() {
        if (bucketsLeft > 0 || listeners.isEmpty()) return this;
        return end();
    }

    private Behavior<Command> end() {
        replyTo.tell(new CmSnapshot(listeners.orElse(List.of()), nodes, counters.values()));
        return Behaviors.stopped();
    }
}
