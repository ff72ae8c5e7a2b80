package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.IlqDispatcher;
import io.iwcm.cm.proto.Cause;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** Turns answers of actors into stages that always complete. */
record Calls(ActorSystem<?> system) {

    /**
     * Longer than any deadline of a connection that may wait for its peer: who hears nothing by then will hear nothing.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    CompletionStage<Cause> call(CmConnection connection, CmConnection.Call call) {
        return this.<IlqDispatcher.Command, Cause>ask(
                        connection.home(), replyTo -> new IlqDispatcher.Called(connection, call, replyTo))
                .exceptionally(_ -> Cause.SHUTDOWN);
    }

    /** Fails when nobody answers. */
    <T, A> CompletionStage<A> ask(ActorRef<T> whom, Function<ActorRef<A>, T> what) {
        return AskPattern.ask(whom, what, PATIENCE, system.scheduler());
    }
}
