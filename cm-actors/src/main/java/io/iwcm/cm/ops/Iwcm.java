package io.iwcm.cm.ops;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line of iwcm.
 *
 * <p>Exit codes: 0 done, 1 it failed, 2 the command line or a setting is wrong. A failure is one sentence on standard
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

    /** One line per subcommand, in the order the help shows them. */
    private static List<Object> subcommands() {
        return List.of(new VersionCommand());
    }

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Iwcm());
        subcommands().forEach(line::addSubcommand);
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
        line.getErr().println(sentence(e) + " See '" + line.getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static int sayWhatFailed(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
        line.getErr().println(sentence(e));
        if (System.getenv("IWCM_TRACE") != null) e.printStackTrace(line.getErr());
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String sentence(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "iwcm: " + message.strip().replaceAll("\\s*\\R\\s*", " ") + (message.endsWith(".") ? "" : ".");
    }
}
