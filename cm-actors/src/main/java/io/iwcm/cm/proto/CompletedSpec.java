package io.iwcm.cm.proto;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.Rnic.SynCompleted;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;

/**
 * A passive open whose TCP handshake the NIC has completed with a cookie: it is born with a synchronized TCP.
 *
 * @param flow both endpoints
 * @param ack the segment that brought the cookie back; it may carry the MPA request
 * @param listener whose backlog the connection has a place of
 * @param path priority and traffic class of our frames
 * @param said what the cookie remembered
 */
public record CompletedSpec(FlowKey flow, Segment ack, ListenKey listener, Path path, SynCompleted said) {}
