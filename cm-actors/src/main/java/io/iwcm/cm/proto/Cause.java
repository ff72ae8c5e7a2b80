package io.iwcm.cm.proto;

/**
 * Why a connection did not come about or ended. Each maps to one errno of the Linux interface and, for an active open, to
 * the event under which an application of librdmacm would have met it; several causes share those, none shares its name.
 */
public enum Cause {
    /** Nothing is wrong: an orderly end. */
    NONE("none", "", 0, CmaEvent.ESTABLISHED),
    /** The peer's TCP refused: a reset answered our SYN. */
    REFUSED_TCP("connection refused", "ECONNREFUSED", 111, CmaEvent.REJECTED),
    /** The peer's application, or its MPA, rejected the request. */
    REJECTED_ULP("rejected by the peer", "ECONNREFUSED", 111, CmaEvent.REJECTED),
    /** Nobody answered our SYN. */
    TIMEOUT_SYN("no answer to SYN", "ETIMEDOUT", 110, CmaEvent.UNREACHABLE),
    /** TCP stood, but MPA did not come to an end in time. */
    TIMEOUT_MPA("MPA start-up timed out", "ETIMEDOUT", 110, CmaEvent.UNREACHABLE),
    /** The peer stopped answering on a connection that stood. */
    TIMEOUT_PEER("peer stopped answering", "ETIMEDOUT", 110, CmaEvent.UNREACHABLE),
    /** The peer reset or closed the connection. */
    RESET("reset by peer", "ECONNRESET", 104, CmaEvent.REJECTED),
    /** The peer broke the protocol. */
    PROTOCOL("protocol error", "EPROTO", 71, CmaEvent.CONNECT_ERROR),
    /** Something had no room: here, or IRD at either end. */
    RESOURCES("out of resources", "ENOMEM", 12, CmaEvent.CONNECT_ERROR),
    /** No route, or the next hop does not answer. */
    UNREACHABLE("unreachable", "EHOSTUNREACH", 113, CmaEvent.ADDR_ERROR),
    /** The local address or interface went away. */
    LOCAL_DOWN("local address down", "ENETDOWN", 100, CmaEvent.CONNECT_ERROR),
    /** The local address is not one of this NIC. */
    ADDRESS_NOT_AVAILABLE("address not available", "EADDRNOTAVAIL", 99, CmaEvent.ADDR_ERROR),
    /** The endpoint or the flow is taken. */
    ADDRESS_IN_USE("address in use", "EADDRINUSE", 98, CmaEvent.CONNECT_ERROR),
    /** The call does not fit the connection's state or its arguments are wrong. */
    INVALID("invalid argument", "EINVAL", 22, CmaEvent.CONNECT_ERROR),
    /** The application itself ended it. */
    LOCAL_ABORT("ended by the application", "ECONNABORTED", 103, CmaEvent.CONNECT_ERROR),
    /** This connection manager is stopping, or a part of it failed. */
    SHUTDOWN("connection manager stopping", "ESHUTDOWN", 108, CmaEvent.CONNECT_ERROR);

    private final String phrase;
    private final String errnoName;
    private final int errno;
    private final CmaEvent event;

    Cause(String phrase, String errnoName, int errno, CmaEvent event) {
        this.phrase = phrase;
        this.errnoName = errnoName;
        this.errno = errno;
        this.event = event;
    }

    /** The kinds of end that librdmacm tells of an active open over iWARP. */
    private enum CmaEvent {
        ESTABLISHED,
        REJECTED,
        UNREACHABLE,
        ADDR_ERROR,
        CONNECT_ERROR
    }

    /** A few words for people. */
    public String phrase() {
        return phrase;
    }

    /** The positive Linux errno it maps to; 0 for none. */
    public int errno() {
        return errno;
    }

    /** That errno's name, such as {@code ECONNREFUSED}; empty for none. */
    public String errnoName() {
        return errnoName;
    }

    /** The event that an application of librdmacm gets when a connect ends so, such as {@code RDMA_CM_EVENT_REJECTED}. */
    public String rdmaCmEvent() {
        return "RDMA_CM_EVENT_" + event;
    }
}
