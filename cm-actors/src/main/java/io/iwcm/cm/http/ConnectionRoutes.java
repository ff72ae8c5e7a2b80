package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectAttempt;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/** Connections: looked at, opened, answered and ended. */
record ConnectionRoutes(Served served, int pageMax) {

    private static final int PAGE = 100;
    private static final String ALL = Route.BASE + "/connections";
    private static final String ONE = ALL + "/{id}";

    /** A connection has its name a moment before the first thing is known of it. */
    private static final Duration BIRTH = Duration.ofSeconds(2);

    List<Route> routes() {
        return List.of(
                Route.get(ALL, this::all, "state", "role", "address", "port", "text", "ended", "limit", "after"),
                Route.post(ALL, Route.Body.REQUIRED, this::connect, "wait"),
                Route.get(ONE, call -> new Answer.Value(json().withHistory(find(call)))),
                Route.post(ONE + "/accept", Route.Body.OPTIONAL, this::accept),
                Route.post(ONE + "/reject", Route.Body.OPTIONAL, this::reject),
                Route.post(ONE + "/disconnect", Route.Body.NONE, call -> end(call, Connection::disconnect)),
                Route.post(ONE + "/abort", Route.Body.NONE, call -> end(call, Connection::abort)));
    }

    private ConnectionJson json() {
        return new ConnectionJson(served);
    }

    private Seen find(Call call) {
        return served.watch()
                .find(call.connection())
                .orElseThrow(() -> Problem.notFound(
                                "there is no connection " + call.connection() + ", and none that ended lately")
                        .refusal());
    }

    private Answer all(Call call) {
        ConnectionFilter filter = ConnectionFilter.of(call);
        String ended = call.choice("ended", List.of("false", "true", "only"));
        int limit = call.integer("limit", 1, pageMax, Math.min(PAGE, pageMax));
        Optional<Seen.Place> after = call.text("after").map(Seen.Place::parse);
        Stream<Seen> live =
                ended.equals("only") ? Stream.empty() : served.watch().live();
        Stream<Seen> over = ended.equals("false") ? Stream.empty() : served.watch().ended().stream();
        List<Seen> found = Stream.concat(live, over)
                .filter(filter::takes)
                .filter(seen -> after.isEmpty() || seen.place().compareTo(after.get()) < 0)
                .sorted(Seen.NEWEST_FIRST)
                .limit(limit + 1L)
                .toList();
        ObjectNode page = Json.object();
        page.set("connections", Json.array(found.stream().limit(limit).toList(), json()::of));
        if (found.size() > limit) page.put("next", found.get(limit - 1).place().toString());
        return new Answer.Value(page);
    }

    private CompletionStage<Answer> connect(Call call) {
        ConnectOptions options = ConnectRequest.read(call.fields());
        boolean wait = call.flag("wait");
        ConnectAttempt attempt = begin(options);
        String where = "no connection to " + options.order().remote();
        return attempt.started()
                .thenCompose(started -> started.isEmpty() || wait
                        ? attempt.result().thenCompose(result -> stands(result, where))
                        : born(started.get()))
                .thenApply(seen -> new Answer.Made(
                        json().of(seen), ALL + "/" + seen.connection().id()));
    }

    private ConnectAttempt begin(ConnectOptions options) {
        try {
            return served.manager().begin(options, served.handler());
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(String.valueOf(e.getMessage())).refusal();
        }
    }

    private CompletionStage<Seen> stands(ConnectResult result, String where) {
        return switch (result) {
            case ConnectResult.Connected(var connection, var _) ->
                CompletableFuture.completedStage(served.watch()
                        .find(connection.id())
                        .orElseThrow(() -> Problem.of(Cause.RESET, where).refusal()));
            case ConnectResult.Failed(var cause, var _) ->
                CompletableFuture.failedStage(Problem.of(cause, where).refusal());
        };
    }

    private CompletionStage<Seen> born(CmConnection connection) {
        return born(connection, System.nanoTime() + BIRTH.toNanos());
    }

    private CompletionStage<Seen> born(CmConnection connection, long endNs) {
        Optional<Seen> seen = served.watch().find(connection.id());
        if (seen.isPresent()) return CompletableFuture.completedStage(seen.get());
        if (System.nanoTime() - endNs > 0) {
            return CompletableFuture.completedStage(
                    new Seen(connection, served.nowNs(), StateName.INITED, Optional.empty()));
        }
        return CompletableFuture.supplyAsync(
                        () -> born(connection, endNs), CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS))
                .thenCompose(Function.identity());
    }

    private CompletionStage<Answer> accept(Call call) {
        Fields fields = call.fields();
        AcceptOptions options = AcceptOptions.DEFAULT.privateData(privateData(fields));
        AcceptOptions whole = ListenerRoutes.depths(fields).map(options::depths).orElse(options);
        fields.refuseUnknown();
        Seen seen = find(call);
        return connection(seen).accept(whole).thenApply(cause -> {
            done(cause, call, "accepted");
            return new Answer.Value(json().of(find(call)));
        });
    }

    private CompletionStage<Answer> reject(Call call) {
        Fields fields = call.fields();
        Octets data = privateData(fields);
        fields.refuseUnknown();
        return end(call, connection -> connection.reject(data));
    }

    private static Octets privateData(Fields fields) {
        return fields.octets("privateData", MpaCodec.privateDataMax(false)).orElse(Octets.EMPTY);
    }

    private CompletionStage<Answer> end(Call call, Function<Connection, CompletionStage<Cause>> how) {
        return how.apply(connection(find(call))).thenApply(cause -> {
            done(cause, call, "ended so");
            return new Answer.Done();
        });
    }

    private Connection connection(Seen seen) {
        return served.manager().connection(seen.connection());
    }

    private static void done(Cause cause, Call call, String what) {
        if (cause != Cause.NONE) {
            throw Problem.of(cause, "connection " + call.connection() + " was not " + what)
                    .refusal();
        }
    }
}
