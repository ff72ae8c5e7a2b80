package io.iwcm.cm.analyze;

/** Why a frame of a capture tells nothing about a TCP connection. Every reason is one counter. */
public enum Skip {
    LINK_TYPE("of a link type that is not read"),
    OTHER_PROTOCOL("no IP (ARP, LLDP and others)"),
    NOT_TCP("IP but not TCP"),
    FRAGMENT("an IP fragment"),
    VLAN_DEPTH("more than four VLAN tags"),
    CUT_BEFORE_TCP("cut by the capture before the end of the TCP header"),
    MALFORMED("headers that contradict themselves");

    private final String sentence;

    Skip(String sentence) {
        this.sentence = sentence;
    }

    /** What the reason means, for people. */
    public String sentence() {
        return sentence;
    }

    /** The reason's name in output for scripts. */
    public String label() {
        return Labels.of(this);
    }
}
