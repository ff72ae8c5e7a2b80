package io.iwcm.cm.proto;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.Optional;

/**
 * A passive open: a SYN that a listener has admitted.
 *
 * @param flow both endpoints
 * @param syn the SYN
 * @param listener whose backlog the connection takes a place of
 * @param path priority and traffic class of our frames
 * @param isnAbove the SYN reopens a flow in TIME_WAIT: our initial sequence number must exceed this one (RFC 9293
 *     §3.6.1, MAY-2); else empty
 */
public record AdmitSpec(FlowKey flow, Segment syn, ListenKey listener, Path path, Optional<SeqNum> isnAbove) {

    public AdmitSpec(FlowKey flow, Segment syn, ListenKey listener, Path path) {
        this(flow, syn, listener, path, Optional.empty());
    }
}
