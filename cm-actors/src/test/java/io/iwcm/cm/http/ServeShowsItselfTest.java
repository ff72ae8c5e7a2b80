package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.RequiresChromium;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page of a process that somebody has started with {@code serve}. */
@RequiresChromium
@ExtendWith(TheBrowser.class)
class ServeShowsItselfTest {

    private static final Path SINGLE =
            (Path.of("config").toFile().isDirectory() ? Path.of("") : Path.of("..")).resolve("config/single.conf");
    private static final String CONNECT = "{\"remote\": {\"address\": \"10.9.0.2\", \"port\": 4420}}";

    @Test
    void showsAHandshakeThatReallyHappened(Chromium browser) throws Exception {
        Process serve = serve();
        try (Tab tab = browser.tab().size(1280, 900)) {
            URI node = where(serve.inputReader());
            tab.open(node.toString()).untilShown("#events-state", "Shown as they come.");
            tab.untilShown("#listeners-table", "10.9.0.2").untilShown("#links-table", "10.9.0.2/24");

            connect(node);

            tab.until("document.querySelectorAll('#connections-table tbody tr').length === 2");
            tab.untilShown("#connections-table", "passive").untilShown("#events-list", "ESTABLISHED");
            tab.untilShown("#actors-table", "bucket").until("document.querySelector('.chip[data-state=OFFLOADED]')");
            assertThat(tab.text("#members-table")).contains("(this node)");
            tab.run("[...document.querySelectorAll('#connections-table tbody tr')]"
                            + ".find(row => row.innerText.includes('passive')).querySelector('button').click()")
                    .until("document.querySelector('#sequence svg')");
            assertThat(tab.value("document.querySelector('#sequence svg').textContent")
                            .asText())
                    .contains("SYN seq 0", "SYN-ACK seq 0 ack 1", "MPA request rev 2", "MPA reply rev 2");
            tab.picture("serve-drill-down").press("Escape").picture("serve");
            assertThat(tab.complaints()).isEmpty();
        } finally {
            serve.destroy();
            if (!serve.waitFor(30, TimeUnit.SECONDS)) serve.destroyForcibly();
        }
    }

    private static Process serve() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Diwcm.http.port=0",
                        "-cp",
                        classPath(),
                        "io.iwcm.cm.ops.Iwcm",
                        "serve",
                        "--config",
                        SINGLE.toString())
                .redirectErrorStream(true)
                .start();
    }

    /** Whatever has these classes: what runs tests may have put itself between. */
    private static String classPath() {
        return ServeShowsItselfTest.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** It says so when it is ready. */
    private static URI where(BufferedReader said) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            int at = line.indexOf("http://");
            if (at >= 0) {
                Thread.ofVirtual()
                        .start(() -> said.lines().forEach(_ -> {})); // Nobody reading would stop it in the end.
                return URI.create(line.substring(at).strip());
            }
            all.append(line).append('\n');
        }
        throw new AssertionError("serve has ended:\n" + all);
    }

    private static void connect(URI node) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> made = client.send(
                    HttpRequest.newBuilder(node.resolve("/api/v1/connections?wait=true"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(CONNECT))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        }
    }
}
