package io.iwcm.cm.script;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What a script can say of something the machine puts out: a kind and named facts, all as text. An expectation is facts
 * too; only those it names are compared.
 *
 * @param kind what it is, e.g. {@code segment} or {@code established}
 * @param values the facts, in the order they are printed
 */
record Facts(String kind, Map<String, String> values) {

    Facts {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    static Facts of(String kind, String... namesAndValues) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new Facts(kind, values);
    }

    static Facts of(String kind, String[][] pairs) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String[] pair : pairs) {
            values.put(pair[0], pair[1]);
        }
        return new Facts(kind, values);
    }

    /** How {@code came} differs from this expectation; empty when it fits. */
    Optional<String> difference(Facts came) {
        if (!kind.equals(came.kind)) {
            return Optional.of("it is a different thing");
        }
        StringJoiner all = new StringJoiner("\n  ");
        all.setEmptyValue("");
        values.forEach((name, wanted) -> {
            String was = came.values.getOrDefault(name, "absent");
            if (!wanted.equals(was)) {
                all.add(name + ": expected " + wanted + ", was " + was);
            }
        });
        return all.length() == 0 ? Optional.empty() : Optional.of(all.toString());
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(kind);
        values.forEach((name, value) -> out.append(' ').append(name).append(' ').append(value));
        return out.toString();
    }
}
