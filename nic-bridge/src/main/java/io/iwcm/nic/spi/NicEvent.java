package io.iwcm.nic.spi;

import io.iwcm.nic.wire.SeqNum;

/** What an RNIC tells a connection about its flow. */
public sealed interface NicEvent {

    /**
     * The next hop is known and the address handle can be used.
     *
     * @param mtu IP MTU of the path's first link, octets
     */
    record AddressHandleReady(int mtu) implements NicEvent {}

    /** No address handle: nothing can be sent. */
    record AddressHandleFailed(Failure why) implements NicEvent {}

    /** The quad hash catches what the peer sends from now on. */
    record SteeringInstalled() implements NicEvent {}

    /** The flow could not be entered in the quad hash. */
    record SteeringFailed(Failure why) implements NicEvent {}

    /** An asynchronous event of the queue pair that took the connection over. */
    record QpEvent(AsyncEvent event) implements NicEvent {}

    /** The queue pair could not take the connection over. The peer has been sent nothing. */
    record ModifyQpFailed(Failure why) implements NicEvent {}

    /**
     * An ICMP or ICMPv6 error about a segment that this connection is said to have sent. Anybody can write one: it is worth
     * something only when {@code quoted} is in flight (RFC 5927 §4.1).
     *
     * @param problem what went wrong
     * @param mtu with {@link PathProblem#PACKET_TOO_BIG} the IP MTU that the next hop has, octets; 0 if it does not say
     * @param quoted the sequence number of the quoted segment
     */
    record PathError(PathProblem problem, int mtu, SeqNum quoted) implements NicEvent {}

    /** What an ICMP error says (RFC 9293 §3.9.2.2). */
    enum PathProblem {
        /** Net or host unreachable, filtered, time exceeded, parameter problem: it may pass. */
        SOFT,
        /** Nobody listens on the port there. */
        PORT_UNREACHABLE,
        /** There is no TCP there. */
        PROTOCOL_UNREACHABLE,
        /** The packet does not fit, and must not be cut. */
        PACKET_TOO_BIG
    }

    /** Somebody else owns the flow by now: end in silence. */
    record Superseded() implements NicEvent {}

    /** Why a NIC did not do what it was asked. */
    enum Failure {
        /** No route to the remote address. */
        NO_ROUTE,
        /** The next hop does not answer ARP or neighbour discovery. */
        NEIGHBOUR_UNREACHABLE,
        /** The local address is not (or no longer) one of this NIC and VLAN. */
        NOT_LOCAL,
        /** Another connection has this flow. */
        QUAD_TAKEN,
        /** No connection has this flow. */
        NO_FLOW,
        /** The listener is gone. */
        NOT_LISTENING,
        /** A place in the listener's backlog is not to be had. */
        BACKLOG_FULL,
        /** A table or pool of the NIC is full. */
        RESOURCES,
        /** Every port for active opens is in use toward this remote end. */
        PORTS_EXHAUSTED,
        /** The queue pair does not exist or is in use. */
        BAD_QP,
        /** The device refused. */
        DEVICE
    }
}
