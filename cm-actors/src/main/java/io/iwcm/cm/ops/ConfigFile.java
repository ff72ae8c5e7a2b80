package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.settings.SettingsCheck;
import io.iwcm.nic.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** A configuration that somebody wrote, over the defaults. What is wrong with it is a sentence each. */
final class ConfigFile {

    /** All that read settings, in the order of a start. */
    private static final List<Consumer<Config>> READERS =
            List.of(NicSettings::from, CmSettings::from, CmHttpSettings::from, CmMetricsSettings::from);

    private static final List<String> BLOCKS = List.of("iwcm", "pekko");

    private ConfigFile() {}

    /** What holds without any file. */
    static Config defaults() {
        return ConnectionManager.configuration(ConfigFactory.empty());
    }

    /**
     * The file over the defaults.
     *
     * @param saidBy what named the file, for the sentence that says that there is none
     * @throws SettingsException when it cannot be read, is not HOCON or refers to what is nowhere
     */
    static Config read(Path file, String saidBy) {
        Config user = parse(file, saidBy);
        SettingsCheck.refuseMisspelt(user, BLOCKS);
        return resolved(user, file);
    }

    /** Everything that is wrong with that file, each a sentence without its full stop. */
    static List<String> problems(Path file) {
        List<String> sentences = new ArrayList<>();
        try {
            Config user = parse(file, "");
            note(sentences, () -> SettingsCheck.refuseMisspelt(user, BLOCKS));
            sentences.addAll(SettingsCheck.problems(resolved(user, file), defaults(), READERS));
        } catch (SettingsException e) {
            sentences.add(sentence(e, file));
        }
        return List.copyOf(sentences);
    }

    private static void note(List<String> sentences, Runnable check) {
        try {
            check.run();
        } catch (SettingsException e) {
            e.problems().forEach(problem -> sentences.add(problem.sentence()));
        }
    }

    private static Config parse(Path file, String saidBy) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new SettingsException(saidBy + file + " is not a file that can be read");
        }
        try {
            return ConfigFactory.parseFile(file.toFile());
        } catch (ConfigException.Parse e) {
            throw new SettingsException(sentence(e, file));
        }
    }

    private static Config resolved(Config user, Path file) {
        try {
            return ConnectionManager.configuration(user);
        } catch (ConfigException.UnresolvedSubstitution e) {
            throw new SettingsException(sentence(e, file));
        }
    }

    private static String sentence(ConfigException e, Path file) {
        return Objects.requireNonNullElse(e.getMessage(), file + " cannot be read as HOCON");
    }
}
