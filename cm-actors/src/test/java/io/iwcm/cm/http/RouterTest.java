package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong behind the routes, and a node that stops. */
class RouterTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final ActorSystem system = ActorSystem.create();
    private final Materializer materializer = SystemMaterializer.get(system).materializer();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void end() {
        system.terminate();
        within(system.getWhenTerminated());
    }

    @Test
    void aStoppingNodeTakesNothingNewButSaysThatItLives() {
        stopping.set(true);

        assertProblem(ask("/api/v1/counted", LONG), 503, "this node is stopping");
        assertThat(ask("/health/live", LONG).status().intValue()).isEqualTo(200);
        assertThat(calls).hasValue(0);
    }

    @Test
    void aFailureSaysNothingOfItsInside() {
        HttpResponse response = ask("/api/v1/fails", LONG);

        assertProblem(response, 500, "the request failed; the node's log says where");
        assertThat(body(response)).doesNotContain("secret");
    }

    @Test
    void aFailureWhileTheNodeStopsIsTheStop() {
        CompletableFuture<Answer> later = new CompletableFuture<>();
        Router router = router(LONG, Route.getLater("/api/v1/later", _ -> later));

        CompletableFuture<HttpResponse> response =
                router.handle(HttpRequest.GET("http://localhost/api/v1/later")).toCompletableFuture();
        stopping.set(true);
        later.completeExceptionally(new CompletionException(new IllegalStateException("gone")));

        assertProblem(within(response), 503, "this node is stopping");
    }

    @Test
    void whatTakesTooLongIsGivenUpAndSaysThatItMayStillHappen() {
        assertProblem(ask("/api/v1/never", Duration.ofMillis(1)), 504, "what was asked for may still happen");
    }

    private HttpResponse ask(String path, Duration patience) {
        Router router = router(
                patience,
                Route.get("/health/live", _ -> new Answer.Value(Json.object().put("live", true))),
                Route.get("/api/v1/counted", _ -> {
                    calls.incrementAndGet();
                    return new Answer.Done();
                }),
                Route.get("/api/v1/fails", _ -> {
                    throw new IllegalStateException("secret");
                }),
                Route.getLater("/api/v1/never", _ -> new CompletableFuture<>()));
        return within(router.handle(HttpRequest.GET("http://localhost" + path)));
    }

    private Router router(Duration patience, Route... routes) {
        return new Router(
                List.of(routes), new Guard(Optional.empty(), true), 1024, patience, stopping::get, materializer);
    }

    private void assertProblem(HttpResponse response, int status, String detail) {
        assertThat(response.status().intValue()).isEqualTo(status);
        try {
            var problem = new ObjectMapper().readTree(body(response));
            assertThat(problem.get("status").intValue()).isEqualTo(status);
            assertThat(problem.get("detail").textValue()).contains(detail);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String body(HttpResponse response) {
        return within(response.entity().toStrict(10_000, materializer))
                .getData()
                .utf8String();
    }
}
