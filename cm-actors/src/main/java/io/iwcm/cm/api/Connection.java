package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.cm.actor.Role;
import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import java.util.concurrent.CompletionStage;

/**
 * One connection. Every call completes with {@link Cause#NONE} when it is done, with why not otherwise; calls that end a
 * connection succeed also when it has ended already.
 */
public final class Connection {

    private final CmConnection connection;
    private final Calls calls;

    Connection(CmConnection connection, Calls calls) {
        this.connection = connection;
        this.calls = calls;
    }

    public ConnectionId id() {
        return connection.id();
    }

    public Role role() {
        return connection.role();
    }

    /** Both endpoints and the VLAN. */
    public FlowKey flow() {
        return connection.flow();
    }

    public Endpoint local() {
        return connection.flow().local();
    }

    public Endpoint remote() {
        return connection.flow().remote();
    }

    /**
     * Takes the connection that a {@code ConnectRequest} offered. Completes when the queue pair has it; in the peer-to-peer
     * model {@code Established} comes when the initiator's first FPDU has arrived.
     */
    public CompletionStage<Cause> accept(AcceptOptions options) {
        return calls.call(connection, options.call());
    }

    /** Takes it with what the request suggested. */
    public CompletionStage<Cause> accept() {
        return accept(AcceptOptions.DEFAULT);
    }

    /**
     * Refuses the connection that a {@code ConnectRequest} offered; no event follows.
     *
     * @param privateData at most 512 octets, 508 when the request was enhanced
     * @throws IllegalArgumentException when it is longer than 512
     */
    public CompletionStage<Cause> reject(Octets privateData) {
        return calls.call(connection, new CmConnection.Reject(privateData));
    }

    /** Ends it in order: {@code Disconnected} and {@code Closed} follow. */
    public CompletionStage<Cause> disconnect() {
        return calls.call(connection, new CmConnection.Disconnect());
    }

    /** Ends it now: the peer sees a reset. */
    public CompletionStage<Cause> abort() {
        return calls.call(connection, new CmConnection.Abort());
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
