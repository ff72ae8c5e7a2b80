package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Lab;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** A node as somebody outside its process sees it. */
class HttpApiTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOKEN = "0123456789abcdef";

    private final Lab lab = new Lab();
    private final Watch watch = new Watch(HttpSettings.Limits.DEFAULT);
    private final Lab.Station station = lab.station(watch, "10.0.0.1/24");
    private final HttpClient client = HttpClient.newHttpClient();
    private Optional<HttpServer> server = Optional.empty();

    @AfterEach
    void end() {
        server.ifPresent(one -> within(one.stop()));
        lab.close();
        client.close();
    }

    @Test
    void hasEveryPathOfItsContractAndNoOther() {
        Map<String, Object> contract = new Yaml().load(HttpApiTest.class.getResourceAsStream("openapi.yaml"));
        Set<String> said = new TreeSet<>();
        map(contract.get("paths"))
                .forEach((path, methods) -> map(methods).keySet().stream()
                        .filter(method ->
                                List.of("get", "put", "post", "delete").contains(method))
                        .forEach(method -> said.add(method.toUpperCase(java.util.Locale.ROOT) + " "
                                + (map(methods).containsKey("servers") ? "" : Route.BASE) + path)));

        assertThat(serve(Optional.empty()).routes())
                .extracting(route -> route.method().value() + " " + route.path())
                .containsExactlyInAnyOrderElementsOf(said);
    }

    @Test
    void showsWhatThereIs() throws Exception {
        serve(Optional.empty());

        assertThat(json(get("/node")).get("name").textValue()).isEqualTo("lab");
        assertThat(json(get("/links"))
                        .get(0)
                        .get("addresses")
                        .get(0)
                        .get("address")
                        .textValue())
                .isEqualTo("10.0.0.1");
        assertThat(json(get("/listeners"))).isEmpty();
        assertThat(json(get("/neighbours"))).isEmpty();
        assertThat(json(get("/steering")).get("entries")).isEmpty();
        assertThat(json(get("/counters"))).hasSizeGreaterThan(50);
        assertThat(get("/openapi.yaml").body()).startsWith("openapi: 3");
        HttpResponse<String> scrape =
                send(HttpRequest.newBuilder(server.orElseThrow().uri().resolve("/metrics")));
        assertThat(scrape.body()).isEqualTo("iwcm_lab 1\n");
        assertThat(scrape.headers().firstValue("Content-Type").orElseThrow()).contains("version=0.0.4");
        HttpResponse<String> page =
                send(HttpRequest.newBuilder(server.orElseThrow().uri()));
        assertThat(page.body()).contains("<html");
        String tag = page.headers().firstValue("ETag").orElseThrow();
        assertThat(send(HttpRequest.newBuilder(server.orElseThrow().uri()).header("If-None-Match", tag))
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    void letsAnApplicationOutsideAnswerAndEndAConnection() throws Exception {
        serve(Optional.empty());
        JsonNode listener = made(post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":4420}"));
        assertThat(listener.get("answer").textValue()).isEqualTo("ask");
        assertThat(listener.get("leaseLeft").doubleValue()).isBetween(0.0, 30.0);

        JsonNode active = made(
                post("/connections", "{\"remote\":{\"address\":\"10.0.0.1\",\"port\":4420},\"privateData\":\"aGk=\"}"));
        await(
                "the request is here",
                () -> watch.live().anyMatch(seen -> seen.state().name().equals("MPAREQ_RCVD")));
        JsonNode asked =
                json(get("/connections?state=MPAREQ_RCVD")).get("connections").get(0);
        assertThat(asked.get("privateData").textValue()).isEqualTo("aGk=");
        assertThat(asked.get("listener").longValue())
                .isEqualTo(listener.get("id").longValue());
        String passive = asked.get("id").textValue();
        assertThat(post("/connections/" + passive + "/accept", "{}").statusCode())
                .isEqualTo(200);
        assertThat(post("/connections/" + passive + "/accept", "{}").statusCode())
                .isEqualTo(200); // A repeated accept comes to what the first one came to.
        assertThat(post("/connections/" + active.get("id").textValue() + "/disconnect", "")
                        .statusCode())
                .isEqualTo(204);
        await("it is over", () -> watch.live().findAny().isEmpty());

        await("its end is told", () -> state(passive).equals("CLOSED"));
        JsonNode history = json(get("/connections/" + passive));
        assertThat(history.get("state").textValue()).isEqualTo("CLOSED");
        assertThat(history.get("history")).isNotEmpty();
        assertThat(json(get("/connections?ended=only&limit=1")).has("next")).isTrue();
        assertThat(delete("/listeners/" + listener.get("id")).statusCode()).isEqualTo(204);
        assertThat(get("/listeners/" + listener.get("id")).statusCode()).isEqualTo(404);
        station.awaitNothingHeld();
    }

    @Test
    void tellsWhatIsWrongAsAProblem() throws Exception {
        serve(Optional.empty());

        problem(get("/nothing"), 404, "nothing at");
        problem(get("/connections/1.1"), 404, "no connection");
        problem(get("/connections?state=DREAMING"), 400, "state");
        problem(get("/node?x=1"), 400, "query parameter x");
        problem(post("/listeners", "{"), 400, "not JSON");
        problem(post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":70000}"), 400, "1..65535");
        problem(post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":1,\"prot\":1}"), 400, "\"prot\"");
        problem(post("/listeners", "{\"address\":\"10.0.0.9\",\"port\":1}"), 409, "address not available");
        problem(post("/listeners", " ".repeat(70_000)), 413, "65536");
        problem(delete("/node"), 405, "GET");
        problem(send(request("/node").header("Accept", "text/html")), 406, "application/json");
        problem(
                send(request("/listeners")
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("x"))),
                415,
                "application/json");
        problem(send(request("/node").header("Origin", "http://evil.example")), 403, "evil.example");
    }

    @Test
    void asksForItsTokenButNotForItsHealth() throws Exception {
        URI uri = serve(Optional.of(TOKEN)).uri();

        problem(get("/node"), 401, "token");
        problem(send(request("/node").header("Authorization", "Bearer wrong")), 401, "token");
        assertThat(send(request("/node").header("Authorization", "Bearer " + TOKEN))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(HttpRequest.newBuilder(uri.resolve("/health/ready"))).statusCode())
                .isEqualTo(503);
        server.orElseThrow().ready();
        assertThat(send(HttpRequest.newBuilder(uri.resolve("/health/ready"))).statusCode())
                .isEqualTo(200);
    }

    @Test
    void goesOnBehindTheLastEventAndEndsWithTheNode() throws Exception {
        HttpServer one = serve(Optional.empty());
        made(post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":4420}"));
        made(post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":4421}"));
        HttpResponse<InputStream> stream = client.send(
                request("/events").header("Last-Event-ID", "other-7").build(),
                HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(id(lines, "LISTENER_UP")).endsWith("-1");
            String second = id(lines, "LISTENER_UP");
            assertThat(second).endsWith("-2");

            within(one.stop());
            assertThat(rest(lines)).noneMatch(line -> line.startsWith("data"));
        }
        assertThat(watch.events().waiting()).isZero();
    }

    /** What comes until the end; a connection that is closed before the last chunk is an end as well. */
    private static List<String> rest(BufferedReader lines) {
        List<String> rest = new ArrayList<>();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) rest.add(line);
        } catch (IOException closed) {
            rest.add(": " + closed);
        }
        return rest;
    }

    private static String id(BufferedReader lines, String type) throws IOException {
        String id = "";
        boolean found = false;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id: ")) id = line.substring(4);
            found |= line.equals("event: " + type);
            if (found && line.isEmpty()) return id; // The whole event has been read.
        }
        throw new AssertionError("the stream ended without " + type);
    }

    private String state(String connection) {
        try {
            return json(get("/connections/" + connection)).get("state").textValue();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private HttpServer serve(Optional<String> token) {
        HttpServer one = HttpServer.start(
                new Served(
                        "lab",
                        "1",
                        List.of(),
                        station.cm(),
                        watch,
                        ConnectionHandler.NONE,
                        Optional.of(() -> "iwcm_lab 1\n")),
                new HttpSettings(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        token,
                        Optional.empty(),
                        HttpSettings.Limits.DEFAULT,
                        HttpSettings.Timeouts.DEFAULT));
        server = Optional.of(one);
        return one;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.orElseThrow().uri().resolve(Route.BASE + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private HttpResponse<String> delete(String path) throws Exception {
        return send(request(path).DELETE());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static JsonNode made(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return JSON.readTree(response.body());
    }

    private static void problem(HttpResponse<String> response, int status, String detail) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(problem.get("detail").textValue()).contains(detail);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }
}
