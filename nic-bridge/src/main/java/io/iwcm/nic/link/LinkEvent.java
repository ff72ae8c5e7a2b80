package io.iwcm.nic.link;

/** What else may happen to a link, besides frames. Each kind of link counts those that can happen to it. */
public enum LinkEvent {
    CONNECTS("connects", "peers that attached to the link's socket"),
    CONNECT_FAILURES("connect_failures", "tries to reach the peer that failed; another follows"),
    DISCONNECTS("disconnects", "peers of the link's socket that went away or were cut off"),
    WRONG_LENGTHS("wrong_lengths", "peers cut off: they announced a frame of a length that none can have"),
    STRANGERS("strangers", "peers turned away while another was attached, and datagrams from somebody else");

    private final String label;
    private final String sentence;

    LinkEvent(String label, String sentence) {
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
