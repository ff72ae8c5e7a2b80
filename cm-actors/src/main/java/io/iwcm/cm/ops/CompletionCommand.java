package io.iwcm.cm.ops;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code iwcm completion}: what a shell needs to complete our commands and options. */
@Command(
        name = "completion",
        description = "Print the completion script of a shell: source <(iwcm completion bash)",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class CompletionCommand implements Runnable {

    /** Zsh takes bash's with its bashcompinit, which the script itself loads. */
    private static final List<String> SHELLS = List.of("bash", "zsh");

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    private String shell = "";

    @Override
    public void run() {
        if (!SHELLS.contains(shell)) {
            throw new ParameterException(
                    spec.commandLine(), "there is no completion for '" + shell + "': bash and zsh have one");
        }
        spec.commandLine().getOut().print(AutoComplete.bash("iwcm", Iwcm.commandLine()));
        spec.commandLine().getOut().flush();
    }
}
