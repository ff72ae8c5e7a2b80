package io.iwcm.nic.codec;

/** What is counted where messages cross between members. Counts only grow. */
public enum CodecCounter {
    ENCODED("messages_encoded", "messages written for another member"),
    DECODED("messages_decoded", "messages read from another member"),
    NOT_ENCODABLE("messages_not_encodable", "messages lost: they hold something that does not cross"),
    OTHER_VERSION("messages_other_version", "messages refused: their sender speaks another version"),
    MALFORMED("messages_malformed", "messages refused: their octets are no message");

    private final String label;
    private final String sentence;

    CodecCounter(String label, String sentence) {
        this.label = label;
        this.sentence = sentence;
    }

    /** The name under which operators know it. */
    public String label() {
        return label;
    }

    /** What is counted, for people. */
    public String sentence() {
        return sentence;
    }
}
