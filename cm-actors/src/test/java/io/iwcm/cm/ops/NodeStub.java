package io.iwcm.cm.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers as the documented API would, and remembers what it was asked. */
final class NodeStub implements AutoCloseable {

    /** One answer; those of one request are given in turn, the last again and again. */
    record Reply(int status, String type, String body) {}

    private final HttpServer server;
    private final Map<String, CopyOnWriteArrayList<Reply>> replies = new LinkedHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    NodeStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1", this::answer);
        server.start();
    }

    NodeStub on(String request, int status, String type, String body) {
        replies.computeIfAbsent(request, _ -> new CopyOnWriteArrayList<>()).add(new Reply(status, type, body));
        return this;
    }

    NodeStub on(String request, String json) {
        return on(request, 200, "application/json", json);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Method, path with query, token or "-", Last-Event-ID or "-", and body, of each request. */
    List<String> asked() {
        return asked;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String request = exchange.getRequestMethod() + " "
                    + exchange.getRequestURI().toString().substring("/api/v1".length());
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(String.join(
                            " | ", request, header(exchange, "Authorization"), header(exchange, "Last-Event-ID"), body)
                    .strip());
            List<Reply> those = replies.getOrDefault(request, new CopyOnWriteArrayList<>());
            Reply reply = those.isEmpty()
                    ? new Reply(404, "application/problem+json", "{\"detail\":\"there is no " + request + "\"}")
                    : those.size() == 1 ? those.getFirst() : those.removeFirst();
            byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", reply.type());
            exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "-" : value;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
