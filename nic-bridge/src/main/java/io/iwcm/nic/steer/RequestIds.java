package io.iwcm.nic.steer;

/**
 * Which request ids of one sender have been seen: the highest and the {@value #SPAN} below it, so that a lost request that
 * is repeated after a later one is still new, and one that was carried out never is.
 */
final class RequestIds {

    static final int SPAN = 64;

    private long highest;
    private long seenBelow; // Bit i: highest - i has been seen.

    /** Whether this id is new; if so it is so no more. */
    boolean first(long id) {
        if (id > highest) {
            long step = id - highest;
            seenBelow = (step >= SPAN ? 0 : seenBelow << step) | 1;
            highest = id;
            return true;
        }
        long back = highest - id;
        boolean seen = id < 1 || back >= SPAN || (seenBelow >>> back & 1) != 0;
        if (!seen) {
            seenBelow |= 1L << back;
        }
        return !seen;
    }

    long highest() {
        return highest;
    }
}
