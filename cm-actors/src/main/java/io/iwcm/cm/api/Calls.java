package io.iwcm.cm.api;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.IlqDispatcher;
import io.iwcm.cm.proto.Cause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/**
 * Turns answers of actors into stages that always complete, on threads of the application.
 *
 * @param system where the actors are
 * @param applications completes the stages, so that what hangs on them holds up no actor
 * @param patience longer than anything may take: who hears nothing by then will hear nothing
 */
record Calls(ActorSystem<?> system, Executor applications, Duration patience) {

    /** What there is to wait for besides an accept, whose deadline is a setting. */
    private static final Duration ANYTHING_ELSE = Duration.ofMinutes(5);

    static Calls of(ActorSystem<?> system, Executor applications, Duration longest) {
        Duration withMargin = longest.plusMinutes(1);
        return new Calls(system, applications, withMargin.compareTo(ANYTHING_ELSE) > 0 ? withMargin : ANYTHING_ELSE);
    }

    /** A call whose dispatcher failed may be lost: one that is not answered by then is made again, which does no harm. */
    private static final Duration REPEATED_AFTER = Duration.ofSeconds(2);

    /**
     * Calls until there is an answer. Without a connection manager there is nothing left to end, but nothing to accept
     * either.
     *
     * @param connection as it is known at the time: it may move
     */
    CompletionStage<Cause> call(Supplier<CmConnection> connection, CmConnection.Call call) {
        CompletableFuture<Cause> answered = new CompletableFuture<>();
        call(connection, call, answered, System.nanoTime() + patience.toNanos());
        return answered;
    }

    private void call(
            Supplier<CmConnection> connection,
            CmConnection.Call call,
            CompletableFuture<Cause> answered,
            long untilNs) {
        long madeNs = System.nanoTime();
        CmConnection now = connection.get();
        AskPattern.<IlqDispatcher.Command, Cause>ask(
                        now.home(),
                        replyTo -> new IlqDispatcher.Called(now, call, replyTo),
                        REPEATED_AFTER,
                        system.scheduler())
                .whenCompleteAsync(
                        (cause, lost) -> {
                            long nowNs = System.nanoTime();
                            boolean silent = nowNs - madeNs >= REPEATED_AFTER.toNanos(); // Otherwise nobody was there.
                            if (lost == null) answered.complete(cause);
                            else if (silent && nowNs < untilNs) call(connection, call, answered, untilNs);
                            else answered.complete(call instanceof CmConnection.Accept ? Cause.SHUTDOWN : Cause.NONE);
                        },
                        applications);
    }

    /** Fails with a {@link CmException} when nobody is there to answer. */
    <T, A> CompletionStage<A> ask(ActorRef<T> whom, Function<ActorRef<A>, T> what) {
        CompletableFuture<A> answered = new CompletableFuture<>();
        AskPattern.ask(whom, what, patience, system.scheduler())
                .whenCompleteAsync(
                        (answer, lost) -> {
                            if (lost == null) answered.complete(answer);
                            else
                                answered.completeExceptionally(
                                        new CmException(Cause.SHUTDOWN, "the connection manager has stopped"));
                        },
                        applications);
        return answered;
    }
}
