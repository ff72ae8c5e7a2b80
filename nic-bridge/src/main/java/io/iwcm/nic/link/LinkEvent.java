package io.iwcm.nic.link;

/** What else may happen to a link, besides frames. Each kind of link counts those that can happen to it. */
public enum LinkEvent {
    CONNECTS("connects", "peers that attached to the link's socket"),
    CONNECT_FAILURES("connect_failures", "tries to reach the peer that failed; another follows"),
    DISCONNECTS("disconnects", "peers of the link's socket that went away or were cut off"),
    WRONG_LENGTHS("wrong_lengths", "peers cut off: they announced a frame of a length that none can have"),
    STRANGERS("strangers", "peers turned away while another was attached, and datagrams from somebody else"),
    DOWNS("downs", "times the network interface went down or lost its carrier"),
    UPS("ups", "times the network interface came up again"),
    TAGS_RESTORED("tags_restored", "received frames whose VLAN tag the kernel had taken out; it was put back"),
    CHECKSUMS_FINISHED("checksums_finished", "received frames whose checksum was left to a card; it was calculated"),
    CUTS("cuts", "received frames larger than the MTU, merged by the kernel or its sender; cut if TCP, else dropped");

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
