package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.proto.StateName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A node with its API on a free port, asked as somebody outside its process would ask. Every answer is held against the contract,
 * whatever a test is about.
 */
final class ApiNode implements AutoCloseable {

    static final String ADDRESS = "10.0.0.1";
    static final String TOKEN = "0123456789abcdef";

    private static final ObjectMapper JSON = new ObjectMapper();

    final Lab lab = new Lab();
    final Watch watch;
    final Lab.Station station;
    final HttpServer server;
    final HttpClient client;
    final Contract contract = new Contract();

    /** Every kind of answer that came, such as "GET /api/v1/node 200". */
    final Set<String> answered = new ConcurrentSkipListSet<>();

    private final AtomicLong passedNs = new AtomicLong();
    private final Optional<String> token;

    private ApiNode(HttpSettings settings, HttpClient client) {
        this.client = client;
        this.token = settings.token();
        watch = new Watch(settings.limits());
        station = lab.station(watch, ADDRESS + "/24", "fd00::1/64");
        server = HttpServer.start(
                new Served(
                        "lab",
                        "1",
                        SETTINGS_SHOWN,
                        station.cm(),
                        watch,
                        ConnectionHandler.NONE,
                        Optional.of(() -> "iwcm_lab 1\n"),
                        List::of),
                settings,
                () -> System.nanoTime() + passedNs.get());
    }

    static ApiNode start() {
        return start(settings -> settings);
    }

    static ApiNode start(UnaryOperator<HttpSettings> change) {
        return start(change, HttpClient.newHttpClient());
    }

    static ApiNode start(UnaryOperator<HttpSettings> change, HttpClient client) {
        return new ApiNode(change.apply(SETTINGS), client);
    }

    private static final Served.Settings SETTINGS_SHOWN = new Served.Settings() {
        @Override
        public List<Served.Setting> shown() {
            return List.of(new Served.Setting("iwcm.cm.dispatchers", "4", "lab"));
        }

        @Override
        public Reloaded reload() {
            return new Reloaded(List.of("one"), List.of("two"), List.of("three"));
        }
    };

    private static final HttpSettings SETTINGS = new HttpSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            Optional.empty(),
            HttpSettings.Limits.DEFAULT,
            // That a subscriber has gone is noticed when nothing more can be sent to it.
            new HttpSettings.Timeouts(Duration.ofSeconds(200), Duration.ofSeconds(60), Duration.ofMillis(20)));

    static UnaryOperator<HttpSettings> withToken() {
        return settings -> new HttpSettings(
                settings.bind(), Optional.of(TOKEN), settings.tls(), settings.limits(), settings.timeouts());
    }

    static UnaryOperator<HttpSettings> with(HttpSettings.Limits limits) {
        return settings ->
                new HttpSettings(settings.bind(), settings.token(), settings.tls(), limits, settings.timeouts());
    }

    static UnaryOperator<HttpSettings> with(Tls tls) {
        return settings -> new HttpSettings(
                settings.bind(), settings.token(), Optional.of(tls), settings.limits(), settings.timeouts());
    }

    /** For leases so much time passes at once. */
    void pass(Duration time) {
        passedNs.addAndGet(time.toNanos());
    }

    /** A request below /api/v1, with the token where there is one. */
    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri().resolve(Route.BASE + path));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    /** A request to any path, and with nothing that was not asked for. */
    HttpRequest.Builder plain(String path) {
        return HttpRequest.newBuilder(server.uri().resolve(path));
    }

    HttpResponse<String> send(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        HttpResponse<String> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        String path = request.uri().getPath();
        contract.judge(
                request.method(),
                path,
                response.statusCode(),
                response.headers().firstValue("Content-Type"),
                response.body());
        String template = server.routes().stream()
                .filter(route -> route.match(path).isPresent())
                .findFirst()
                .map(Route::path)
                .orElse("elsewhere");
        answered.add(request.method() + " " + template + " " + response.statusCode());
        return response;
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    HttpResponse<String> delete(String path) {
        return send(request(path).DELETE());
    }

    HttpResponse<String> put(String path) {
        return send(request(path).PUT(HttpRequest.BodyPublishers.noBody()));
    }

    HttpResponse<String> post(String path) {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** What it says when all is well. */
    JsonNode json(String path) {
        return json(get(path), 200);
    }

    static JsonNode json(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A listener with these further fields, such as {@code "lease":1}. */
    long listen(int port, String more) {
        String body = "{\"address\":\"" + ADDRESS + "\",\"port\":" + port + (more.isEmpty() ? "" : "," + more) + "}";
        return json(post("/listeners", body), 201).get("id").longValue();
    }

    /** A connection to that port of this very node, on its way. */
    String connect(int port) {
        return json(post("/connections", to(port)), 201).get("id").textValue();
    }

    static String to(int port) {
        return "{\"remote\":{\"address\":\"" + ADDRESS + "\",\"port\":" + port + "}}";
    }

    /** The name of the first connection that waits for the application's answer. */
    String request() {
        await("a request waits", () -> watch.live().anyMatch(seen -> seen.state() == StateName.MPAREQ_RCVD));
        return json("/connections?state=MPAREQ_RCVD")
                .get("connections")
                .get(0)
                .get("id")
                .textValue();
    }

    void awaitState(String connection, StateName state) {
        await(
                connection + " is " + state,
                () -> json("/connections/" + connection)
                        .get("state")
                        .textValue()
                        .equals(state.name()));
    }

    /** The answer is this problem, as RFC 9457 has it. */
    static JsonNode problem(HttpResponse<String> response, int status, String detail) {
        JsonNode problem = json(response, status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(problem.get("detail").textValue()).contains(detail);
        assertThat(problem.get("instance").textValue()).isEqualTo(response.uri().getPath());
        return problem;
    }

    @Override
    public void close() {
        within(server.stop());
        lab.close();
        client.shutdownNow();
        client.close();
    }
}
