package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** A headless Chromium, driven by its DevTools protocol (https://chromedevtools.github.io/devtools-protocol/). */
final class Chromium implements AutoCloseable {

    private static final String ANNOUNCED = "DevTools listening on ";
    private static final long PATIENCE_S = 120;
    private static final List<String> ARGUMENTS = List.of(
            "--headless=new",
            "--no-sandbox", // What it shows is ours, and root may have no other.
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-extensions",
            "--disable-background-timer-throttling",
            "--disable-backgrounding-occluded-windows",
            "--disable-renderer-backgrounding",
            "--no-first-run",
            "--no-proxy-server",
            "--remote-debugging-port=0");

    private final ObjectMapper json = new ObjectMapper();
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final Map<String, BiConsumer<String, JsonNode>> listeners = new ConcurrentHashMap<>();

    private Chromium(Process process, URI devTools) {
        this.process = process;
        this.socket =
                client.newWebSocketBuilder().buildAsync(devTools, new Reader()).join();
    }

    /** @param home where it may keep what it likes */
    static Chromium start(Path home) throws IOException {
        List<String> command = new ArrayList<>(List.of("chromium"));
        command.addAll(ARGUMENTS);
        command.add("--user-data-dir=" + home);
        command.add("about:blank");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TMPDIR", home.toString());
        Process process = builder.start();
        return new Chromium(process, announced(process));
    }

    private static URI announced(Process process) throws IOException {
        BufferedReader said = process.errorReader();
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(ANNOUNCED)) {
                // It goes on talking; nobody reading would stop it in the end.
                Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
                return URI.create(line.substring(ANNOUNCED.length()).strip());
            }
            all.append(line).append('\n');
        }
        throw new IOException("chromium ended before it could be spoken to:\n" + all);
    }

    /** A tab of its own, with nothing kept from others. */
    Tab tab() {
        ObjectNode context = json.createObjectNode();
        JsonNode made = ask("", "Target.createBrowserContext", context);
        ObjectNode target = json.createObjectNode().put("url", "about:blank");
        target.set("browserContextId", made.get("browserContextId"));
        ObjectNode attach = json.createObjectNode().put("flatten", true);
        attach.set("targetId", ask("", "Target.createTarget", target).get("targetId"));
        String session =
                ask("", "Target.attachToTarget", attach).get("sessionId").asText();
        return new Tab(this, session, made.get("browserContextId").asText());
    }

    /** Ends a tab, with all that it has kept. */
    void forget(String session, String context) {
        listeners.remove(session);
        ask("", "Target.disposeBrowserContext", json.createObjectNode().put("browserContextId", context));
    }

    /** Asks and waits for the answer. */
    JsonNode ask(String session, String method, ObjectNode parameters) {
        long id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        ObjectNode message = json.createObjectNode().put("id", id).put("method", method);
        if (!session.isEmpty()) message.put("sessionId", session);
        message.set("params", parameters);
        socket.sendText(message.toString(), true).join();
        return answer.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
    }

    /** Tells of what happens in a tab: the method and its parameters. */
    void listen(String session, BiConsumer<String, JsonNode> listener) {
        listeners.put(session, listener);
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Puts messages together. */
    private final class Reader implements WebSocket.Listener {

        private final StringBuilder pending = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            pending.append(part);
            from.request(1);
            if (!last) return CompletableFuture.completedStage(null);
            String whole = pending.toString();
            pending.setLength(0);
            try {
                take(json.readTree(whole));
            } catch (IOException e) {
                throw new IllegalStateException("DevTools sent what is not JSON", e);
            }
            return CompletableFuture.completedStage(null);
        }

        private void take(JsonNode message) {
            if (!message.has("id")) {
                BiConsumer<String, JsonNode> listener =
                        listeners.get(message.path("sessionId").asText());
                if (listener != null) listener.accept(message.path("method").asText(), message.path("params"));
                return;
            }
            CompletableFuture<JsonNode> answer = asked.remove(message.get("id").asLong());
            if (answer == null) return;
            if (message.has("error"))
                answer.completeExceptionally(
                        new AssertionError(message.get("error").toString()));
            else answer.complete(message.get("result"));
        }
    }
}
