package io.iwcm.cm.actor;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names one connection for as long as this connection manager runs: flows come back, ids do not.
 *
 * @param value unique; the bucket's number in the upper bits
 */
public record ConnectionId(long value) {

    private static final int BUCKET_SHIFT = 40;
    private static final Pattern FORM = Pattern.compile("\\d{1,8}\\.\\d{1,13}");

    static ConnectionId of(long bucket, long count) {
        return new ConnectionId(bucket << BUCKET_SHIFT | count);
    }

    /** Reads it as it prints itself; empty when the text has another form. */
    public static Optional<ConnectionId> parse(String text) {
        if (!FORM.matcher(text).matches()) return Optional.empty();
        int dot = text.indexOf('.');
        return Optional.of(of(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1))));
    }

    @Override
    public String toString() {
        return (value >>> BUCKET_SHIFT) + "." + (value & (1L << BUCKET_SHIFT) - 1);
    }
}
