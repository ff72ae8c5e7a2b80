package io.iwcm.nic.link;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Decides the fate of frames that go one way. The fate of the n-th frame follows from the random generator's seed, n and
 * the rates alone, so a run can be repeated; changing one rate leaves the other kinds of fault where they were. Reads no
 * clock: time comes in and goes out. Safe from any thread.
 */
public final class Faults {

    private final RandomGenerator random;
    private FaultRates rates;
    private FaultCounters counters = new FaultCounters(0, 0, 0, 0, 0, 0);
    private long stalledUntilNs;
    private boolean stalled;

    /** Draws one number from {@code random} per frame; nobody else may draw from it. */
    public Faults(FaultRates rates, RandomGenerator random) {
        this.rates = rates;
        this.random = random;
    }

    /** A frame on its way, and when it may arrive at the earliest. */
    public record Passage(byte[] frame, long atNs) {}

    /** What becomes of the next frame: nothing, itself, or something worse. */
    public synchronized List<Passage> pass(byte[] frame, long nowNs) {
        SplittableRandom dice = new SplittableRandom(random.nextLong());
        boolean lose = dice.nextDouble() < rates.loss();
        boolean duplicate = !lose && dice.nextDouble() < rates.duplication();
        boolean reorder = !lose && dice.nextDouble() < rates.reordering();
        boolean corrupt = !lose && frame.length > 0 && dice.nextDouble() < rates.corruption();
        boolean delay = !lose && dice.nextDouble() < rates.delay();
        counters = counters.plus(
                new FaultCounters(1, count(lose), count(duplicate), count(reorder), count(corrupt), count(delay)));
        if (lose) {
            return List.of();
        }

        if (delay) {
            stall(nowNs + 1 + dice.nextLong(rates.delayNsMax()));
        }
        long atNs = stalled && stalledUntilNs - nowNs > 0 ? stalledUntilNs : nowNs;
        if (reorder) { // Later frames do not wait for it.
            atNs += 1 + dice.nextLong(rates.reorderNsMax());
        }
        Passage passage = new Passage(corrupt ? flipped(frame, dice) : frame, atNs);
        return duplicate ? List.of(passage, passage) : List.of(passage);
    }

    /** From the next frame on, other rates hold. */
    public synchronized void change(FaultRates next) {
        rates = next;
    }

    public synchronized FaultCounters counters() {
        return counters;
    }

    /** Stalls overlap and do not add up, or a busy wire would fall behind for ever. */
    private void stall(long untilNs) {
        stalledUntilNs = stalled && stalledUntilNs - untilNs > 0 ? stalledUntilNs : untilNs;
        stalled = true;
    }

    private static byte[] flipped(byte[] frame, SplittableRandom dice) {
        byte[] copy = frame.clone(); // The sender, and other receivers, may hold the original.
        int bit = dice.nextInt(frame.length * 8);
        copy[bit / 8] ^= (byte) (1 << (bit % 8));
        return copy;
    }

    private static int count(boolean happened) {
        return happened ? 1 : 0;
    }
}
