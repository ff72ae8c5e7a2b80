package io.iwcm.nic.memory;

/** Whether a peer may reach what it names, in the order in which it is judged (RFC 5040 §5.2, RFC 5041 §5.3). */
public enum Reach {
    /** All of it, and for what it wants. */
    GOOD,
    /** No valid region has this STag. */
    NO_SUCH_STAG,
    /** The region belongs to another protection domain. */
    OTHER_DOMAIN,
    /** The region does not allow it. */
    NOT_ALLOWED,
    /** The tagged offsets go beyond 2^64 - 1. */
    WRAPS,
    /** Octets outside the region. */
    OUT_OF_BOUNDS
}
