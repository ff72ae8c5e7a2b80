package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/configuration.md: what it says is printed is, and what is in config/ it names. */
class ConfigurationDocumentTest {

    private static String document() throws IOException {
        return Files.readString(Checkout.root().resolve("docs/configuration.md"));
    }

    @Test
    void theProblemsShownAreThoseThatAreFound() throws IOException {
        Path file = Files.createTempFile("my", ".conf");
        Files.writeString(file, """
            iwcm.nic {
              adresses = []
              mtu = 9
            }

            iwcm.cm {
              deadlines.close = 10
            }
            """);
        Cli run = Cli.run("config", "check", file.toString());
        Files.delete(file);

        List<String> shown = document()
                .lines()
                .filter(line -> line.startsWith("iwcm: "))
                .map(line -> line.replace("my.conf", file.toString()))
                .toList();
        assertThat(run.err().lines()).containsExactlyInAnyOrderElementsOf(shown);
    }

    @Test
    void namesEveryFileThatComesWithUs() throws IOException {
        Matcher links = Pattern.compile("\\]\\(\\.\\./config/([^)/]+)\\)").matcher(document());
        String[] there = Checkout.root().resolve("config").toFile().list((directory, name) -> name.contains("."));

        assertThat(links.results().map(link -> link.group(1)))
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(there));
    }
}
