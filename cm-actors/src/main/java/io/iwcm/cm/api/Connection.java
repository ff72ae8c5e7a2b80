package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.cm.actor.Role;
import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * One connection; safe from any thread, also from its own handler.
 *
 * <p>Every call returns at once and completes exactly once, on a thread of its own, with {@link Cause#NONE} when it is done
 * and with why not otherwise; it never fails. Calls that end a connection may be repeated and come at any time: when there is
 * nothing left to end they have succeeded.
 */
public final class Connection {

    private volatile CmConnection connection;
    private final Calls calls;

    Connection(CmConnection connection, Calls calls) {
        this.connection = connection;
        this.calls = calls;
    }

    /** Its dispatcher has failed and another went on with it: calls go there from now on. */
    void movedTo(CmConnection now) {
        connection = now;
    }

    /** Its name, as logs and snapshots have it. */
    public ConnectionId id() {
        return connection.id();
    }

    /** Who opened it. */
    public Role role() {
        return connection.role();
    }

    /** Both endpoints and the VLAN; with a port mapper, as the applications know them. */
    public FlowKey flow() {
        return connection.shown();
    }

    /** Our end. */
    public Endpoint local() {
        return connection.shown().local();
    }

    /** The peer's end. */
    public Endpoint remote() {
        return connection.shown().remote();
    }

    /**
     * Takes the connection that a {@code ConnectRequest} offered. Completes when the queue pair has it; in the peer-to-peer
     * model {@code Established} comes when the initiator's first FPDU has arrived. The peer may send from here on: post
     * receives before accepting.
     *
     * @return {@link Cause#NONE}; {@link Cause#RESET} when the peer or the connection has gone; {@link Cause#INVALID} when
     *     this connection does not wait for an answer, its listener has gone or the private data does not fit the request;
     *     {@link Cause#RESOURCES}, {@link Cause#TIMEOUT_MPA} or {@link Cause#SHUTDOWN} when it did not come about
     */
    public CompletionStage<Cause> accept(AcceptOptions options) {
        return calls.call(
                () -> connection, Objects.requireNonNull(options, "options").call());
    }

    /** Takes it with what the request suggested. */
    public CompletionStage<Cause> accept() {
        return accept(AcceptOptions.DEFAULT);
    }

    /**
     * Refuses the connection that a {@code ConnectRequest} offered; no event follows.
     *
     * @param privateData at most 512 octets, 508 when the request was enhanced
     * @return {@link Cause#NONE}, also when the connection has ended; {@link Cause#INVALID} when it stands already or the
     *     private data does not fit the request
     * @throws IllegalArgumentException when the private data is longer than 512 octets; nothing is done
     */
    public CompletionStage<Cause> reject(Octets privateData) {
        return calls.call(
                () -> connection, new CmConnection.Reject(Objects.requireNonNull(privateData, "privateData")));
    }

    /** Refuses it without private data. */
    public CompletionStage<Cause> reject() {
        return reject(Octets.EMPTY);
    }

    /**
     * Ends it in order: what is outstanding is sent, then a FIN. {@code Disconnected} and {@code Closed} follow if it stood.
     * One that waits for an answer is rejected; one that is being opened is given up, and its connect ends with
     * {@link Cause#LOCAL_ABORT}.
     */
    public CompletionStage<Cause> disconnect() {
        return calls.call(() -> connection, new CmConnection.Disconnect());
    }

    /**
     * Ends it now: the peer sees a reset. An initiator whose request is reset may ask once more in MPA revision 1, so
     * {@link #reject} is what ends a request.
     */
    public CompletionStage<Cause> abort() {
        return calls.call(() -> connection, new CmConnection.Abort());
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
