package io.iwcm.nic.steer;

import io.iwcm.nic.wire.FlowKey;

/**
 * A keyed hash of a connection's addressing that a peer cannot guess (RFC 6056 §3.3.3). Where a port is yet to be chosen
 * it is 0. The secret is the maker's.
 */
@FunctionalInterface
public interface TupleHash {

    long of(FlowKey flow);
}
