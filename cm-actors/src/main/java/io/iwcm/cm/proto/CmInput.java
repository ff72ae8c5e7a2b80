package io.iwcm.cm.proto;

import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.util.Optional;

/** Whatever can happen to a connection. Application calls carry an id that their {@link CmOutput.Answer} repeats. */
public sealed interface CmInput {

    /** A checksum-verified segment of this flow. */
    record Arrived(Segment segment) implements CmInput {}

    /**
     * A timer has fired.
     *
     * @param key which
     * @param generation the generation it was armed with; an older one is stale and changes nothing
     */
    record TimerTick(TimerKey key, long generation) implements CmInput {}

    /** The NIC answers an order or reports on the queue pair. */
    record FromNic(NicEvent event) implements CmInput {}

    /**
     * The application accepts.
     *
     * @param call comes back in the answer, which waits for the queue pair
     * @param qp the queue pair that is to take the connection over
     * @param depths its wish; empty takes what the request event suggested
     * @param privateData at most 512 octets, 508 in an enhanced exchange
     */
    record Accept(long call, QpId qp, Optional<ReadDepths> depths, Octets privateData) implements CmInput {}

    /** The application rejects. */
    record Reject(long call, Octets privateData) implements CmInput {}

    /** The application wants an orderly end. */
    record Disconnect(long call) implements CmInput {}

    /** The application wants it gone now: the peer sees a reset. */
    record Abort(long call) implements CmInput {}

    /** The application (its actor or handler) died: what it does not know any more is ended for it. */
    record ApplicationGone() implements CmInput {}

    /** The local address and VLAN of this flow went away. */
    record AddressDown() implements CmInput {}

    /** The listener this flow came by is being destroyed. */
    record ListenerGone() implements CmInput {}

    /** The connection manager stops, or the code of this node threw. */
    record Shutdown() implements CmInput {}
}
