package io.iwcm.cm.api;

import io.iwcm.cm.proto.Cause;

/**
 * Something that was asked for could not be done; the message is one sentence. A stage that fails, fails with this: what
 * {@code join()} and {@code get()} throw has it as cause.
 */
public final class CmException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Cause cause;

    CmException(Cause cause, String sentence) {
        super(sentence);
        this.cause = cause;
    }

    /** Why, as a value. */
    public Cause why() {
        return cause;
    }
}
