package io.iwcm.cm.ops.client;

import java.util.List;
import java.util.Map;

/** One object that the node told us. What is not in it is empty: a node of another version may know more or less. */
record Doc(Map<?, ?> fields) {

    static Doc of(Object json) {
        return new Doc(json instanceof Map<?, ?> fields ? fields : Map.of());
    }

    /** The objects of a list. */
    static List<Doc> all(Object json) {
        return json instanceof List<?> items ? items.stream().map(Doc::of).toList() : List.of();
    }

    boolean has(String key) {
        return fields.containsKey(key);
    }

    /** As one line; control characters, which would move a terminal's cursor, are shown as question marks. */
    String text(String key) {
        Object value = fields.get(key);
        return value == null ? "" : String.valueOf(value).replaceAll("\\p{Cntrl}", "?");
    }

    double number(String key) {
        return fields.get(key) instanceof Number number ? number.doubleValue() : 0;
    }

    Doc doc(String key) {
        Object value = fields.get(key);
        return value == null ? new Doc(Map.of()) : of(value);
    }

    List<Doc> docs(String key) {
        Object value = fields.get(key);
        return value == null ? List.of() : all(value);
    }

    /** An address and port under that key, as 10.0.0.1:4420 or [fd00::1]:4420. */
    String endpoint(String key) {
        return fields.containsKey(key) ? doc(key).endpoint() : "";
    }

    /** Its own address and port. */
    String endpoint() {
        String address = text("address");
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + text("port");
    }

    /** "ird 8 ord 4" under that key. */
    String depths(String key) {
        return has(key) ? "ird " + doc(key).text("ird") + " ord " + doc(key).text("ord") : "";
    }

    /** Seconds under that key, as people say them: 0.25s, 42s, 3m07s, 2h05m, 9d03h. */
    String span(String key) {
        if (!has(key)) return "";
        double seconds = number(key);
        long whole = (long) seconds;
        if (seconds < 10) return "%.2fs".formatted(seconds);
        if (whole < 60) return whole + "s";
        if (whole < 3600) return "%dm%02ds".formatted(whole / 60, whole % 60);
        if (whole < 86_400) return "%dh%02dm".formatted(whole / 3600, whole / 60 % 60);
        return "%dd%02dh".formatted(whole / 86_400, whole / 3600 % 24);
    }
}
