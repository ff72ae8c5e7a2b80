package io.iwcm.nic.verbs;

/** What became of posting. */
public enum PostResult {
    /** The queue pair has it; its completion follows. */
    POSTED("posted"),
    /** The queue is full until a completion has been polled. */
    QUEUE_FULL("the queue is full until a completion has been taken"),
    /**
     * Its memory is not as it must be: outside its region, of another domain, not to be written to, more than 2^32-1 octets;
     * or a Read with more than one part.
     */
    BAD_MEMORY("its memory lies outside its region, belongs to another domain or may not be written to"),
    /** The NIC has been closed. */
    CLOSED("the NIC is closed");

    private final String phrase;

    PostResult(String phrase) {
        this.phrase = phrase;
    }

    /** For people. */
    public String phrase() {
        return phrase;
    }
}
