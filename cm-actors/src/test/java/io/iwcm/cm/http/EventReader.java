package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** An event stream of a node, read as the standard for Server-Sent Events says. Every event is held against the contract. */
final class EventReader implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One event.
     *
     * @param id empty when none was said
     * @param type empty for a block that is none, such as the first one
     */
    record Event(String id, String type, JsonNode data) {

        /** What the id ends with. */
        long number() {
            return Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
        }

        String connection() {
            return data.path("connection").path("id").asText();
        }
    }

    private final Contract contract;
    private final BufferedReader lines;

    /** The id with which the stream began: that of the event before the first one to come. */
    final String start;

    private EventReader(ApiNode node, InputStream body) {
        this.contract = node.contract;
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        this.start = block().orElseThrow().id();
    }

    static EventReader of(ApiNode node, String path, Optional<String> after) {
        var request = node.request(path);
        after.ifPresent(id -> request.header("Last-Event-ID", id));
        try {
            HttpResponse<InputStream> response =
                    node.client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
            node.answered.add("GET " + Route.BASE + "/events 200");
            return new EventReader(node, response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The next event; empty when the stream has ended. */
    Optional<Event> next() {
        for (Optional<Event> block = block(); block.isPresent(); block = block()) {
            if (!block.get().type().isEmpty()) return block;
        }
        return Optional.empty();
    }

    /** Whether no event is left and none will come, be it that the node said so or that it hung up. */
    boolean hasEnded() {
        try {
            return next().isEmpty();
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    /** All up to one like this, which is the last. */
    List<Event> until(Predicate<Event> last) {
        List<Event> found = new ArrayList<>();
        while (true) {
            Event one = next().orElseThrow(() -> new AssertionError("the stream ended after " + found));
            found.add(one);
            if (last.test(one)) return found;
        }
    }

    private Optional<Event> block() {
        String id = "";
        String type = "";
        StringBuilder data = new StringBuilder();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) id = line.substring("id: ".length());
                else if (line.startsWith("event: ")) type = line.substring("event: ".length());
                else if (line.startsWith("data: ")) data.append(line.substring("data: ".length()));
                else if (line.isEmpty() && !id.isEmpty()) return Optional.of(event(id, type, data.toString()));
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Event event(String id, String type, String data) throws IOException {
        if (type.isEmpty()) return new Event(id, "", JSON.nullNode());
        contract.judgeEvent(data);
        JsonNode json = JSON.readTree(data);
        assertThat(json.get("type").textValue()).isEqualTo(type);
        return new Event(id, type, json);
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
