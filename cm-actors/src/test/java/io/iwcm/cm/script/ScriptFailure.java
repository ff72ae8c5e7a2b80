package io.iwcm.cm.script;

import java.util.List;

/** A script that the machine did not follow: the line, what was expected, what came, and the trace so far. */
public final class ScriptFailure extends AssertionError {

    private final int line;

    ScriptFailure(List<String> text, int line, String problem, List<String> trace) {
        super("script line " + line + ": " + problem + "\n\n" + excerpt(text, line) + "\ntrace:\n  "
                + String.join("\n  ", trace) + "\n");
        this.line = line;
    }

    /** The line that failed, from 1. */
    public int line() {
        return line;
    }

    private static String excerpt(List<String> text, int line) {
        StringBuilder out = new StringBuilder();
        for (int number = Math.max(1, line - 3); number <= Math.min(text.size(), line + 2); number++) {
            String content = text.get(number - 1);
            out.append("%4d | %s%n".formatted(number, content));
            if (number == line) {
                int caret = content.length() - content.stripLeading().length();
                out.append("     | ").append(" ".repeat(caret)).append("^\n");
            }
        }
        return out.toString();
    }
}
