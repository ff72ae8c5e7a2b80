package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

/** Answers as the contract says a node does, with what a test gives it; serves the page from where the node does. */
final class StubNode implements AutoCloseable {

    static final ObjectMapper JSON = new ObjectMapper();
    private static final String BASE = "/api/v1/";
    private static final int PAGE = 30;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final WebPage page = WebPage.load();
    private final Map<String, JsonNode> answers = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> connections = new LinkedHashMap<>();
    private final List<BlockingQueue<String>> streams = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> token = new AtomicReference<>("");

    private StubNode(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    static StubNode start() throws IOException {
        return start(0);
    }

    static StubNode start(int port) throws IOException {
        return new StubNode(port);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/";
    }

    /** From now on {@code path} is answered with this JSON. */
    StubNode answer(String path, String json) {
        answers.put(path, tree(json));
        return this;
    }

    StubNode forget(String path) {
        answers.remove(path);
        return this;
    }

    StubNode connection(String json) {
        synchronized (connections) {
            ObjectNode connection = (ObjectNode) tree(json);
            connections.put(connection.get("id").asText(), connection);
        }
        return this;
    }

    /** From now on only who knows this is answered. */
    StubNode guardedBy(String secret) {
        token.set(secret);
        return this;
    }

    StubNode tell(int id, String event) {
        String line = "id: " + id + "\ndata: " + tree(event) + "\n\n";
        streams.forEach(stream -> stream.add(line));
        return this;
    }

    int subscribers() {
        return streams.size();
    }

    /** What was asked for so far, without {@code /api/v1/}. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith(BASE)) answer(exchange, path.substring(BASE.length()));
            else file(exchange, path);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void file(HttpExchange exchange, String path) throws IOException {
        Optional<WebPage.File> file = page.at(path);
        WebPage.HEADERS.forEach(exchange.getResponseHeaders()::set);
        if (file.isEmpty()) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", file.get().mediaType());
        send(exchange, 200, file.get().content());
    }

    private void answer(HttpExchange exchange, String path) throws IOException, InterruptedException {
        String query = exchange.getRequestURI().getRawQuery();
        requests.add(query == null ? path : path + "?" + query);
        String said = exchange.getRequestHeaders().getFirst("Authorization");
        if (!token.get().isEmpty() && !("Bearer " + token.get()).equals(said)) {
            problem(exchange, 401, "Unauthorized", "A bearer token is needed.");
        } else if (path.equals("events")) {
            stream(exchange);
        } else if (path.equals("connections")) {
            json(exchange, 200, "application/json", page(query == null ? "" : query));
        } else if (path.startsWith("connections/") && known(path.substring("connections/".length()))) {
            json(exchange, 200, "application/json", connections.get(path.substring("connections/".length())));
        } else if (answers.containsKey(path)) {
            json(exchange, 200, "application/json", answers.get(path));
        } else {
            problem(exchange, 404, "Not Found", "There is no /api/v1/" + path + ".");
        }
    }

    private boolean known(String id) {
        synchronized (connections) {
            return connections.containsKey(id);
        }
    }

    private ObjectNode page(String query) {
        Map<String, List<String>> wanted = new LinkedHashMap<>();
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0)
                wanted.computeIfAbsent(pair.substring(0, equals), _ -> new ArrayList<>())
                        .add(URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        String after = wanted.getOrDefault("after", List.of("")).getFirst();
        boolean behind = after.isEmpty();
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode found = answer.putArray("connections");
        synchronized (connections) {
            for (ObjectNode connection : connections.values()) {
                boolean last = connection.get("id").asText().equals(after);
                if (!behind || !matches(connection, wanted)) {
                    behind |= last;
                    continue;
                }
                if (found.size() == PAGE) {
                    answer.put("next", found.get(PAGE - 1).get("id").asText());
                    break;
                }
                found.add(connection.deepCopy().without(List.of("history", "forgotten")));
            }
        }
        return answer;
    }

    private static boolean matches(ObjectNode connection, Map<String, List<String>> wanted) {
        return wanted.entrySet().stream().allMatch(entry -> {
            List<String> values = entry.getValue();
            return switch (entry.getKey()) {
                case "state" -> values.contains(connection.get("state").asText());
                case "role" -> values.contains(connection.get("role").asText());
                case "address" -> ends(connection).stream().anyMatch(values::contains);
                case "port" -> ends(connection).stream().anyMatch(end -> end.endsWith(":" + values.getFirst()));
                case "text" ->
                    connection
                            .deepCopy()
                            .without("history")
                            .toString()
                            .toLowerCase(Locale.ROOT)
                            .contains(values.getFirst());
                case "ended" -> values.contains("true") || values.contains(connection.has("ended") ? "only" : "false");
                default -> true;
            };
        });
    }

    private static List<String> ends(ObjectNode connection) {
        List<String> ends = new ArrayList<>();
        for (String side : List.of("local", "remote")) {
            String address = connection.at("/" + side + "/address").asText();
            ends.add(address);
            ends.add(address + ":" + connection.at("/" + side + "/port").asText());
        }
        return ends;
    }

    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.write(": here\n\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        streams.add(queue);
        try {
            for (String next = queue.take(); !next.isEmpty(); next = queue.take()) {
                out.write(next.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } finally {
            streams.remove(queue);
        }
    }

    private static void problem(HttpExchange exchange, int status, String title, String detail) throws IOException {
        ObjectNode problem = JSON.createObjectNode()
                .put("type", "about:blank")
                .put("title", title)
                .put("status", status)
                .put("detail", detail);
        json(exchange, status, "application/problem+json", problem);
    }

    private static void json(HttpExchange exchange, int status, String type, JsonNode body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        send(exchange, status, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    @Override
    public void close() {
        streams.forEach(stream -> stream.add(""));
        server.stop(0);
        threads.shutdownNow();
    }
}
