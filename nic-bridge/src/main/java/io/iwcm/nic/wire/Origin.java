package io.iwcm.nic.wire;

/** Where a received frame came from, which decides what addresses it may carry. */
public enum Origin {
    /** From a link: loopback addresses, and one address at both ends, are somebody's forgery (RFC 1122 §3.2.1.3). */
    WIRE,
    /** Turned round inside the NIC: one host talks to itself. */
    LOOPBACK
}
