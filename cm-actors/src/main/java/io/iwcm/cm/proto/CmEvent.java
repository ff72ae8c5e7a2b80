package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;

/**
 * What the application is told of a connection, in order, each once. Both endpoints are those of the connection the
 * event arrives on.
 */
public sealed interface CmEvent {

    /**
     * Passive, first: a peer asks. Answer with accept or reject.
     *
     * @param revision MPA revision of the request
     * @param peer the peer's raw read depths
     * @param suggested our depths if the application has no wish
     * @param privateData the peer's private data, empty without any
     */
    record ConnectRequest(int revision, PeerDepths peer, ReadDepths suggested, Octets privateData) implements CmEvent {}

    /**
     * Active, exactly once: how the connect ended.
     *
     * @param outcome {@link Cause#NONE} when the connection stands
     * @param depths our negotiated depths; those asked for when there was no success
     * @param peer the peer's raw read depths, on success and on rejection
     * @param privateData the peer's private data, on success and on rejection
     */
    record ConnectReply(Cause outcome, ReadDepths depths, PeerDepths peer, Octets privateData) implements CmEvent {}

    /** Passive, at most once: the accepted connection stands. */
    record Established(ReadDepths depths) implements CmEvent {}

    /**
     * Passive: an accept that had been taken did not come to a connection. No further event follows.
     */
    record AcceptFailed(Cause cause) implements CmEvent {}

    /** The connection no longer carries data; {@link Closed} follows. Only after success was told. */
    record Disconnected(Cause cause) implements CmEvent {}

    /** The connection is gone. The last event. Only after success was told. */
    record Closed(Cause cause) implements CmEvent {}
}
