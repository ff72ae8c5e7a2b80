package io.iwcm.cm.map;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The map as it is written.
 *
 * @param rows in their order
 * @param malformed lines about a function that are no row, each with its number
 */
record IrdmaMap(List<Row> rows, List<String> malformed) {

    /**
     * One function.
     *
     * @param function irdma's name of it
     * @param method what does its job here
     * @param test what shows it
     * @param remark where we differ
     */
    record Row(String function, Named method, Named test, String remark) {}

    private static final Pattern ROW =
            Pattern.compile("\\| `(irdma_\\w+)` \\| `([^`|]+)` \\| `([^`|]+)` \\| ([^|`\\s](?:.*[^|\\s])?) \\|");

    static IrdmaMap read() {
        try {
            return parse(Files.readAllLines(root().resolve("docs/irdma-map.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static IrdmaMap parse(List<String> lines) {
        List<Row> rows = new ArrayList<>();
        List<String> malformed = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(row.group(1), new Named(row.group(2)), new Named(row.group(3)), row.group(4)));
            } else if (line.startsWith("|") && line.contains("irdma_")) {
                malformed.add("line " + (i + 1) + ": " + line);
            }
        }
        return new IrdmaMap(List.copyOf(rows), List.copyOf(malformed));
    }

    /** The names of all functions that need a row. */
    static List<String> functions() {
        try (InputStream in = IrdmaMap.class.getResourceAsStream("irdma-functions.txt")) {
            String names = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return names.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The root of the project, from wherever in it the test runs. */
    static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/irdma-map.md"))) {
            at = Objects.requireNonNull(at.getParent(), "docs/irdma-map.md is in no directory above this one");
        }
        return at;
    }
}
