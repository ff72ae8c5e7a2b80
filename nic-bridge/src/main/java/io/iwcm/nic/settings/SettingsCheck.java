package io.iwcm.nic.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.iwcm.nic.settings.SettingsException.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds everything that is wrong with a configuration, not only the first. A settings class stops at what it cannot use; so
 * its complaint is noted, a value that it can use is put there, and it reads again.
 */
public final class SettingsCheck {

    private static final Pattern IN_A_LIST = Pattern.compile("(?<list>[^\\[]+)\\[(?<index>\\d+)]\\.(?<key>.+)");

    private final Config reference;
    private final List<String> sentences = new ArrayList<>();
    private final Map<String, Integer> complaints = new HashMap<>();
    private Config config;

    private SettingsCheck(Config config, Config reference) {
        this.config = config;
        this.reference = reference;
    }

    /**
     * All problems, in the order in which they are come across, each a sentence without its full stop.
     *
     * @param config resolved
     * @param reference what stands there when nobody says otherwise, resolved
     * @param readers make settings of it and throw {@link SettingsException} or {@link IllegalArgumentException}
     */
    public static List<String> problems(Config config, Config reference, List<? extends Consumer<Config>> readers) {
        SettingsCheck check = new SettingsCheck(config, reference);
        readers.forEach(check::readToTheEnd);
        return List.copyOf(check.sentences);
    }

    /**
     * Refuses a block at the top that is one of those known but for a slip of the keyboard. Others are the user's own, to
     * be referred to.
     */
    public static void refuseMisspelt(Config user, List<String> known) {
        List<Problem> problems = new ArrayList<>();
        user.root()
                .forEach((key, value) -> known.stream()
                        .filter(word -> !word.equals(key) && !known.contains(key) && Spelling.distance(word, key) <= 2)
                        .min(Comparator.comparingInt(word -> Spelling.distance(word, key)))
                        .ifPresent(word -> problems.add(new Problem(
                                key,
                                key + " (" + value.origin().description() + ") is not a setting: did you mean " + word
                                        + "?",
                                ""))));
        if (!problems.isEmpty()) throw new SettingsException(problems);
    }

    private void readToTheEnd(Consumer<Config> reader) {
        boolean more = true;
        while (more) more = complains(reader);
    }

    /** Whether there was something to complain about that could be put right, so that there may be more. */
    private boolean complains(Consumer<Config> reader) {
        try {
            reader.accept(config);
            return false;
        } catch (SettingsException e) {
            boolean repaired = true;
            for (Problem problem : e.problems()) repaired &= repair(problem);
            return repaired;
        } catch (IllegalArgumentException e) {
            sentences.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private boolean repair(Problem problem) {
        String key = problem.key();
        int times = complaints.merge(key, 1, Integer::sum);
        if (times == 1) sentences.add(problem.sentence());
        Matcher inList = IN_A_LIST.matcher(key);
        return inList.matches()
                ? repairItem(
                        inList.group("list"), Integer.parseInt(inList.group("index")), inList.group("key"), problem)
                : repair(problem, times);
    }

    /** The default; if that cannot be used beside the other values, what the complaint says; then the block's defaults. */
    private boolean repair(Problem problem, int times) {
        String key = problem.key();
        String block = parent(key);
        if (times == 1 && !key.isEmpty()) {
            reset(key);
        } else if (times == 2 && !problem.usable().isEmpty()) {
            config = config.withValue(key, ConfigValueFactory.fromAnyRef(problem.usable()));
        } else if (times <= 3 && block.contains(".")) {
            reset(block);
        } else {
            return false;
        }
        return true;
    }

    private void reset(String path) {
        config = reference.hasPath(path) ? config.withValue(path, reference.getValue(path)) : config.withoutPath(path);
    }

    private static String parent(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    /** A value that can be used, or nothing where nothing is needed; then the list's default. */
    private boolean repairItem(String list, int index, String key, Problem problem) {
        int times = complaints.getOrDefault(problem.key(), 0);
        if (times > 1) {
            reset(list);
            return times == 2;
        }
        List<ConfigValue> items = new ArrayList<>(config.getList(list));
        Config item = ((ConfigObject) items.get(index)).toConfig();
        Config better = switch (key) {
            case "address" -> item.withValue(key, text("198.51.100." + (index + 1)));
            case "to" -> item.withValue(key, text("0.0.0.0/0")).withoutPath("via");
            default -> problem.usable().isEmpty() ? item.withoutPath(key) : item.withValue(key, text(problem.usable()));
        };
        items.set(index, better.root());
        config = config.withValue(list, ConfigValueFactory.fromIterable(items));
        return true;
    }

    private static ConfigValue text(String text) {
        return ConfigValueFactory.fromAnyRef(text);
    }
}
