package io.iwcm.nic.codec;

/**
 * A message that cannot be written, or octets that are no message. It says why in one sentence and where that came from does
 * not matter, so it has no stack trace: it may come as often as somebody sends.
 */
public final class CodecException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public CodecException(String sentence) {
        super(sentence, null, false, false);
    }
}
