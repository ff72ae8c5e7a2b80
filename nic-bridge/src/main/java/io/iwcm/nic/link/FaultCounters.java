package io.iwcm.nic.link;

/**
 * What {@link Faults} did to the frames it saw. One frame may count in several places.
 *
 * @param seen frames that came by
 * @param lost frames that vanished; nothing else happens to them
 * @param duplicated frames that arrived twice
 * @param reordered frames that were held back
 * @param corrupted frames with a flipped bit
 * @param delayed frames that stalled what was behind them
 */
public record FaultCounters(long seen, long lost, long duplicated, long reordered, long corrupted, long delayed) {

    public FaultCounters plus(FaultCounters that) {
        return new FaultCounters(
                seen + that.seen,
                lost + that.lost,
                duplicated + that.duplicated,
                reordered + that.reordered,
                corrupted + that.corrupted,
                delayed + that.delayed);
    }
}
