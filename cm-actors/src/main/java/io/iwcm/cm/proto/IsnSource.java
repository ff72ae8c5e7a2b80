package io.iwcm.cm.proto;

import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.SeqNum;

/** Gives initial sequence numbers (RFC 6528): a clock plus a keyed function of the flow, made outside the core. */
@FunctionalInterface
public interface IsnSource {

    /** The initial sequence number for a connection of this flow that opens at {@code nowNs}. */
    SeqNum isn(FlowKey flow, long nowNs);
}
