package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.Yaml;

/**
 * The OpenAPI file as a judge of answers. It knows what of OpenAPI 3.0 the file uses and fails on anything else, so that nothing
 * goes unjudged. An object may have the properties that its schema names and no other.
 */
public final class Contract {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> METHODS = List.of("get", "put", "post", "delete");
    private static final Set<String> WORDS = Set.of(
            "type",
            "format",
            "required",
            "properties",
            "additionalProperties",
            "items",
            "enum",
            "minimum",
            "maximum",
            "pattern",
            "default",
            "description",
            "allOf",
            "$ref");

    /** One operation, by the whole path of its route. */
    public record Operation(String method, String path, Map<String, Object> said) {

        public String name() {
            return method + " " + path;
        }
    }

    private final Map<String, Object> root = map(new Yaml().load(Contract.class.getResourceAsStream("openapi.yaml")));

    /** All operations, in the order of the file. */
    public List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        map(root.get("paths"))
                .forEach((path, item) -> map(item).forEach((method, operation) -> {
                    if (METHODS.contains(method)) {
                        all.add(new Operation(
                                method.toUpperCase(Locale.ROOT),
                                (map(item).containsKey("servers") ? "" : Route.BASE) + path,
                                map(operation)));
                    }
                }));
        return all;
    }

    /** The names of an operation's parameters of one kind: query, path or header. */
    Set<String> parameters(Operation operation, String in) {
        Set<String> names = new LinkedHashSet<>();
        for (Object said : list(operation.said().getOrDefault("parameters", List.of()))) {
            Map<String, Object> parameter = resolved(map(said));
            if (parameter.get("in").equals(in)) names.add((String) parameter.get("name"));
        }
        return names;
    }

    /** The values that this schema, or this property of it, enumerates. */
    List<String> enumeration(String schema, String... property) {
        Map<String, Object> found =
                resolved(map(map(map(root.get("components")).get("schemas")).get(schema)));
        for (String name : property)
            found = resolved(map(map(found.get("properties")).get(name)));
        return list(found.get("enum")).stream().map(String::valueOf).toList();
    }

    /** The properties of a request's schema that may be said. */
    Set<String> properties(String schema) {
        return map(resolved(map(map(map(root.get("components")).get("schemas")).get(schema)))
                        .get("properties"))
                .keySet();
    }

    /** An answer has to be one that the contract announces; what is nowhere is answered with a problem. */
    void judge(String method, String path, int status, Optional<String> contentType, String body) {
        String what = method + " " + path + " -> " + status + " " + body;
        Optional<Operation> operation = operations().stream()
                .filter(one -> one.method().equals(method) && isAt(one.path(), path))
                .findFirst();
        Map<String, Object> announced = operation
                .map(one -> map(one.said().get("responses")))
                .map(responses -> responses.getOrDefault(String.valueOf(status), responses.get("default")))
                .map(response -> resolved(map(response)))
                .orElseGet(() -> resolved(Map.of("$ref", "#/components/responses/Problem")));
        if (status >= 200 && status < 300) {
            assertThat(operation).as(what).isPresent();
            assertThat(map(operation.orElseThrow().said().get("responses")))
                    .as(what)
                    .containsKey("" + status);
        }
        Map<String, Object> content = map(announced.getOrDefault("content", Map.of()));
        if (content.isEmpty()) {
            assertThat(body).as(what).isEmpty();
            return;
        }
        String type = contentType.orElse("none").replaceFirst(";.*", "");
        assertThat(content).as(what).containsKey(type);
        if (type.endsWith("json")) judge(map(map(content.get(type)).get("schema")), read(body), what);
    }

    /** An event of the stream. */
    void judgeEvent(String data) {
        judge(Map.of("$ref", "#/components/schemas/Event"), read(data), "event " + data);
    }

    public static boolean isAt(String template, String path) {
        return path.matches(template.replaceAll("\\{[^}]+\\}", "[^/]+"));
    }

    private void judge(Map<String, Object> said, JsonNode value, String at) {
        Map<String, Object> schema = resolved(said);
        assertThat(WORDS).as(at + ": words of the schema").containsAll(schema.keySet());
        if (schema.containsKey("enum")) {
            assertThat(list(schema.get("enum")).stream().map(String::valueOf))
                    .as(at)
                    .contains(value.asText());
        }
        switch ((String) schema.get("type")) {
            case "object" -> judgeObject(schema, value, at);
            case "array" -> {
                assertThat(value.isArray()).as(at).isTrue();
                for (int i = 0; i < value.size(); i++)
                    judge(map(schema.get("items")), value.get(i), at + "[" + i + "]");
            }
            case "string" -> judgeText(schema, value, at);
            case "integer" -> {
                assertThat(value.isIntegralNumber()).as(at).isTrue();
                judgeNumber(schema, value, at);
            }
            case "number" -> {
                assertThat(value.isNumber()).as(at).isTrue();
                judgeNumber(schema, value, at);
            }
            case "boolean" -> assertThat(value.isBoolean()).as(at).isTrue();
            default -> throw new AssertionError(at + ": no such type: " + schema);
        }
    }

    private void judgeObject(Map<String, Object> schema, JsonNode value, String at) {
        assertThat(value.isObject()).as(at).isTrue();
        for (Object name : list(schema.getOrDefault("required", List.of()))) {
            assertThat(value.has((String) name)).as(at + " has " + name).isTrue();
        }
        Map<String, Object> properties = map(schema.getOrDefault("properties", Map.of()));
        Object others = schema.getOrDefault("additionalProperties", false);
        value.properties().forEach(field -> {
            String where = at + "." + field.getKey();
            if (properties.containsKey(field.getKey())) {
                judge(map(properties.get(field.getKey())), field.getValue(), where);
            } else {
                assertThat(others).as(where + " is announced").isInstanceOf(Map.class);
                judge(map(others), field.getValue(), where);
            }
        });
    }

    private static void judgeText(Map<String, Object> schema, JsonNode value, String at) {
        assertThat(value.isTextual()).as(at).isTrue();
        if (schema.containsKey("pattern")) assertThat(value.textValue()).as(at).matches((String) schema.get("pattern"));
        switch ((String) schema.getOrDefault("format", "")) {
            case "" -> {}
            case "date-time" -> {
                try {
                    Instant.parse(value.textValue());
                } catch (DateTimeParseException e) {
                    throw new AssertionError(at + " is no time", e);
                }
            }
            case "byte" -> Base64.getDecoder().decode(value.textValue());
            default -> throw new AssertionError(at + ": no such format: " + schema);
        }
    }

    private static void judgeNumber(Map<String, Object> schema, JsonNode value, String at) {
        assertThat(Set.of("", "int64")).contains((String) schema.getOrDefault("format", ""));
        if (schema.get("minimum") instanceof Number least) {
            assertThat(value.doubleValue()).as(at).isGreaterThanOrEqualTo(least.doubleValue());
        }
        if (schema.get("maximum") instanceof Number most) {
            assertThat(value.doubleValue()).as(at).isLessThanOrEqualTo(most.doubleValue());
        }
    }

    /** What a reference refers to; what several schemas say together, as one. */
    private Map<String, Object> resolved(Map<String, Object> said) {
        if (said.get("$ref") instanceof String reference) {
            Object found = root;
            for (String step : reference.substring("#/".length()).split("/"))
                found = map(found).get(step);
            assertThat(found).as(reference).isNotNull();
            return resolved(map(found));
        }
        if (!said.containsKey("allOf")) return said;
        Map<String, Object> properties = new LinkedHashMap<>();
        List<Object> required = new ArrayList<>();
        for (Object part : list(said.get("allOf"))) {
            Map<String, Object> one = resolved(map(part));
            properties.putAll(map(one.getOrDefault("properties", Map.of())));
            required.addAll(list(one.getOrDefault("required", List.of())));
        }
        return Map.of("type", "object", "properties", properties, "required", required);
    }

    private static JsonNode read(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + body, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object node) {
        return (List<Object>) node;
    }
}
