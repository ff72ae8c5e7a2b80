package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.ActorKind;
import io.iwcm.cm.actor.ActorWatch;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What is known of the actors of each kind. Counts are exact; times are those of one message in so many. */
final class ActorMeters {

    private static final Duration[] BUCKETS = {
        Duration.ofNanos(1_000),
        Duration.ofNanos(2_500),
        Duration.ofNanos(5_000),
        Duration.ofNanos(10_000),
        Duration.ofNanos(25_000),
        Duration.ofNanos(50_000),
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private final List<Meters> kinds;

    /** @param sample of so many messages of an actor one is timed */
    ActorMeters(MeterRegistry registry, int sample) {
        kinds = Arrays.stream(ActorKind.values())
                .map(kind -> new Meters(registry, kind, sample))
                .toList();
        Gauge.builder("iwcm_actor_sample", () -> sample)
                .description("of so many messages of an actor one is timed")
                .register(registry);
    }

    ActorWatch of(ActorKind kind) {
        return kinds.get(kind.ordinal());
    }

    List<ActorReport> reports() {
        return kinds.stream().map(Meters::report).toList();
    }

    private static final class Meters implements ActorWatch {

        private final ActorKind kind;
        private final int sample;
        private final LongAdder started = new LongAdder();
        private final LongAdder stopped = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder told = new LongAdder();
        private final LongAdder taken = new LongAdder();
        private final LongAdder worked = new LongAdder();
        private final Timer waiting;
        private final Timer working;

        Meters(MeterRegistry registry, ActorKind kind, int sample) {
            this.kind = kind;
            this.sample = sample;
            Gauge.builder("iwcm_actors_live", this, Meters::live)
                    .tag("kind", kind.label())
                    .description("actors that live, by kind")
                    .register(registry);
            Gauge.builder("iwcm_actor_mailbox_depth", this, Meters::depth)
                    .tag("kind", kind.label())
                    .description("messages told to actors and not yet taken up, over all of a kind")
                    .register(registry);
            count(registry, "iwcm_actors_started", "actors that began, or began again after they failed", started);
            count(registry, "iwcm_actors_stopped", "actors that ended, or failed and began again", stopped);
            count(registry, "iwcm_actors_failed", "times that the code of an actor threw", failed);
            count(registry, "iwcm_actor_messages", "messages that actors have worked on", worked);
            waiting = timer(registry, "iwcm_actor_mailbox_wait", "how long messages lay in a mailbox, sampled");
            working = timer(registry, "iwcm_actor_processing", "how long actors worked on a message, sampled");
        }

        private void count(MeterRegistry registry, String name, String sentence, LongAdder from) {
            FunctionCounter.builder(name, from, LongAdder::sum)
                    .tag("kind", kind.label())
                    .description(sentence)
                    .register(registry);
        }

        private Timer timer(MeterRegistry registry, String name, String sentence) {
            return Timer.builder(name)
                    .tag("kind", kind.label())
                    .description(sentence)
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
        }

        /** What goes out is read first: what lies between the two readings must not make it negative. */
        private long live() {
            return difference(started, stopped);
        }

        private long depth() {
            return difference(told, taken);
        }

        private static long difference(LongAdder in, LongAdder out) {
            long gone = out.sum();
            return Math.max(0, in.sum() - gone);
        }

        ActorReport report() {
            return new ActorReport(
                    kind,
                    live(),
                    started.sum(),
                    stopped.sum(),
                    failed.sum(),
                    worked.sum(),
                    new ActorReport.Mailboxes(depth(), ActorReport.Timing.of(waiting.takeSnapshot())),
                    ActorReport.Timing.of(working.takeSnapshot()));
        }

        @Override
        public int sample() {
            return sample;
        }

        @Override
        public void started() {
            started.increment();
        }

        @Override
        public void stopped() {
            stopped.increment();
        }

        @Override
        public void failed() {
            failed.increment();
        }

        @Override
        public void told() {
            told.increment();
        }

        @Override
        public void taken() {
            taken.increment();
        }

        @Override
        public void worked() {
            worked.increment();
        }

        @Override
        public void waited(long ns) {
            waiting.record(ns, TimeUnit.NANOSECONDS);
        }

        @Override
        public void worked(long ns) {
            working.record(ns, TimeUnit.NANOSECONDS);
        }
    }
}
