package io.iwcm.cm.map;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text of all tests of both modules.
 *
 * @param texts by the class's name below {@code io.iwcm}
 */
record TestSources(Map<String, String> texts) {

    private static final List<String> ROOTS =
            List.of("nic-bridge/src/test/java/io/iwcm", "cm-actors/src/test/java/io/iwcm");
    private static final Pattern CLASS = Pattern.compile("^(?:[a-z-]+ )*class \\w+", Pattern.MULTILINE);

    static TestSources read() {
        Map<String, String> texts = new TreeMap<>();
        for (String below : ROOTS) {
            Path root = IrdmaMap.root().resolve(below);
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    String name = root.relativize(file).toString();
                    texts.put(name.substring(0, name.length() - 5).replace('/', '.'), Files.readString(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new TestSources(texts);
    }

    /** The one class of this name, which may be its simple name or its name below {@code io.iwcm}. */
    String named(String name) {
        List<String> found = texts.keySet().stream()
                .filter(known -> known.equals(name) || known.endsWith("." + name))
                .toList();
        if (found.size() != 1) {
            throw new Named.NotFound("there " + (found.isEmpty() ? "is no" : "are several") + " " + name);
        }
        return found.getFirst();
    }

    /** Whether a class speaks of this case anywhere. */
    boolean carries(String type, String number) {
        return mentions(texts.getOrDefault(type, ""), number);
    }

    /** Whether what stands above this method, or above its class, speaks of this case. */
    boolean carries(String type, String method, String number) {
        String text = texts.getOrDefault(type, "");
        Matcher declaration = CLASS.matcher(text);
        int body = declaration.find() ? declaration.end() : 0;
        int at = text.indexOf(" " + method + "(", body);
        if (at < 0) return false;
        int above = Math.max(body, text.lastIndexOf("\n    }\n", at));
        return mentions(text.substring(0, body), number) || mentions(text.substring(above, at), number);
    }

    private static boolean mentions(String text, String number) {
        return Pattern.compile("FC-" + number + "\\b").matcher(text).find();
    }
}
