package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.Lab;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a watcher hears of an actor. */
class WatchedTest {

    private static final String FAIL = "fail";
    private static final String STOP = "stop";

    private final ActorTestKit kit = ActorTestKit.create(ConfigFactory.load());
    private final TestProbe<String> probe = kit.createTestProbe();

    @AfterEach
    void end() {
        kit.shutdownTestKit();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 64})
    void countsEveryMessageAndTimesOneInSoMany(int sample) {
        Diary diary = new Diary(sample);
        ActorRef<String> actor = spawn(diary, echo());

        for (int i = 0; i < 64; i++) tellAndAwait(actor, "message");

        tellAndAwait(actor, "one more"); // What is written down after the 64th is written down by now.
        assertThat(diary.messages.get()).isEqualTo(65);
        assertThat(diary.told.get()).isEqualTo(65);
        assertThat(diary.taken.get()).isEqualTo(65);
        assertThat(diary.workedNs).hasSizeBetween(64 / sample, 64 / sample + 1).allMatch(ns -> ns >= 0);
        assertThat(diary.waitedNs).hasSizeBetween(64 / sample, 64 / sample + 1).allMatch(ns -> ns >= 0);
    }

    @Test
    void timesMessagesInEachPartOfAnActorsLife() {
        Diary diary = new Diary(8);

        for (int i = 0; i < 400; i++) {
            ActorRef<String> actor = spawn(diary, echo());
            tellAndAwait(actor, "first");
            tellAndAwait(actor, STOP);
            probe.expectTerminated(actor);
        }

        assertThat(diary.workedNs.size()).isBetween(40, 180); // 100, and chance.
        assertThat(diary.waitedNs.size()).isBetween(40, 180);
    }

    @Test
    void hearsOfBeginningAndEnd() {
        Diary diary = new Diary(1);
        ActorRef<String> actor = spawn(diary, echo());
        tellAndAwait(actor, "message");
        assertThat(diary.started.get() - diary.stopped.get()).isOne();

        tellAndAwait(actor, STOP);
        probe.expectTerminated(actor);

        assertThat(diary.started.get()).isOne();
        assertThat(diary.stopped.get()).isOne();
        assertThat(diary.failed.get()).isZero();
    }

    @Test
    void hearsOfAFailureThatEndsTheActor() {
        Diary diary = new Diary(1);
        ActorRef<String> actor = spawn(diary, echo());

        actor.tell(FAIL);
        probe.expectTerminated(actor);

        assertThat(diary.failed.get()).isOne();
        assertThat(diary.stopped.get()).isOne();
        assertThat(diary.workedNs).hasSize(1);
    }

    @Test
    void countsAnActorThatBeginsAgainAsLivingOnce() {
        Diary diary = new Diary(1);
        ActorRef<String> actor = kit.spawn(
                Behaviors.supervise(Watched.by(diary, echo())).onFailure(SupervisorStrategy.restart()),
                Watched.mailbox(ActorKind.BUCKET, diary));

        actor.tell(FAIL);
        tellAndAwait(actor, "message");

        assertThat(diary.failed.get()).isOne();
        assertThat(diary.started.get()).isEqualTo(2);
        assertThat(diary.stopped.get()).isOne();
    }

    @Test
    void hearsOfAnActorThatEndsOrFailsAtItsBeginning() {
        Diary diary = new Diary(1);

        probe.expectTerminated(spawn(diary, Behaviors.setup(_ -> Behaviors.stopped())));
        assertThat(List.of(diary.started.get(), diary.stopped.get(), diary.failed.get()))
                .containsExactly(1L, 1L, 0L);

        probe.expectTerminated(spawn(diary, Behaviors.setup(_ -> {
            throw new IllegalStateException("on purpose");
        })));
        assertThat(List.of(diary.started.get(), diary.stopped.get(), diary.failed.get()))
                .containsExactly(2L, 2L, 1L);
    }

    @Test
    void takesWhatAnEndedActorHasNotReadOutOfTheDepth() {
        Diary diary = new Diary(1);
        CountDownLatch allTold = new CountDownLatch(1);
        ActorRef<String> actor = spawn(diary, Behaviors.receiveMessage(_ -> {
            allTold.await();
            return Behaviors.stopped();
        }));
        for (int i = 0; i < 10; i++) actor.tell("message");
        assertThat(diary.told.get() - diary.taken.get()).isBetween(9L, 10L);

        allTold.countDown();
        probe.expectTerminated(actor);

        Lab.await("the mailbox is empty", () -> diary.told.get() == diary.taken.get());
        assertThat(diary.messages.get()).isOne();
    }

    @Test
    void leavesActorsThatNobodyWatchesAlone() {
        Behavior<String> behavior = echo();
        assertThat(Watched.by(ActorWatch.NONE, behavior)).isSameAs(behavior);
        assertThat(Watched.mailbox(ActorKind.NODE, ActorWatch.NONE)).isEqualTo(Props.empty());
    }

    private ActorRef<String> spawn(Diary diary, Behavior<String> behavior) {
        WatchedMailbox.watch(kit.system(), _ -> diary);
        return kit.spawn(Watched.by(diary, behavior), Watched.mailbox(ActorKind.BUCKET, diary));
    }

    private void tellAndAwait(ActorRef<String> actor, String message) {
        actor.tell(message);
        probe.expectMessage(message);
    }

    private Behavior<String> echo() {
        return Behaviors.receiveMessage(message -> {
            if (message.equals(FAIL)) throw new IllegalStateException("on purpose");
            probe.getRef().tell(message);
            return message.equals(STOP) ? Behaviors.stopped() : Behaviors.same();
        });
    }

    private static final class Diary implements ActorWatch {
        private final int sample;
        private final AtomicLong started = new AtomicLong();
        private final AtomicLong stopped = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong told = new AtomicLong();
        private final AtomicLong taken = new AtomicLong();
        private final AtomicLong messages = new AtomicLong();
        private final List<Long> waitedNs = new CopyOnWriteArrayList<>();
        private final List<Long> workedNs = new CopyOnWriteArrayList<>();

        Diary(int sample) {
            this.sample = sample;
        }

        @Override
        public int sample() {
            return sample;
        }

        @Override
        public void started() {
            started.incrementAndGet();
        }

        @Override
        public void stopped() {
            stopped.incrementAndGet();
        }

        @Override
        public void failed() {
            failed.incrementAndGet();
        }

        @Override
        public void told() {
            told.incrementAndGet();
        }

        @Override
        public void taken() {
            taken.incrementAndGet();
        }

        @Override
        public void worked() {
            messages.incrementAndGet();
        }

        @Override
        public void waited(long ns) {
            waitedNs.add(ns);
        }

        @Override
        public void worked(long ns) {
            workedNs.add(ns);
        }
    }
}
