package io.iwcm.cm.proto;

/** Why a connection did not come about or ended; each maps to one errno of the Linux interface. */
public enum Cause {
    /** Nothing is wrong: an orderly end. */
    NONE("none", 0),
    /** The peer's TCP refused: a reset answered our SYN. */
    REFUSED_TCP("connection refused", 111),
    /** The peer's application, or its MPA, rejected the request. */
    REJECTED_ULP("rejected by the peer", 111),
    /** Nobody answered our SYN. */
    TIMEOUT_SYN("no answer to SYN", 110),
    /** TCP stood, but MPA did not come to an end in time. */
    TIMEOUT_MPA("MPA start-up timed out", 110),
    /** The peer stopped answering on a connection that stood. */
    TIMEOUT_PEER("peer stopped answering", 110),
    /** The peer reset or closed the connection. */
    RESET("reset by peer", 104),
    /** The peer broke the protocol. */
    PROTOCOL("protocol error", 71),
    /** Something had no room: here, or IRD at either end. */
    RESOURCES("out of resources", 12),
    /** No route, or the next hop does not answer. */
    UNREACHABLE("unreachable", 113),
    /** The local address or interface went away. */
    LOCAL_DOWN("local address down", 100),
    /** The local address is not one of this NIC. */
    ADDRESS_NOT_AVAILABLE("address not available", 99),
    /** The endpoint or the flow is taken. */
    ADDRESS_IN_USE("address in use", 98),
    /** The call does not fit the connection's state or its arguments are wrong. */
    INVALID("invalid argument", 22),
    /** The application itself ended it. */
    LOCAL_ABORT("ended by the application", 103),
    /** This connection manager is stopping, or a part of it failed. */
    SHUTDOWN("connection manager stopping", 108);

    private final String phrase;
    private final int errno;

    Cause(String phrase, int errno) {
        this.phrase = phrase;
        this.errno = errno;
    }

    /** A few words for people. */
    public String phrase() {
        return phrase;
    }

    /** The positive Linux errno it maps to; 0 for none. */
    public int errno() {
        return errno;
    }
}
