package io.iwcm.nic.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads one block of settings and remembers which keys were asked for, so that {@link #refuseUnknown} can name those that
 * nobody knows. Everything that can be wrong comes out as {@link SettingsException}.
 */
public final class SettingsReader {

    private final Config config;
    private final String path;
    private final Set<String> known = new TreeSet<>();
    private final List<SettingsReader> blocks = new ArrayList<>();

    private SettingsReader(Config config, String path) {
        this.config = config;
        this.path = path;
    }

    /** The block at {@code path} of a resolved configuration. */
    public static SettingsReader of(Config root, String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0
                ? new SettingsReader(root, "").block(path)
                : of(root, path.substring(0, dot)).block(path.substring(dot + 1));
    }

    /** A block inside this one. */
    public SettingsReader block(String key) {
        SettingsReader block =
                new SettingsReader(read(key, "a block in braces", () -> config.getConfig(key)), full(key));
        blocks.add(block);
        return block;
    }

    /** A list of blocks: {@code [ {…}, {…} ]}. */
    public List<SettingsReader> list(String key) {
        List<? extends Config> items = read(key, "a list of blocks in braces", () -> config.getConfigList(key));
        List<SettingsReader> readers = new ArrayList<>();
        for (Config item : items) {
            readers.add(new SettingsReader(item, full(key) + "[" + readers.size() + "]"));
        }
        blocks.addAll(readers);
        return List.copyOf(readers);
    }

    public boolean isPresent(String key) {
        known.add(key);
        return config.hasPath(key);
    }

    public boolean flag(String key) {
        return read(key, "true or false", () -> config.getBoolean(key));
    }

    public String text(String key) {
        return read(key, "text", () -> config.getString(key));
    }

    /** Text that {@code parse} makes a value of, throwing {@link IllegalArgumentException} when it cannot. */
    public <T> T parsed(String key, String allowed, Function<String, T> parse) {
        return read(key, allowed, () -> parse.apply(config.getString(key)));
    }

    /** A list of words that {@code parse} makes a value of, throwing {@link IllegalArgumentException} when it cannot. */
    public <T> T words(String key, String allowed, Function<List<String>, T> parse) {
        return read(key, allowed, () -> parse.apply(config.getStringList(key)));
    }

    public int integer(String key, int least, int most) {
        String allowed = least + ".." + most;
        int value = read(key, allowed, () -> config.getInt(key));
        if (value < least || value > most) throw notAllowed(key, allowed);
        return value;
    }

    public Duration duration(String key, Duration least, Duration most) {
        String allowed = shown(least) + ".." + shown(most);
        Duration value = read(key, allowed, () -> config.getDuration(key));
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) throw notAllowed(key, allowed);
        return value;
    }

    /** One of an enum's names in lower case, dashes for underscores. */
    public <E extends Enum<E>> E choice(String key, Class<E> kinds) {
        String allowed = Arrays.stream(kinds.getEnumConstants())
                .map(SettingsReader::name)
                .collect(Collectors.joining(" or "));
        String value = read(key, allowed, () -> config.getString(key));
        return Arrays.stream(kinds.getEnumConstants())
                .filter(kind -> name(kind).equals(value))
                .findFirst()
                .orElseThrow(() -> notAllowed(key, allowed));
    }

    /** For what only the values together can break: the sentence names {@code key} and where it stands. */
    public SettingsException notAllowed(String key, String allowed) {
        ConfigValue value = config.getValue(key);
        return new SettingsException(full(key) + " = " + value.render(ConfigRenderOptions.concise()) + " ("
                + value.origin().description() + ") is not allowed: " + allowed + " is");
    }

    /** To be called when all has been read: refuses keys that nobody asked for, here and in the blocks inside. */
    public void refuseUnknown() {
        String sentence = unknown().collect(Collectors.joining("; "));
        if (!sentence.isEmpty()) throw new SettingsException(sentence);
    }

    private java.util.stream.Stream<String> unknown() {
        return java.util.stream.Stream.concat(
                config.root().keySet().stream()
                        .filter(key -> !known.contains(key))
                        .sorted()
                        .map(this::unknown),
                blocks.stream().flatMap(SettingsReader::unknown));
    }

    private String unknown(String key) {
        ConfigValue value = config.root().get(key);
        String where = value == null ? "" : " (" + value.origin().description() + ")";
        return full(key) + where + " is not a setting"
                + known.stream()
                        .min(Comparator.comparingInt(candidate -> distance(key, candidate)))
                        .map(nearest -> ": did you mean " + full(nearest) + "?")
                        .orElse("");
    }

    private <T> T read(String key, String allowed, Supplier<T> value) {
        known.add(key);
        try {
            return value.get();
        } catch (ConfigException.Missing e) {
            throw new SettingsException(full(key) + " is missing: " + allowed + " is allowed");
        } catch (ConfigException.WrongType | ConfigException.BadValue | IllegalArgumentException e) {
            throw notAllowed(key, allowed);
        }
    }

    private String full(String key) {
        return path.isEmpty() ? key : path + "." + ConfigUtil.joinPath(key);
    }

    private static String name(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String shown(Duration duration) {
        long ms = duration.toMillis();
        if (ms == 0) return duration.toNanos() + "ns";
        return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }

    /** Levenshtein's distance: insertions, deletions and substitutions between two words. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
