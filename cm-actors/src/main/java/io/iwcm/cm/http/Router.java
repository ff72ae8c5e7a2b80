package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.iwcm.cm.api.CmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaRange;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.Query;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.Accept;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.http.scaladsl.model.IllegalUriException;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.util.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what a request asks for and has it done; whatever goes wrong is answered with a {@link Problem}. */
final class Router {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);
    private static final Duration BODY_PATIENCE = Duration.ofSeconds(10);

    private final List<Route> routes;
    private final Guard guard;
    private final int bodyMax;
    private final Duration patience;
    private final BooleanSupplier stopping;
    private final Materializer materializer;

    /**
     * @param patience until a request is answered
     * @param stopping whether nothing new is taken any more
     */
    Router(
            List<Route> routes,
            Guard guard,
            int bodyMax,
            Duration patience,
            BooleanSupplier stopping,
            Materializer materializer) {
        this.routes = List.copyOf(routes);
        this.guard = guard;
        this.bodyMax = bodyMax;
        this.patience = patience;
        this.stopping = stopping;
        this.materializer = materializer;
    }

    List<Route> routes() {
        return routes;
    }

    CompletionStage<HttpResponse> handle(HttpRequest request) {
        String path = request.getUri().getPathString();
        return CompletableFuture.completedStage(request)
                .thenCompose(this::carryOut)
                .exceptionally(failure -> Responses.of(problem(path, failure), path));
    }

    private CompletionStage<HttpResponse> carryOut(HttpRequest request) {
        String path = request.getUri().getPathString();
        boolean health = path.startsWith("/health/");
        if (!health) guard.check(request);
        Found found = find(request, path);
        checkAccept(request, found.route().produces());
        Query query = query(request, found.route());
        if (stopping.getAsBoolean() && !health) throw Problem.stopping().refusal();
        return body(request, found.route())
                .thenCompose(body -> found.route()
                        .handler()
                        .apply(new Call(found.values(), query, body, Guard.header(request, "Last-Event-ID"))))
                .thenApply(answer -> Responses.of(answer, found.route().produces()))
                .toCompletableFuture()
                .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    private record Found(Route route, List<String> values) {}

    private Found find(HttpRequest request, String path) {
        List<Found> here = new ArrayList<>();
        for (Route route : routes) {
            route.match(path).ifPresent(values -> here.add(new Found(route, values)));
        }
        if (here.isEmpty())
            throw Problem.notFound("there is nothing at " + path).refusal();
        return here.stream()
                .filter(found -> found.route().method().equals(request.method()))
                .findFirst()
                .orElseThrow(() -> notAllowed(request, here));
    }

    private static Refusal notAllowed(HttpRequest request, List<Found> here) {
        String allowed = here.stream()
                .map(found -> found.route().method().value())
                .sorted()
                .collect(Collectors.joining(", "));
        return new Refusal(
                Problem.of(
                        StatusCodes.METHOD_NOT_ALLOWED,
                        request.method().value() + " is not possible here: " + allowed + " is"),
                Optional.of(allowed));
    }

    private static void checkAccept(HttpRequest request, Route.Produces produces) {
        Optional<Accept> accept = request.getHeader(Accept.class);
        if (accept.isEmpty()) return;
        ContentType type = Responses.type(produces);
        boolean acceptable = StreamSupport.stream(accept.get().getMediaRanges().spliterator(), false)
                .anyMatch((MediaRange range) -> range.matches(type.mediaType()));
        if (!acceptable) {
            throw Problem.of(StatusCodes.NOT_ACCEPTABLE, "the answer is " + type.mediaType() + ", which is not wanted")
                    .refusal();
        }
    }

    private static Query query(HttpRequest request, Route route) {
        Query query;
        try {
            query = request.getUri().query();
        } catch (IllegalUriException e) {
            throw Problem.badRequest("the query is malformed").refusal();
        }
        for (String name : query.toMultiMap().keySet()) {
            if (route.query().contains(name)) continue;
            String known = route.query().stream().sorted().collect(Collectors.joining(", "));
            throw Problem.badRequest("query parameter " + name + " is not known here: "
                            + (known.isEmpty() ? "none" : known) + " is")
                    .refusal();
        }
        return query;
    }

    private CompletionStage<Optional<JsonNode>> body(HttpRequest request, Route route) {
        if (request.entity().isKnownEmpty())
            return CompletableFuture.completedStage(parse(ByteString.emptyByteString(), route));
        if (route.body() != Route.Body.NONE
                && !request.entity().getContentType().mediaType().equals(MediaTypes.APPLICATION_JSON)) {
            request.discardEntityBytes(materializer);
            throw Problem.of(
                            StatusCodes.UNSUPPORTED_MEDIA_TYPE,
                            "the body is " + request.entity().getContentType() + ": application/json is allowed")
                    .refusal();
        }
        OptionalLong length = request.entity().getContentLengthOption();
        if (length.isPresent() && length.getAsLong() > bodyMax) {
            request.discardEntityBytes(materializer);
            throw tooLarge();
        }
        return request.entity()
                .withSizeLimit(bodyMax)
                .toStrict(BODY_PATIENCE.toMillis(), bodyMax, materializer)
                .thenApply(strict -> parse(strict.getData(), route));
    }

    private Optional<JsonNode> parse(ByteString data, Route route) {
        if (data.size() > bodyMax) throw tooLarge();
        return switch (route.body()) {
            case NONE -> {
                if (data.nonEmpty())
                    throw Problem.badRequest("no body is allowed here").refusal();
                yield Optional.empty();
            }
            case OPTIONAL -> data.isEmpty() ? Optional.empty() : Optional.of(Json.parse(data.toArray()));
            case REQUIRED -> {
                if (data.isEmpty())
                    throw Problem.badRequest("a body of application/json is needed")
                            .refusal();
                yield Optional.of(Json.parse(data.toArray()));
            }
        };
    }

    private Refusal tooLarge() {
        return Problem.of(
                        StatusCodes.CONTENT_TOO_LARGE,
                        "the body is too large: at most " + bodyMax + " octets are allowed")
                .refusal();
    }

    private Refusal problem(String path, Throwable failure) {
        return switch (failure) {
            case CompletionException wrapped when wrapped.getCause() != null -> problem(path, wrapped.getCause());
            case Refusal refusal -> refusal;
            case CmException refused ->
                Problem.of(refused.why(), String.valueOf(refused.getMessage()).replaceFirst(": [^:]*$", ""))
                        .refusal();
            case EntityStreamSizeException _ -> tooLarge();
            case TimeoutException _ ->
                Problem.of(
                                StatusCodes.GATEWAY_TIMEOUT,
                                "no answer within " + patience.toSeconds() + " s; what was asked for may still happen")
                        .refusal();
            default -> {
                if (stopping.getAsBoolean()) yield Problem.stopping().refusal();
                LOG.error("a request to {} failed", path, failure);
                yield Problem.of(StatusCodes.INTERNAL_SERVER_ERROR, "the request failed; the node's log says where")
                        .refusal();
            }
        };
    }
}
