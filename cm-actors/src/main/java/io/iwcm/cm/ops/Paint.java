package io.iwcm.cm.ops;

import io.iwcm.cm.analyze.Verdict;

/**
 * Colours for a terminal, or none.
 *
 * @param on whether there are colours
 */
record Paint(boolean on) {

    static final Paint NONE = new Paint(false);

    private static final String RESET = "\u001b[0m";

    /** For standard output: colours only on a terminal, and not where NO_COLOR (no-color.org) asks for none. */
    static Paint ofTerminal() {
        String noColor = System.getenv("NO_COLOR");
        boolean wanted = noColor == null || noColor.isEmpty();
        boolean terminal = System.console() != null && System.console().isTerminal();
        return new Paint(wanted && terminal && !"dumb".equals(System.getenv("TERM")));
    }

    String verdict(Verdict verdict, String text) {
        return switch (verdict) {
            case HEALTHY -> painted("32", text);
            case SUSPICIOUS -> painted("33", text);
            case FAILED -> painted("1;31", text);
        };
    }

    String strong(String text) {
        return painted("1", text);
    }

    String faint(String text) {
        return painted("2", text);
    }

    private String painted(String code, String text) {
        return on ? "\u001b[" + code + "m" + text + RESET : text;
    }
}
