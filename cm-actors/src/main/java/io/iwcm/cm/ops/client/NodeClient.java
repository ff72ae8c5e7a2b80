package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** One node's HTTP API. Whatever goes wrong is a {@link ClientFailure}. */
final class NodeClient implements AutoCloseable {

    private static final String API = "/api/v1";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String base;
    private final Optional<String> token;
    private final HttpClient http;

    /** @param trust whose certificates the node may prove itself with; empty: those that Java knows */
    NodeClient(String base, Optional<String> token, Optional<SSLContext> trust) {
        this.base = base.replaceFirst("/+$", "");
        this.token = token;
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
        trust.ifPresent(client::sslContext);
        this.http = client.build();
    }

    /** The document at a path below the API, such as {@code /node}. */
    Object get(String path) {
        return json(send(request(path).timeout(PATIENCE).GET().build()));
    }

    /** What a POST answers; an empty map when it answers with nothing. */
    Object post(String path, Object body) {
        return json(send(request(path)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(body)))
                .build()));
    }

    /** The same for what takes no body. */
    Object post(String path) {
        return json(send(
                request(path).timeout(PATIENCE).POST(BodyPublishers.noBody()).build()));
    }

    /** What a PUT without a body answers. */
    Object put(String path) {
        return json(send(
                request(path).timeout(PATIENCE).PUT(BodyPublishers.noBody()).build()));
    }

    /** What a DELETE answers; an empty map when it answers with nothing. */
    Object delete(String path) {
        return json(send(request(path).timeout(PATIENCE).DELETE().build()));
    }

    /** The lines of a stream of events, as they come. To be closed. */
    Stream<String> events(String path, Optional<String> after) {
        HttpRequest.Builder request = request(path).header("Accept", "text/event-stream");
        after.ifPresent(id -> request.header("Last-Event-ID", id));
        HttpResponse<Stream<String>> response = answer(request.build(), BodyHandlers.ofLines());
        if (response.statusCode() < 400) return response.body();
        try (Stream<String> lines = response.body()) {
            throw refusal(response, lines.collect(Collectors.joining("\n")));
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private HttpRequest.Builder request(String path) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + API + path));
            token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
            return request;
        } catch (IllegalArgumentException e) {
            throw new ClientFailure(
                    Kind.BAD_INPUT, "'" + base + "' is not the URL of a node, such as http://127.0.0.1:8080");
        }
    }

    private HttpResponse<String> send(HttpRequest request) {
        HttpResponse<String> response = answer(request, BodyHandlers.ofString());
        if (response.statusCode() >= 400) throw refusal(response, response.body());
        return response;
    }

    private <T> HttpResponse<T> answer(HttpRequest request, HttpResponse.BodyHandler<T> body) {
        try {
            return http.send(request, body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientFailure(Kind.UNREACHABLE, "interrupted while waiting for the node at " + base);
        } catch (HttpTimeoutException e) {
            throw unreachable("does not answer within " + PATIENCE.toSeconds() + " s");
        } catch (ConnectException e) {
            throw unreachable("cannot be reached: nobody listens there, or the way is closed");
        } catch (IOException e) {
            throw unreachable("cannot be reached: " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }

    private ClientFailure unreachable(String how) {
        return new ClientFailure(Kind.UNREACHABLE, "the node at " + base + " " + how);
    }

    private Object json(HttpResponse<String> response) {
        if (response.body().isBlank()) return Map.of();
        try {
            return Json.read(response.body());
        } catch (IOException e) {
            throw new ClientFailure(Kind.REFUSED, "what answers at " + base + " is not an iwcm node");
        }
    }

    /** In the words of the problem detail (RFC 9457). */
    private ClientFailure refusal(HttpResponse<?> response, String body) {
        int status = response.statusCode();
        String detail;
        try {
            detail = Doc.of(Json.read(body)).text("detail");
        } catch (IOException e) {
            detail = "";
        }
        if (detail.isEmpty()) detail = "the node at " + base + " answers with " + status;
        if (status == 401) detail += "; the token is said by --token-file or IWCM_TOKEN";
        return new ClientFailure(status == 400 || status == 422 ? Kind.BAD_INPUT : Kind.REFUSED, detail);
    }
}
