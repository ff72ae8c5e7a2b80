package io.iwcm.cm.proto;

/** The timers of a node; each is armed at most once at a time. */
public enum TimerKey {
    /** Retransmission of what the peer has not acknowledged. */
    RETRANSMIT,
    /** The deadline of the present phase: address, SYN, MPA request, MPA reply, accept, close. */
    DEADLINE
}
