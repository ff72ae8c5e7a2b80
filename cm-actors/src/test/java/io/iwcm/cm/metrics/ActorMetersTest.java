package io.iwcm.cm.metrics;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.ActorKind;
import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmNotice;
import io.iwcm.cm.actor.IlqDispatcher;
import io.iwcm.cm.actor.ListenAnswer;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.Announcement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the actors of a connection manager are doing. */
class ActorMetersTest {

    private static final int BUCKETS = 4;

    private final MetricsScene scene = new MetricsScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void tellsHowManyOfEachKindLive() {
        scene.accept();
        scene.connected();

        Scrape target = scene.atTarget();
        assertThat(live(target, ActorKind.GUARDIAN)).isOne();
        assertThat(live(target, ActorKind.BRIDGE)).isOne();
        assertThat(live(target, ActorKind.LISTENERS)).isOne();
        assertThat(live(target, ActorKind.LISTENER)).isOne();
        assertThat(live(target, ActorKind.BUCKET)).isEqualTo(BUCKETS);
        assertThat(live(target, ActorKind.NODE)).isOne();
        assertThat(live(scene.atInitiator(), ActorKind.LISTENER)).isZero();
    }

    @Test
    void isBackAtTheStartWhenConnectionsAreOver() {
        scene.accept();
        for (int i = 0; i < 10; i++) within(scene.connected().disconnect());
        scene.initiator.awaitNothingHeld();

        Lab.await("every node has ended", () -> live(scene.atInitiator(), ActorKind.NODE) == 0);
        Scrape after = scene.atInitiator();
        assertThat(after.value("iwcm_actors_started_total{kind=\"node\"}")).isEqualTo(10);
        assertThat(after.value("iwcm_actors_stopped_total{kind=\"node\"}")).isEqualTo(10);
        assertThat(after.value("iwcm_actors_failed_total{kind=\"node\"}")).isZero();
        Lab.await(
                "nothing is left in mailboxes",
                () -> scene.atInitiator().value("iwcm_actor_mailbox_depth{kind=\"node\"}") == 0);
    }

    @Test
    void countsNothingAsLivingWhenTheConnectionManagerHasStopped() {
        scene.accept();
        scene.connected();

        scene.target.cm().close();

        Scrape after = scene.atTarget();
        assertThat(after.of("iwcm_actors_live").values()).hasSize(6).containsOnly(0.0);
        assertThat(after.of("iwcm_actor_mailbox_depth").values()).hasSize(6).containsOnly(0.0);
    }

    @Test
    void timesEveryMessageOfEveryKindWhenToldTo() {
        scene.accept();
        within(scene.connected().disconnect());
        scene.initiator.awaitNothingHeld();

        Scrape target = scene.atTarget();
        for (ActorKind kind : ActorKind.values()) {
            String labels = "{kind=\"" + kind.label() + "\"}";
            double messages = target.value("iwcm_actor_messages_total" + labels);
            assertThat(messages).as(kind.label()).isPositive();
            assertThat(target.value("iwcm_actor_processing_seconds_count" + labels))
                    .as(kind.label())
                    .isBetween(1.0, messages + 1);
            assertThat(target.value("iwcm_actor_mailbox_wait_seconds_count" + labels))
                    .as(kind.label())
                    .isPositive();
        }
    }

    @Test
    void countsANodeThatFailsWithItsConsumer() {
        listenWith(new Consumer(false));

        within(scene.initiator.cm().connect(ConnectOptions.to(MetricsScene.TARGET)));

        Lab.await("the node has ended", () -> live(scene.atTarget(), ActorKind.NODE) == 0);
        assertThat(failed(scene.atTarget(), ActorKind.NODE))
                .isPositive() // Once more when the initiator falls back to MPA revision 1.
                .isEqualTo(scene.target.cm().counters().value(CmCounter.CONSUMER_FAILURES));
        assertThat(failed(scene.atTarget(), ActorKind.BUCKET)).isZero();
    }

    @Test
    void countsABucketThatFailsAndBeginsAgain() {
        listenWith(new Consumer(true));

        scene.initiator.cm().connect(ConnectOptions.to(MetricsScene.TARGET));

        Lab.await("a bucket has failed", () -> failed(scene.atTarget(), ActorKind.BUCKET) >= 1);
        Lab.await("all buckets live", () -> live(scene.atTarget(), ActorKind.BUCKET) == BUCKETS);
        assertThat(scene.atTarget().value("iwcm_actors_started_total{kind=\"bucket\"}"))
                .isGreaterThan(BUCKETS);
    }

    @Test
    void reportsTheSameAsItsMetrics() {
        scene.accept();
        within(scene.connected().disconnect());
        scene.initiator.awaitNothingHeld();

        List<ActorReport> reports = scene.passive.actors();

        assertThat(reports).extracting(ActorReport::kind).containsExactly(ActorKind.values());
        ActorReport buckets = reports.get(ActorKind.BUCKET.ordinal());
        assertThat(buckets.live()).isEqualTo(BUCKETS);
        assertThat(buckets.messages()).isPositive();
        assertThat(buckets.processing().samples()).isPositive();
        assertThat(buckets.processing().p50())
                .isPositive()
                .isLessThanOrEqualTo(buckets.processing().p99());
        assertThat(buckets.mailboxes().waiting().max()).isPositive();
    }

    private void listenWith(CmConsumer consumer) {
        CompletableFuture<ListenAnswer> answer = AskPattern.<CmGuardian.Command, ListenAnswer>ask(
                        scene.target.cm().actor(),
                        replyTo -> new CmGuardian.Listen(
                                ListenOptions.on(MetricsScene.TARGET).order(), consumer, replyTo),
                        Duration.ofSeconds(30),
                        scene.target.cm().system().scheduler())
                .toCompletableFuture();
        assertThat(within(answer)).isInstanceOf(ListenAnswer.Listening.class);
    }

    private static double live(Scrape scrape, ActorKind kind) {
        return scrape.value("iwcm_actors_live{kind=\"" + kind.label() + "\"}");
    }

    private static double failed(Scrape scrape, ActorKind kind) {
        return scrape.value("iwcm_actors_failed_total{kind=\"" + kind.label() + "\"}");
    }

    /** Throws, in the bucket or in the node. */
    private record Consumer(boolean inBucket) implements CmConsumer {
        @Override
        public Announcement<?> telling(CmNotice notice) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            boolean asksBucket = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(IlqDispatcher.class.getName())));
            if (inBucket && asksBucket) throw new IllegalStateException("on purpose");
            return Optional.empty();
        }
    }
}
