package io.iwcm.cm.proto;

/** The states of a connection node, under irdma's names. */
public enum StateName {
    INITED,
    /** Lives in the listener, not in a node. */
    LISTENING,
    SYN_RCVD,
    SYN_SENT,
    /** Passive: TCP stands, the MPA request is awaited. */
    ESTABLISHED,
    /** Active: the MPA request is out. */
    MPAREQ_SENT,
    /** Passive: the application decides. */
    MPAREQ_RCVD,
    /** Active: a rejecting reply has arrived and TCP is being closed. */
    MPAREJ_RCVD,
    /** A queue pair has the connection. */
    OFFLOADED,
    FIN_WAIT1,
    FIN_WAIT2,
    CLOSE_WAIT,
    /** Lives in the NIC's steering as a row, not in a node. */
    TIME_WAIT,
    LAST_ACK,
    CLOSING,
    /** Passive: the listener is gone and the peer reset, but the application still owes its answer. */
    LISTENER_DESTROYED,
    CLOSED
}
