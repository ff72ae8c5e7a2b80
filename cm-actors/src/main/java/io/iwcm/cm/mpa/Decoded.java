package io.iwcm.cm.mpa;

/** What the head of a start-up stream turned out to be. */
public sealed interface Decoded {

    /**
     * Not whole yet, and nothing wrong so far.
     *
     * @param octets a whole frame takes at least this many more, 1 or more; exactly as many once the header is there
     */
    record NeedMore(int octets) implements Decoded {}

    /**
     * A whole frame.
     *
     * @param frame the frame
     * @param length octets it took from the stream, 20..532
     */
    record Complete(MpaFrame frame, int length) implements Decoded {}

    /** Not an MPA frame, and no further octet can make it one. */
    record Malformed(Fault fault) implements Decoded {}

    /** What is wrong with a frame. */
    enum Fault {
        BAD_KEY,
        /** The key of the other kind: both ends are initiators, or both are responders. */
        WRONG_KIND,
        UNKNOWN_REVISION,
        PRIVATE_DATA_TOO_LONG,
        MISSING_READ_DEPTHS
    }
}
