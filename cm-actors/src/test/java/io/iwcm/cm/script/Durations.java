package io.iwcm.cm.script;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time spans as scripts write them, in nanoseconds. */
final class Durations {

    static final long MS = 1_000_000L;
    static final long SECOND = 1_000 * MS;

    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(us|ms|s|m|h)?");

    private Durations() {}

    /** Nanoseconds; -1 when the text is none. */
    static long parse(String text) {
        Matcher span = SPAN.matcher(text);
        if (!span.matches()) {
            return -1;
        }
        long unit = switch (span.group(2) == null ? "ms" : span.group(2)) {
            case "us" -> 1_000L;
            case "s" -> SECOND;
            case "m" -> 60 * SECOND;
            case "h" -> 3_600 * SECOND;
            default -> MS;
        };
        return Long.parseLong(span.group(1)) * unit;
    }

    /** Milliseconds, with a fraction only where there is one. */
    static String text(long ns) {
        return ns % MS == 0 ? ns / MS + "ms" : String.format(Locale.ROOT, "%.3fms", ns / (double) MS);
    }
}
