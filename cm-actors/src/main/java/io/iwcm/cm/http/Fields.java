package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The fields of a JSON object in a request. What is not allowed is a {@link Refusal} that names the field and says what is.
 * It remembers what was asked for, so that {@link #refuseUnknown} can name the rest.
 */
final class Fields {

    private final JsonNode node;
    private final String prefix;
    private final Set<String> known = new TreeSet<>();

    private Fields(JsonNode node, String prefix) {
        this.node = node;
        this.prefix = prefix;
    }

    static Fields of(JsonNode node) {
        if (!node.isObject()) {
            throw Problem.badRequest("the body is not a JSON object").refusal();
        }
        return new Fields(node, "");
    }

    Optional<Fields> object(String name) {
        return find(name).map(value -> {
            if (!value.isObject()) throw notAllowed(name, "an object");
            return new Fields(value, prefix + name + ".");
        });
    }

    Optional<String> text(String name) {
        return find(name).map(value -> {
            if (!value.isTextual()) throw notAllowed(name, "text");
            return value.textValue();
        });
    }

    Optional<IpAddress> address(String name) {
        return text(name).map(text -> {
            try {
                return IpAddress.parse(text);
            } catch (IllegalArgumentException e) {
                throw notAllowed(name, "an IPv4 or IPv6 address");
            }
        });
    }

    Optional<Integer> integer(String name, int least, int most) {
        return find(name).map(value -> {
            if (!value.isIntegralNumber()
                    || !value.canConvertToInt()
                    || value.intValue() < least
                    || value.intValue() > most) throw notAllowed(name, "an integer " + least + ".." + most);
            return value.intValue();
        });
    }

    Optional<Double> number(String name, double least, double most) {
        return find(name).map(value -> {
            if (!value.isNumber() || !(value.doubleValue() >= least && value.doubleValue() <= most))
                throw notAllowed(name, "a number " + least + ".." + most);
            return value.doubleValue();
        });
    }

    Optional<Boolean> flag(String name) {
        return find(name).map(value -> {
            if (!value.isBoolean()) throw notAllowed(name, "true or false");
            return value.booleanValue();
        });
    }

    String choice(String name, List<String> words) {
        String said = text(name).orElse(words.getFirst());
        if (!words.contains(said)) throw notAllowed(name, String.join(" or ", words));
        return said;
    }

    /** In base64, at most so many octets. */
    Optional<Octets> octets(String name, int most) {
        return text(name).map(text -> {
            try {
                Octets octets = Octets.wrap(Base64.getDecoder().decode(text));
                if (octets.length() <= most) return octets;
            } catch (IllegalArgumentException e) {
                throw notAllowed(name, "base64 of at most " + most + " octets");
            }
            throw notAllowed(name, "base64 of at most " + most + " octets");
        });
    }

    /** The field has to be there. */
    <T> T required(String name, Optional<T> value) {
        return value.orElseThrow(() ->
                Problem.badRequest("field \"" + prefix + name + "\" is missing").refusal());
    }

    /** To be called when all has been read. */
    void refuseUnknown() {
        List<String> unknown = node.properties().stream()
                .map(java.util.Map.Entry::getKey)
                .filter(name -> !known.contains(name))
                .toList();
        if (unknown.isEmpty()) return;
        String allowed = known.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        throw Problem.badRequest("field \"" + prefix + unknown.getFirst() + "\" is not known here: "
                        + (known.isEmpty() ? "none" : allowed) + " is allowed")
                .refusal();
    }

    private Optional<JsonNode> find(String name) {
        known.add(name);
        return node.optional(name).filter(value -> !value.isNull());
    }

    Refusal notAllowed(String name, String allowed) {
        return Problem.badRequest(
                        "field \"" + prefix + name + "\" is " + node.path(name) + ": " + allowed + " is allowed")
                .refusal();
    }
}
