package io.iwcm.cm.script;

/** A script that cannot be read: says where, and what is allowed there. */
public final class ScriptSyntaxError extends IllegalArgumentException {

    private final int line;
    private final int column;

    ScriptSyntaxError(int line, int column, String lineText, String problem) {
        super("script line " + line + ", column " + column + ": " + problem + "\n  " + lineText + "\n  "
                + " ".repeat(column - 1) + "^");
        this.line = line;
        this.column = column;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }
}
