package io.iwcm.nic.spi;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.TcpFrame;

/**
 * All a queue pair needs to take a connection over.
 *
 * @param addressing flow, MACs, priority and traffic class for its frames
 * @param tcp TCP as the connection manager leaves it
 * @param rdma what MPA negotiation fixed
 * @param lsmm the MPA reply that the queue pair sends as its last streaming-mode message, from {@code tcp.send().nxt()}
 *     on, until acknowledged; empty at the initiator
 */
public record QpContext(TcpFrame.Addressing addressing, TcpHandOver tcp, RdmaParams rdma, Octets lsmm) {}
