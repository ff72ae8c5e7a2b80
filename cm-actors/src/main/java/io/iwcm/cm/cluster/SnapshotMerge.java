package io.iwcm.cm.cluster;

import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Collects what every bridge has, counts what this member has counted, then ends. */
final class SnapshotMerge {

    private SnapshotMerge() {}

    sealed interface Message {}

    private record Part(CmSnapshot snapshot) implements Message {}

    private enum TooLate implements Message {
        INSTANCE
    }

    /** Longer than a bridge waits for its buckets. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    static Behavior<Message> create(
            List<ActorRef<CmGuardian.Command>> bridges, CmCounters counters, ActorRef<CmSnapshot> replyTo) {
        return Behaviors.setup(context -> {
            var parts = context.messageAdapter(CmSnapshot.class, Part::new);
            bridges.forEach(bridge -> bridge.tell(new CmGuardian.Snapshot(parts)));
            context.setReceiveTimeout(PATIENCE, TooLate.INSTANCE);
            List<CmSnapshot> got = new ArrayList<>();
            if (bridges.isEmpty()) return end(got, counters, replyTo);
            return Behaviors.receive(Message.class)
                    .onMessage(Part.class, part -> {
                        got.add(part.snapshot());
                        return got.size() < bridges.size() ? Behaviors.same() : end(got, counters, replyTo);
                    })
                    .onMessage(TooLate.class, _ -> end(got, counters, replyTo))
                    .build();
        });
    }

    private static Behavior<Message> end(List<CmSnapshot> got, CmCounters counters, ActorRef<CmSnapshot> replyTo) {
        replyTo.tell(new CmSnapshot(
                got.stream().flatMap(part -> part.listeners().stream()).toList(),
                got.stream().flatMap(part -> part.nodes().stream()).toList(),
                counters.values()));
        return Behaviors.stopped();
    }
}
