package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.iwcm.cm.actor.ConnectionId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.Query;

/**
 * One request that found its route.
 *
 * @param values of the path's parameters
 * @param query behind the path
 * @param body empty without one
 * @param lastEventId of a client that comes back for events
 */
record Call(List<String> values, Query query, Optional<JsonNode> body, Optional<String> lastEventId) {

    /** The path's parameter as a listener's number. */
    long listener() {
        String text = values.getFirst();
        if (!text.matches("\\d{1,18}")) {
            throw Problem.badRequest("listener '" + text + "' is not a number").refusal();
        }
        return Long.parseLong(text);
    }

    /** The path's parameter as a connection's name. */
    ConnectionId connection() {
        return connection(values.getFirst());
    }

    static ConnectionId connection(String text) {
        return ConnectionId.parse(text)
                .orElseThrow(() -> Problem.badRequest("connection '" + text + "' is not a name as 3.17")
                        .refusal());
    }

    /** The body's fields; those of an empty object when there is none. */
    Fields fields() {
        return Fields.of(body.orElseGet(Json::object));
    }

    Optional<String> text(String name) {
        return query.get(name);
    }

    List<String> texts(String name) {
        return query.getAll(name).reversed(); // They come with the last one first.
    }

    int integer(String name, int least, int most, int otherwise) {
        return number(name, least, most).map(Math::toIntExact).orElse(otherwise);
    }

    Optional<Long> number(String name, long least, long most) {
        return text(name).map(text -> {
            if (text.matches("\\d{1,18}")) {
                long value = Long.parseLong(text);
                if (value >= least && value <= most) return value;
            }
            throw notAllowed(name, text, least + ".." + most + " is");
        });
    }

    boolean flag(String name) {
        return choice(name, List.of("false", "true")).equals("true");
    }

    /** One of these words; the first when it is not said. */
    String choice(String name, List<String> words) {
        String said = text(name).orElse(words.getFirst());
        if (!words.contains(said)) throw notAllowed(name, said, String.join(", ", words) + " are");
        return said;
    }

    <E extends Enum<E>> E constant(String name, String said, Class<E> kind) {
        return Arrays.stream(kind.getEnumConstants())
                .filter(constant -> constant.name().equals(said))
                .findFirst()
                .orElseThrow(() -> notAllowed(
                        name,
                        said,
                        Arrays.stream(kind.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "))
                                + " are"));
    }

    static Refusal notAllowed(String name, String said, String allowed) {
        return Problem.badRequest("query parameter " + name + " is '" + said + "': " + allowed + " allowed")
                .refusal();
    }
}
