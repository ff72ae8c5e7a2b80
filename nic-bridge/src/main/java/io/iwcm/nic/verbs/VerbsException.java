package io.iwcm.nic.verbs;

/** Something that was asked for could not be done; the message is one sentence. */
public final class VerbsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    VerbsException(String sentence) {
        super(sentence);
    }
}
