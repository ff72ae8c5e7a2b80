package io.iwcm.cm.ops.client;

/** A command that a node did not carry out. The message is one sentence, for people. */
public final class ClientFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the shell is told. */
    public enum Kind {
        /** The node says no. */
        REFUSED(1),
        /** The node, or we, could make nothing of what was asked. */
        BAD_INPUT(2),
        /** There is no node, or it does not answer. */
        UNREACHABLE(3);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }
    }

    private final Kind kind;

    ClientFailure(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    public int exitCode() {
        return kind.exitCode;
    }
}
