package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class IwcmTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpNamesEveryCommandAndTheLauncherCommandIsNotShown() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Usage: iwcm", "version").doesNotContain("warm-up");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void everySubcommandIsMadeByTheNameThatItHas() {
        Iwcm.subcommands().forEach((name, make) -> {
            assertThat(make.get()
                            .getClass()
                            .getAnnotation(CommandLine.Command.class)
                            .name())
                    .isEqualTo(name);
            assertThat(Iwcm.commandLine(name, "--help").getSubcommands()).containsOnlyKeys(name);
        });
        assertThat(Iwcm.commandLine("nonsense").getSubcommands())
                .containsOnlyKeys(Iwcm.subcommands().keySet());
    }

    @Test
    void doesInMemoryWhatTheArchiveIsToKnow() {
        assertThat(run("warm-up")).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("OK: 1 connection", "iwcm " + BuildInfo.read().version() + " is ready");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void versionTellsTheBuildAndTheJava() {
        assertThat(run("version")).isZero();
        assertThat(out.toString())
                .matches(
                        "iwcm \\d+\\.\\d+\\.\\d+\\S* \\(commit (unknown|\\p{XDigit}{12}).*\\)\\R" + "Java \\S+, .+\\R");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --nonsense        | iwcm: Unknown option: '--nonsense'. See 'iwcm --help'.
        nonsense          | iwcm: Unknown command 'nonsense'. See 'iwcm --help'.
        vresion           | iwcm: Unknown command 'vresion'; did you mean 'version'? See 'iwcm --help'.
        version --x       | iwcm: Unknown option: '--x'. See 'iwcm version --help'.
        """)
    void aWrongCommandLineGetsOneSentenceAndCodeTwo(String arguments, String sentence) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).isEqualTo(sentence + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void withoutACommandItAsksForOne() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).isEqualToIgnoringNewLines("iwcm: Missing command. See 'iwcm --help'.");
    }

    @Test
    void aFailureGetsOneSentenceAndCodeOne() {
        CommandLine line = writingHere(Iwcm.commandLine(List.of(new Failing())));
        assertThat(line.execute("fail")).isEqualTo(1);
        assertThat(err.toString()).isEqualToIgnoringNewLines("iwcm: The link is down, for two reasons.");
    }

    @CommandLine.Command(name = "fail")
    private static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("The link is down,\n  for two reasons");
        }
    }

    private int run(String... arguments) {
        return writingHere(Iwcm.commandLine()).execute(arguments);
    }

    private CommandLine writingHere(CommandLine line) {
        return line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    }
}
