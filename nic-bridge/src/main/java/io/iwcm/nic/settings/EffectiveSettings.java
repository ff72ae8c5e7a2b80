package io.iwcm.nic.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a block of a configuration comes to, defaults and user's values merged, to be shown: secrets are hidden. */
public final class EffectiveSettings {

    /** What stands for a secret. */
    public static final String HIDDEN = "(hidden)";

    /** Files that hold secrets are none: {@code token-file} says where it is. */
    private static final Pattern SECRET = Pattern.compile("(.*-)?(password|passphrase|secret|token|credential)s?");

    private final Config shown;

    private EffectiveSettings(Config shown) {
        this.shown = shown;
    }

    /**
     * One key with its value.
     *
     * @param key the whole path, quoted where HOCON needs it
     * @param value as HOCON would have it
     * @param origin the file and line that said so
     */
    public record Setting(String key, String value, String origin) {}

    /** Those of one block at the top of a resolved configuration, such as {@code iwcm}. */
    public static EffectiveSettings of(Config root, String block) {
        return new EffectiveSettings(hidden(root.root().withOnlyKey(block)).toConfig());
    }

    /** The keys of one block that have another value in the other configuration, or are in one only, sorted. */
    public static List<String> differing(Config one, Config other, String block) {
        Map<String, Object> before = values(one, block);
        Map<String, Object> after = values(other, block);
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
        return List.copyOf(keys);
    }

    private static Map<String, Object> values(Config root, String block) {
        return root.withOnlyPath(block).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().unwrapped()));
    }

    /** As HOCON that a configuration can be read from, sorted by key; with origins each value has them as a comment. */
    public String hocon(boolean origins) {
        return shown.root()
                .render(ConfigRenderOptions.defaults()
                        .setJson(false)
                        .setComments(false)
                        .setOriginComments(origins))
                .strip();
    }

    /** The same as one JSON document. */
    public String json() {
        return shown.root()
                .render(ConfigRenderOptions.concise().setFormatted(true))
                .strip();
    }

    /** Key by key, sorted. Lists are one value. */
    public List<Setting> settings() {
        return shown.entrySet().stream()
                .map(entry -> new Setting(
                        entry.getKey(),
                        entry.getValue().render(ConfigRenderOptions.concise()),
                        entry.getValue().origin().description()))
                .sorted(Comparator.comparing(Setting::key))
                .toList();
    }

    private static ConfigObject hidden(ConfigObject object) {
        Map<String, ConfigValue> shown = new TreeMap<>();
        object.forEach((key, value) -> shown.put(key, isSecret(key, value) ? mask(value) : hidden(value)));
        return ConfigValueFactory.fromMap(shown).withOrigin(object.origin());
    }

    private static ConfigValue hidden(ConfigValue value) {
        return switch (value) {
            case ConfigObject object -> hidden(object);
            case ConfigList list -> {
                List<ConfigValue> shown = new ArrayList<>();
                list.forEach(item -> shown.add(hidden(item)));
                yield ConfigValueFactory.fromIterable(shown).withOrigin(list.origin());
            }
            default -> value;
        };
    }

    /** An empty one is said to be so: it is the absence of a secret. */
    private static boolean isSecret(String key, ConfigValue value) {
        return SECRET.matcher(key).matches() && !(value instanceof ConfigObject) && !"".equals(value.unwrapped());
    }

    private static ConfigValue mask(ConfigValue value) {
        return ConfigValueFactory.fromAnyRef(HIDDEN).withOrigin(value.origin());
    }
}
