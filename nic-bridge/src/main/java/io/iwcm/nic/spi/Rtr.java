package io.iwcm.nic.spi;

/** The forms of the ready-to-receive frame that an initiator sends first in the peer-to-peer model (RFC 6581 §9.2). */
public enum Rtr {
    /** Zero-length Send: flag B. */
    SEND,
    /** Zero-length RDMA Write: flag C. */
    WRITE,
    /** Zero-length RDMA Read Request: flag D. */
    READ
}
