package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.iwcm.cm.http.Contract;
import io.iwcm.nic.testkit.RequiresTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/http-api.md says is done as it stands there. */
@Timeout(240)
@RequiresTool({"curl", "bash"})
class HttpApiDocumentTest {

    private static final String PASSWORD = "not-a-secret";
    private static final Pattern REFERENCE = Pattern.compile("(?:curl.*?)'?https?://[^/]+(/[^?' ]*)");

    @TempDir
    private Path directory;

    private record Run(int exitCode, String out) {}

    private static List<String> lines(String... begins) throws IOException {
        return Files.readString(Checkout.root().resolve("docs/http-api.md"))
                .lines()
                .filter(line -> List.of(begins).stream().anyMatch(line::startsWith))
                .toList();
    }

    @Test
    void everyRouteHasAnExample() throws IOException {
        List<String> examples = lines("curl ").stream()
                .map(line -> method(line) + " " + path(line))
                .toList();

        for (Contract.Operation operation : new Contract().operations()) {
            assertThat(examples)
                    .as(operation.name())
                    .anyMatch(example -> example.startsWith(operation.method() + " ")
                            && Contract.isAt(operation.path(), example.substring(example.indexOf(' ') + 1)));
        }
    }

    private static String method(String line) {
        Matcher said = Pattern.compile("-X (\\w+)").matcher(line);
        if (said.find()) return said.group(1);
        return line.contains(" -d ") ? "POST" : "GET";
    }

    private static String path(String line) {
        Matcher found = REFERENCE.matcher(line);
        assertThat(found.find()).as(line).isTrue();
        return found.group(1);
    }

    @Test
    void everyExampleWorks() throws Exception {
        try (RunningNode node = RunningNode.start()) {
            node.run("listeners add 10.9.0.2 6000 --answer ask --lease 3600");
            String listener = "";
            for (String line : lines("curl ")) {
                if (line.contains(":8443")) continue;
                String asked = line.replace("http://127.0.0.1:8080/", node.url())
                        .replaceAll("/listeners/2\\b", "/listeners/" + listener);
                if (asked.contains("/3.17")) asked = asked.replace("/3.17", "/" + connection(node, asked));

                Run run = run(asked.replaceFirst("curl", "curl --silent --show-error --fail-with-body"));

                int expected = line.contains("--max-time") ? 28 : 0; // An event stream has no end of its own.
                assertThat(run.exitCode()).as(asked + "\n" + run.out()).isEqualTo(expected);
                if (line.contains("\"port\":5000")) {
                    listener = run.out().replaceAll("(?s).*?\"id\":(\\d+).*", "$1");
                }
                if (line.contains("Last-Event-ID")) assertThat(run.out()).contains("event: LISTENER_UP");
            }
        }
    }

    /** One that stands where this can be done to it. */
    private static String connection(RunningNode node, String asked) {
        node.connect(6000);
        String waits = node.inState("MPAREQ_RCVD");
        if (asked.endsWith("/disconnect")) {
            node.run("accept " + waits);
            return node.inState("OFFLOADED");
        }
        return waits;
    }

    @Test
    void othersAreLetInByTheCertificateAndTheToken() throws Exception {
        for (String line : lines("keytool", "(umask")) {
            Run run = run(line);
            assertThat(run.exitCode()).as(line + "\n" + run.out()).isZero();
        }
        var ready = ConfigFactory.parseFile(
                Checkout.root().resolve("config/tls.conf").toFile(),
                ConfigParseOptions.defaults().setAllowMissing(false));
        var here = ConfigFactory.parseString("""
            iwcm.http { address = "127.0.0.1", token-file = "%s/iwcm.token",
              tls { key-store = "%s/iwcm.p12", key-store-password = "%s" } }
            """.formatted(directory, directory, PASSWORD));
        try (RunningNode node = RunningNode.start(here.withFallback(ready))) {
            String url = node.url().replace("127.0.0.1", "localhost");
            for (String line : lines("curl --cacert")) {
                Run run = run(line.replace("https://localhost:8443/", url));
                assertThat(run.out()).contains("\"name\":\"iwcm\"");
                assertThat(run.exitCode()).isZero();
            }
            for (String line : lines("bin/iwcm status")) {
                String[] words = line.replace("https://localhost:8443", url)
                        .replace("iwcm.token", directory + "/iwcm.token")
                        .replace("iwcm.pem", directory + "/iwcm.pem")
                        .substring("bin/iwcm ".length())
                        .split(" ");
                assertThat(Cli.run(words).out()).contains("is ready");
                assertThat(Cli.run("status", "--url", url, "--ca-file", directory + "/iwcm.pem"))
                        .satisfies(run -> assertThat(run.err()).contains("a bearer token is needed"))
                        .satisfies(run -> assertThat(run.exitCode()).isEqualTo(1));
                assertThat(Cli.run("status", "--url", url).exitCode()).isEqualTo(3);
                assertThat(Cli.run("status", "--url", url, "--ca-file", directory + "/iwcm.token")
                                .exitCode())
                        .isEqualTo(2);
            }
            assertThat(lines("bin/iwcm status")).hasSize(1);
            assertThat(lines("curl --cacert")).hasSize(1);
        }
    }

    @Test
    void theConfigurationSaysTheSameCommands() throws IOException {
        String file = Files.readString(Checkout.root().resolve("config/tls.conf"))
                .replaceAll("\\\\\\n#\\s+", "")
                .replaceAll("(?m)^#\\s*", "");
        for (String line : lines("keytool", "(umask", "curl --cacert", "bin/iwcm serve")) {
            assertThat(file).contains(line);
        }
    }

    private Run run(String line) throws Exception {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", line)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        bash.environment().put("IWCM_HTTP_KEY_STORE_PASSWORD", PASSWORD);
        Process process = bash.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out);
    }
}
