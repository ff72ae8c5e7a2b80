package io.iwcm.cm.rping;

/** A ping that failed; the message is one sentence. */
public final class RpingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RpingException(String sentence) {
        super(sentence);
    }
}
