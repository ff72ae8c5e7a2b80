package io.iwcm.nic.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.iwcm.nic.settings.SettingsException.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads one block of settings and remembers which keys were asked for, so that {@link #refuseUnknown} can name those that
 * nobody knows. Everything that can be wrong comes out as {@link SettingsException}.
 */
public final class SettingsReader {

    private static final Pattern FIRST_ALLOWED = Pattern.compile("(\\S+?)(?:\\.\\.| or )");

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

    /** With a unit, without which the library would take milliseconds; only 0 needs none. */
    public Duration duration(String key, Duration least, Duration most) {
        String allowed = shown(least) + ".." + shown(most);
        String digits = unitless(key);
        if (!digits.isEmpty()) {
            throw problem(
                    key,
                    described(key, config.getValue(key)) + " has no unit: " + digits + "ms, " + digits + "s or "
                            + digits + " minutes, for example; " + allowed + " is allowed",
                    usable(allowed));
        }
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
        return problem(
                key, described(key, config.getValue(key)) + " is not allowed: " + allowed + " is", usable(allowed));
    }

    /** To be called when all has been read: refuses keys that nobody asked for, here and in the blocks inside. */
    public void refuseUnknown() {
        List<Problem> problems = unknown(knownPaths().toList()).toList();
        if (!problems.isEmpty()) throw new SettingsException(problems);
    }

    private Stream<String> knownPaths() {
        return Stream.concat(known.stream().map(this::full), blocks.stream().flatMap(SettingsReader::knownPaths));
    }

    private Stream<Problem> unknown(List<String> knownAnywhere) {
        return Stream.concat(
                config.root().keySet().stream()
                        .filter(key -> !known.contains(key))
                        .sorted()
                        .map(key -> unknown(key, knownAnywhere)),
                blocks.stream().flatMap(block -> block.unknown(knownAnywhere)));
    }

    private Problem unknown(String key, List<String> knownAnywhere) {
        ConfigValue value = config.root().get(key);
        String where = value == null ? "" : " (" + value.origin().description() + ")";
        String meant = meant(key, knownAnywhere)
                .map(nearest -> ": did you mean " + nearest + "?")
                .orElse("");
        return new Problem(full(key), full(key) + where + " is not a setting" + meant, "");
    }

    /** A key beside it that is written alike, the same key in another block, or the nearest beside it, in this order. */
    private Optional<String> meant(String key, List<String> knownAnywhere) {
        Optional<String> beside = known.stream().min(Comparator.comparingInt(other -> Spelling.distance(key, other)));
        if (beside.filter(other -> Spelling.distance(key, other) <= 2).isEmpty()) {
            Optional<String> elsewhere = knownAnywhere.stream()
                    .filter(other -> other.endsWith("." + key) && !other.contains("["))
                    .findFirst();
            if (elsewhere.isPresent()) return elsewhere;
        }
        return beside.map(this::full);
    }

    private <T> T read(String key, String allowed, Supplier<T> value) {
        known.add(key);
        try {
            return value.get();
        } catch (ConfigException.Missing e) {
            throw problem(
                    key, full(key) + " is missing" + where(key) + ": " + allowed + " is allowed", usable(allowed));
        } catch (ConfigException.WrongType | ConfigException.BadValue | IllegalArgumentException e) {
            throw notAllowed(key, allowed);
        }
    }

    private SettingsException problem(String key, String sentence, String usable) {
        return new SettingsException(List.of(new Problem(full(key), sentence, usable)));
    }

    /** The least of a range, the first of several words. */
    private static String usable(String allowed) {
        Matcher first = FIRST_ALLOWED.matcher(allowed);
        return first.lookingAt() ? first.group(1) : "";
    }

    private String described(String key, ConfigValue value) {
        return full(key) + " = " + value.render(ConfigRenderOptions.concise()) + " ("
                + value.origin().description() + ")";
    }

    /** Where something should stand: that of its null, or of the block that it is missing from. */
    private String where(String key) {
        ConfigValue none = config.root().get(key);
        if (none != null) return " (" + none.origin().description() + ")";
        return path.endsWith("]") ? " (" + config.origin().description() + ")" : "";
    }

    /** The digits of a duration that is nothing but digits, or empty when it is something else. */
    private String unitless(String key) {
        known.add(key);
        if (!config.hasPath(key)) return "";
        String text = String.valueOf(config.getValue(key).unwrapped()).strip();
        return text.matches("\\d+") && !text.matches("0+") ? text : "";
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
}
