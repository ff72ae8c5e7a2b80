package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.settings.EffectiveSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code iwcm config}: what a configuration says, and whether it can be used; nothing is started. */
@Command(
        name = "config",
        description = "Check a configuration, or print what it comes to; nothing is started.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        subcommands = {ConfigCommand.Check.class, ConfigCommand.Print.class})
final class ConfigCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command: check or print");
    }

    /** {@code iwcm config check}: every problem of every file. */
    @Command(
            name = "check",
            description = "Say everything that is wrong with configurations, each in one sentence with file and line.",
            footer = "Exits with 0 when all can be used, with 2 when one cannot.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Check implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", arity = "1..*", description = "HOCON files, each by itself.")
        private List<Path> files = List.of();

        @Override
        public Integer call() {
            boolean fine = true;
            for (Path file : files) fine &= isFine(file);
            return fine ? 0 : 2;
        }

        private boolean isFine(Path file) {
            List<String> problems = ConfigFile.problems(file);
            PrintWriter out = spec.commandLine().getOut();
            if (problems.isEmpty()) {
                out.println(file + " is fine: " + summary(ConfigFile.read(file, "")) + ".");
            } else {
                problems.forEach(sentence -> spec.commandLine().getErr().println(Iwcm.sentence(sentence)));
                out.println(file + " cannot be used: " + counted(problems.size(), "problem") + ".");
            }
            return problems.isEmpty();
        }

        private static String summary(Config config) {
            NicSettings nic = NicSettings.from(config);
            return counted(nic.addresses().size(), "address") + ", "
                    + counted(nic.routes().size(), "route") + ", "
                    + counted(CmSettings.from(config).listeners().size(), "listener");
        }

        private static String counted(int count, String what) {
            return count + " " + what + (count == 1 ? "" : what.endsWith("s") ? "es" : "s");
        }
    }

    /** {@code iwcm config print}: the file and the defaults, merged. */
    @Command(
            name = "print",
            description = {
                "Print what holds: the file over the defaults, sorted, secrets hidden.",
                "What is printed can be read as a configuration again."
            },
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    static final class Print implements Runnable {

        @Spec
        private CommandSpec spec;

        @Option(names = "--config", paramLabel = "FILE", description = "Without it the defaults are printed.")
        private Optional<Path> file = Optional.empty();

        @Option(names = "--json", description = "As JSON instead of HOCON.")
        private boolean json;

        @Option(names = "--origins", description = "With file and line of every value, as comments.")
        private boolean origins;

        @Override
        public void run() {
            if (json && origins) {
                throw new ParameterException(
                        spec.commandLine(), "--origins are comments, and JSON has none: leave out one or the other");
            }
            Config config = file.map(path -> ConfigFile.read(path, "--config ")).orElseGet(ConfigFile::defaults);
            EffectiveSettings effective = EffectiveSettings.of(config, "iwcm");
            spec.commandLine().getOut().println(json ? effective.json() : effective.hocon(origins));
        }
    }
}
