package io.iwcm.nic.link;

/**
 * A link that cannot be opened or a capture file that cannot be read or written. The message is one sentence for people:
 * what was tried, on what, and what would be allowed.
 */
public final class LinkException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public LinkException(String sentence) {
        super(sentence);
    }

    public LinkException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
