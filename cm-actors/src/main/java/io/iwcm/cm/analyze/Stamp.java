package io.iwcm.cm.analyze;

/**
 * When a frame was seen.
 *
 * @param frame its number in the capture, from 1 on, as other tools count
 * @param epochNs nanoseconds since 1970, by the capture
 */
public record Stamp(long frame, long epochNs) {

    /** Nanoseconds from {@code earlier} to this; negative when the capture's clock went back. */
    public long since(Stamp earlier) {
        return epochNs - earlier.epochNs;
    }
}
