package io.iwcm.cm.proto;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;

/**
 * A passive open: a SYN that a listener has admitted.
 *
 * @param flow both endpoints
 * @param syn the SYN
 * @param listener whose backlog the connection takes a place of
 * @param path priority and traffic class of our frames
 */
public record AdmitSpec(FlowKey flow, Segment syn, ListenKey listener, Path path) {}
