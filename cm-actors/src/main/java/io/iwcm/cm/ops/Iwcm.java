package io.iwcm.cm.ops;

import com.typesafe.config.ConfigException;
import io.iwcm.cm.ops.client.ClientCommands;
import io.iwcm.cm.ops.client.ClientFailure;
import io.iwcm.nic.link.LinkException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of iwcm.
 *
 * <p>Exit codes: 0 done, 1 it failed, 2 the command line or a setting is wrong, 3 the node cannot be reached. A failure is one sentence on standard
 * error; {@code IWCM_TRACE=1} in the environment adds the stack trace.
 */
@Command(
        name = "iwcm",
        description = "An iWARP connection manager in user space.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        usageHelpAutoWidth = true)
public final class Iwcm implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Every subcommand by its name, in the order the help shows them; each is made when it is asked for. */
    static Map<String, Supplier<Object>> subcommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("demo", DemoCommand::new);
        commands.put("serve", ServeCommand::new);
        commands.put("connect", ConnectCommand::new);
        commands.put("listen", ListenCommand::new);
        commands.put("rping", RpingCommand::new);
        commands.put("analyze", AnalyzeCommand::new);
        commands.putAll(ClientCommands.all());
        commands.put("config", ConfigCommand::new);
        commands.put("completion", CompletionCommand::new);
        commands.put("version", VersionCommand::new);
        commands.put("warm-up", WarmUpCommand::new);
        return commands;
    }

    public static void main(String[] args) {
        System.exit(commandLine(args).execute(args));
    }

    /** With all subcommands, as help, completion and guesses need them. */
    static CommandLine commandLine() {
        return commandLine(subcommands().values().stream().map(Supplier::get).toList());
    }

    /** With the one that is asked for: to make all of them, by reflection, is most of what a short command does. */
    static CommandLine commandLine(String... args) {
        Supplier<Object> asked = args.length == 0 ? null : subcommands().get(args[0]);
        return asked == null ? commandLine() : commandLine(List.of(asked.get()));
    }

    static CommandLine commandLine(List<Object> subcommands) {
        CommandLine line = new CommandLine(new Iwcm());
        subcommands.forEach(line::addSubcommand);
        return line.setParameterExceptionHandler(Iwcm::sayWhatIsWrong)
                .setExecutionExceptionHandler(Iwcm::sayWhatFailed);
    }

    /** Without a subcommand there is nothing to do but say so. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    private static int sayWhatIsWrong(ParameterException e, String[] args) {
        CommandLine line = e.getCommandLine();
        String help = "See '" + line.getCommandSpec().qualifiedName() + " --help'.";
        line.getErr().println(sentence(unknownCommand(e).orElse(e.getMessage())) + " " + help);
        return CommandLine.ExitCode.USAGE;
    }

    /** To picocli a mistyped command is an argument too many. */
    private static Optional<String> unknownCommand(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched) || unmatched.isUnknownOption())
            return Optional.empty();
        if (e.getCommandLine().getSubcommands().isEmpty()) return Optional.empty();
        String typed = unmatched.getUnmatched().getFirst();
        String guess = unmatched.getSuggestions().stream()
                .filter(name -> name.charAt(0) == typed.charAt(0)) // Others are far-fetched.
                .findFirst()
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
        return Optional.of("Unknown command '" + typed + "'" + guess);
    }

    private static int sayWhatFailed(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
        line.getErr().println(sentence(e.getMessage()));
        if (System.getenv("IWCM_TRACE") != null) e.printStackTrace(line.getErr());
        if (e instanceof ClientFailure failure) return failure.exitCode();
        return isWrongInput(e) ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    /** What the user can put right: a setting, a file, a link that cannot be opened as asked. */
    private static boolean isWrongInput(Exception e) {
        return e instanceof ConfigException || e instanceof LinkException || e instanceof IllegalArgumentException;
    }

    /** One line on standard error: it begins with our name and ends with a full stop. */
    static String sentence(@Nullable String message) {
        String text = Objects.requireNonNullElse(message, "It failed and does not say why; IWCM_TRACE=1 shows where");
        String oneLine = text.strip().replaceAll("\\s*\\R\\s*", " ");
        return "iwcm: " + oneLine + (oneLine.matches(".*[.?!]") ? "" : ".");
    }
}
