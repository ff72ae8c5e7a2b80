package io.iwcm.cm.actor;

/**
 * Names one connection for as long as this connection manager runs: flows come back, ids do not.
 *
 * @param value unique; the bucket's number in the upper bits
 */
public record ConnectionId(long value) {

    private static final int BUCKET_SHIFT = 40;

    static ConnectionId of(long bucket, long count) {
        return new ConnectionId(bucket << BUCKET_SHIFT | count);
    }

    @Override
    public String toString() {
        return (value >>> BUCKET_SHIFT) + "." + (value & (1L << BUCKET_SHIFT) - 1);
    }
}
