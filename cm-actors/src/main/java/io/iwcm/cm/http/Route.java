package io.iwcm.cm.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpMethod;
import org.apache.pekko.http.javadsl.model.HttpMethods;

/**
 * One thing that can be asked for.
 *
 * @param method how
 * @param path where; a segment in braces is a parameter
 * @param produces the type of its answer
 * @param query names of the query parameters that it knows
 * @param body whether a body may come along
 * @param handler does it; a {@link Refusal} thrown, or as failure of the stage, is a problem for the client
 */
record Route(
        HttpMethod method,
        String path,
        Produces produces,
        Set<String> query,
        Body body,
        Function<Call, CompletionStage<Answer>> handler) {

    /** The type of an answer. */
    enum Produces {
        JSON,
        YAML,
        PROMETHEUS,
        EVENTS
    }

    /** Whether a body may come along. */
    enum Body {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    /** All paths but those of the health checks begin like this. */
    static final String BASE = "/api/v1";

    static Route get(String path, Function<Call, Answer> handler, String... query) {
        return getLater(path, call -> CompletableFuture.completedStage(handler.apply(call)), query);
    }

    static Route getLater(String path, Function<Call, CompletionStage<Answer>> handler, String... query) {
        return new Route(HttpMethods.GET, path, Produces.JSON, Set.of(query), Body.NONE, handler);
    }

    static Route put(String path, Function<Call, CompletionStage<Answer>> handler) {
        return new Route(HttpMethods.PUT, path, Produces.JSON, Set.of(), Body.NONE, handler);
    }

    static Route delete(String path, Function<Call, CompletionStage<Answer>> handler) {
        return new Route(HttpMethods.DELETE, path, Produces.JSON, Set.of(), Body.NONE, handler);
    }

    static Route post(String path, Body body, Function<Call, CompletionStage<Answer>> handler, String... query) {
        return new Route(HttpMethods.POST, path, Produces.JSON, Set.of(query), body, handler);
    }

    Route producing(Produces other) {
        return new Route(method, path, other, query, body, handler);
    }

    /** The values of its parameters when it is at this path; empty when it is not. */
    Optional<List<String>> match(String asked) {
        String[] ours = path.split("/", -1);
        String[] theirs = asked.split("/", -1);
        if (ours.length != theirs.length) return Optional.empty();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < ours.length; i++) {
            if (ours[i].startsWith("{")) values.add(theirs[i]);
            else if (!ours[i].equals(theirs[i])) return Optional.empty();
        }
        return Optional.of(values);
    }
}
