package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/** How a request is to be accepted. A value: each method gives another one. */
public final class AcceptOptions {

    /** A queue pair of its own, the suggested depths, no private data. */
    public static final AcceptOptions DEFAULT =
            new AcceptOptions(new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY));

    private final CmConnection.Accept call;

    private AcceptOptions(CmConnection.Accept call) {
        this.call = call;
    }

    /** With the application's read depths; the negotiation limits them to what peer and device can do. */
    public AcceptOptions depths(ReadDepths depths) {
        return new AcceptOptions(new CmConnection.Accept(call.qp(), Optional.of(depths), call.privateData()));
    }

    /**
     * With private data for the peer: at most 512 octets, 508 when the request was enhanced.
     *
     * @throws IllegalArgumentException when it is longer than 512
     */
    public AcceptOptions privateData(Octets data) {
        return new AcceptOptions(new CmConnection.Accept(call.qp(), call.depths(), data));
    }

    /** With a queue pair that the application has made and ends itself. */
    public AcceptOptions queuePair(QpId qp) {
        return new AcceptOptions(new CmConnection.Accept(Optional.of(qp), call.depths(), call.privateData()));
    }

    /** The same as a call of the actors' protocol. */
    public CmConnection.Accept call() {
        return call;
    }
}
