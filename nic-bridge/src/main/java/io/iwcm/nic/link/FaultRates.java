package io.iwcm.nic.link;

/**
 * How often a wire errs. Rates are probabilities per frame, 0..1; zero means never.
 *
 * @param loss the frame vanishes
 * @param duplication the frame arrives twice
 * @param reordering the frame is held back while later ones pass it
 * @param corruption one random bit of the frame is flipped
 * @param delay the frame stalls, and all later ones queue behind it: late, but in order
 * @param reorderNsMax longest time a reordered frame is held back, at least 1
 * @param delayNsMax longest stall, at least 1
 */
public record FaultRates(
        double loss,
        double duplication,
        double reordering,
        double corruption,
        double delay,
        long reorderNsMax,
        long delayNsMax) {

    /** A wire that never errs. */
    public static final FaultRates NONE = new FaultRates(0, 0, 0, 0, 0, 1_000_000, 10_000_000);

    private static final long HOUR_NS = 3_600_000_000_000L;

    public FaultRates {
        requireRate("loss", loss);
        requireRate("duplication", duplication);
        requireRate("reordering", reordering);
        requireRate("corruption", corruption);
        requireRate("delay", delay);
        requireTime("longest reordering", reorderNsMax);
        requireTime("longest delay", delayNsMax);
    }

    public FaultRates withLoss(double rate) {
        return new FaultRates(rate, duplication, reordering, corruption, delay, reorderNsMax, delayNsMax);
    }

    public FaultRates withDuplication(double rate) {
        return new FaultRates(loss, rate, reordering, corruption, delay, reorderNsMax, delayNsMax);
    }

    public FaultRates withReordering(double rate, long nsMax) {
        return new FaultRates(loss, duplication, rate, corruption, delay, nsMax, delayNsMax);
    }

    public FaultRates withCorruption(double rate) {
        return new FaultRates(loss, duplication, reordering, rate, delay, reorderNsMax, delayNsMax);
    }

    public FaultRates withDelay(double rate, long nsMax) {
        return new FaultRates(loss, duplication, reordering, corruption, rate, reorderNsMax, nsMax);
    }

    private static void requireRate(String what, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("a rate of " + what + " of " + rate + " is not allowed: 0 to 1 is");
        }
    }

    private static void requireTime(String what, long ns) {
        if (ns < 1 || ns > HOUR_NS) {
            throw new IllegalArgumentException(
                    "a " + what + " of " + ns + " ns is not allowed: 1 ns to an hour (" + HOUR_NS + " ns) is");
        }
    }
}
