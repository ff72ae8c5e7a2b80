package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.bridge.NicSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code iwcm config}: what can be known of a configuration without starting anything. */
class ConfigCommandTest {

    @TempDir
    Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("iwcm.conf"), text);
    }

    static Stream<Arguments> configurations() throws IOException {
        try (Stream<Path> files = Files.list(Checkout.root().resolve("config"))) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".conf"))
                    .filter(file ->
                            !file.endsWith("cluster-tls.conf")) // Only for others to include, and not of iwcm.*.
                    .sorted()
                    .toList();
            assertThat(found).hasSizeGreaterThanOrEqualTo(2);
            return found.stream().map(file -> arguments(file.getFileName().toString(), file));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configurations")
    void everyFileThatComesWithUsIsFine(String name, Path file) {
        Cli run = Cli.run("config", "check", file.toString());

        if (name.equals("tls.conf")) { // Fine as soon as its key and token are there: HttpApiDocumentTest makes them.
            assertThat(run.err())
                    .isEqualTo("iwcm: iwcm.http.token-file = iwcm.token is not a file that can be read.\n");
            assertThat(run.exitCode()).isEqualTo(2);
            return;
        }
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith(file + " is fine: ").hasLineCount(1);
        assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configurations")
    void whatIsPrintedIsReadAsTheSameSettings(String name, Path file) throws IOException {
        Cli run = Cli.run("config", "print", "--origins", "--config", file.toString());

        assertThat(run.exitCode()).isZero();
        Config printed = ConnectionManager.configuration(
                ConfigFactory.parseFile(file(run.out()).toFile()));
        Config original = ConfigFile.read(file, "");
        assertThat(NicSettings.from(printed)).isEqualTo(NicSettings.from(original));
        assertThat(CmSettings.from(printed)).isEqualTo(CmSettings.from(original));
        assertThat(CmClusterSettings.from(printed)).isEqualTo(CmClusterSettings.from(original));
        Config defaults = ConfigFile.defaults();
        assertThat(List.of(NicSettings.from(printed), CmClusterSettings.from(printed)))
                .isNotEqualTo(List.of(NicSettings.from(defaults), CmClusterSettings.from(defaults)));
    }

    @Test
    void everyProblemIsASentenceWithFileAndLine() throws IOException {
        Path file = file("""
            iwcm.nic {
              adresses = [ { address = "10.9.0.2/24" } ]
              mtu = 9
            }
            iwcm.cm {
              mtu = 9000
              deadlines.close = 10
              tcp { window = 70000, window-scale = 0 }
              listeners = [
                { address = "10.9.0.2", prot = 4420, answer = perhaps }
                { address = "10.9.0.300", port = 0, answer = accept, ird = 99999, ord = 0 }
              ]
            }
            """);

        Cli run = Cli.run("config", "check", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .containsExactlyInAnyOrder(
                        said("iwcm.nic.mtu = 9 (%s: 3) is not allowed: 576..65521 is."),
                        said("iwcm.nic.adresses (%s: 2) is not a setting: did you mean iwcm.nic.addresses?"),
                        said("iwcm.cm.listeners[0].port is missing (%s: 10): 1..65535 is allowed."),
                        said("iwcm.cm.listeners[0].answer = \"perhaps\" (%s: 10) is not allowed: accept or reject is."),
                        said("iwcm.cm.listeners[1].address = \"10.9.0.300\" (%s: 11) is not allowed: an IPv4 or IPv6"
                                + " address is."),
                        said("iwcm.cm.listeners[1].port = 0 (%s: 11) is not allowed: 1..65535 is."),
                        said("iwcm.cm.listeners[1].ird = 99999 (%s: 11) is not allowed: 0..16382 is."),
                        said("iwcm.cm.tcp.window = 70000 (%s: 8) is not allowed: 1024..65535 with a window-scale of 0"
                                + " is."),
                        said("iwcm.cm.deadlines.close = 10 (%s: 7) has no unit: 10ms, 10s or 10 minutes, for example;"
                                + " 1ms..86400s is allowed."),
                        said("iwcm.cm.mtu (%s: 6) is not a setting: did you mean iwcm.cm.mpa?"),
                        said("iwcm.cm.listeners[0].prot (%s: 10) is not a setting: did you mean"
                                + " iwcm.cm.listeners[0].port?"));
        assertThat(run.out()).isEqualToIgnoringNewLines(file + " cannot be used: 11 problems.");
    }

    private String said(String sentence) {
        return "iwcm: " + sentence.formatted(directory.resolve("iwcm.conf"));
    }

    @Test
    void oneBadFileAmongGoodOnesIsSeen() throws IOException {
        Path good = Checkout.root().resolve("config/single.conf");

        Cli run = Cli.run("config", "check", good.toString(), file("iwcm {").toString(), good.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("iwcm: " + directory.resolve("iwcm.conf") + ": 1");
        assertThat(run.out().lines()).hasSize(3);
    }

    @Test
    void theTopAndReferencesAreLookedAtToo() throws IOException {
        assertThat(Cli.run(
                                "config",
                                "check",
                                file("iwcn.nic.mtu = 1, iwcm.nic.mtu = 2").toString())
                        .err()
                        .lines())
                .containsExactly(
                        said("iwcn (%s: 1) is not a setting: did you mean iwcm?"),
                        said("iwcm.nic.mtu = 2 (%s: 1) is not allowed: 576..65521 is."));
        assertThat(Cli.run("config", "check", file("iwcm.nic.mtu = ${size}").toString()))
                .satisfies(run -> assertThat(run.exitCode()).isEqualTo(2))
                .satisfies(run -> assertThat(run.err())
                        .contains(directory.resolve("iwcm.conf") + ": 1", "${size}")
                        .hasLineCount(1));
        assertThat(Cli.run("config", "check", "no/such/file").err())
                .isEqualToIgnoringNewLines("iwcm: no/such/file is not a file that can be read.");
    }

    @Test
    void withoutAFileTheDefaultsArePrinted() {
        Cli run = Cli.run("config", "print", "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(ConfigFactory.parseString(run.out()))
                .isEqualTo(ConfigFile.defaults().withOnlyPath("iwcm"));
        assertThat(run.out()).contains("\"mtu\"").doesNotContain("#");
    }

    @Test
    void jsonHasNoRoomForOrigins() {
        Cli run = Cli.run("config", "print", "--json", "--origins");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--origins are comments, and JSON has none");
    }
}
