package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.proto.Cause;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A connect under way, for those who may not want to wait for its end; safe from any thread. */
public final class ConnectAttempt {

    private final CompletableFuture<Optional<CmConnection>> started;
    private final CompletableFuture<ConnectResult> result;
    private final Calls calls;

    /**
     * @param started the connection once it has a name; empty when there will be none
     * @param result completes when it is known how it ended
     */
    ConnectAttempt(
            CompletableFuture<Optional<CmConnection>> started, CompletableFuture<ConnectResult> result, Calls calls) {
        this.started = started;
        this.result = result;
        this.calls = calls;
    }

    /** The connection once it has a name; empty when there will be none, and then the result says why. */
    public CompletionStage<Optional<CmConnection>> started() {
        return started.minimalCompletionStage();
    }

    /** How it ends; completes exactly once and never fails. */
    public CompletionStage<ConnectResult> result() {
        return result.minimalCompletionStage();
    }

    /**
     * Gives up at once, however silent the peer is: no SYN is sent any more, and the result is
     * {@link Cause#LOCAL_ABORT}. A connection that has come about meanwhile is aborted. Again, or when it has failed
     * anyway: nothing happens.
     *
     * @return completes with {@link Cause#NONE} when there is nothing left of it
     */
    public CompletionStage<Cause> abandon() {
        return started.thenCompose(connection -> connection
                .map(known -> calls.call(() -> known, new CmConnection.Abort()))
                .orElse(CompletableFuture.completedStage(Cause.NONE)));
    }
}
