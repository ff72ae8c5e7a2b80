package io.iwcm.cm.rping;

/**
 * What is to be done.
 *
 * @param size octets of a ping, {@link #SIZE_MIN}..{@link #SIZE_MAX}
 * @param count pings; 0: until somebody stops it
 * @param validate what comes back is compared with what went
 * @param verbose each ping is printed
 * @param debug each step is printed
 */
public record RpingPlan(int size, int count, boolean validate, boolean verbose, boolean debug) {

    /** The shortest that carries the number of the first pings. */
    public static final int SIZE_MIN = 17;

    /** rping's. */
    public static final int SIZE_MAX = 65_535;

    public RpingPlan {
        if (size < SIZE_MIN || size > SIZE_MAX || count < 0) {
            throw new IllegalArgumentException(
                    "pings of " + size + " octets, " + count + " of them: 17..65535 octets are allowed");
        }
    }
}
