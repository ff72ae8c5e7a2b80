package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.ActorKind;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.util.concurrent.TimeUnit;

/**
 * How one kind of actor is doing.
 *
 * @param kind which
 * @param live those that live
 * @param started those that began, or began again after they failed
 * @param stopped those that ended, or failed and began again
 * @param failed times that their code threw
 * @param messages worked on
 * @param mailboxes what waits in theirs
 * @param processing how long the work on a message took, sampled
 */
public record ActorReport(
        ActorKind kind,
        long live,
        long started,
        long stopped,
        long failed,
        long messages,
        Mailboxes mailboxes,
        Timing processing) {

    /**
     * The mailboxes of one kind of actor.
     *
     * @param depth messages told and not yet taken up, over all of them
     * @param waiting how long messages lay there, sampled
     */
    public record Mailboxes(long depth, Timing waiting) {}

    /**
     * Sampled times, in seconds; zero without a sample. Quantiles are the upper ends of the buckets they lie in.
     *
     * @param samples how many
     * @param p50 half of them took no longer
     * @param p99 all but one in a hundred took no longer
     * @param max the longest of the last minutes
     */
    public record Timing(long samples, double p50, double p99, double max) {

        static Timing of(HistogramSnapshot times) {
            return new Timing(times.count(), quantile(times, 0.5), quantile(times, 0.99), times.max(TimeUnit.SECONDS));
        }

        private static double quantile(HistogramSnapshot times, double q) {
            for (CountAtBucket bucket : times.histogramCounts()) {
                if (bucket.count() >= q * times.count() && times.count() > 0) return bucket.bucket(TimeUnit.SECONDS);
            }
            return times.max(TimeUnit.SECONDS); // Beyond the last bucket.
        }
    }
}
