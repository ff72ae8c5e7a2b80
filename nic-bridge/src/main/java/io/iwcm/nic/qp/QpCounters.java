package io.iwcm.nic.qp;

/** The counts of one queue pair. */
final class QpCounters {

    private final long[] counts = new long[QpCounter.values().length];

    void count(QpCounter counter) {
        count(counter, 1);
    }

    void count(QpCounter counter, long by) {
        counts[counter.ordinal()] += by;
    }

    long of(QpCounter counter) {
        return counts[counter.ordinal()];
    }
}
