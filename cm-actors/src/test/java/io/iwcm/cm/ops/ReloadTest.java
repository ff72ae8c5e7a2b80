package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.iwcm.cm.proto.CmCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A running node whose file is read again. */
@Timeout(240)
class ReloadTest {

    private static final String NIC = "iwcm.http.port = 0\niwcm.nic.link.kind = memory\n";
    private static final String FIRST = NIC + """
        iwcm.nic.addresses = [ { address = "10.9.0.2/24" } ]
        iwcm.cm.listeners = [
          { address = "10.9.0.2", port = 4420, answer = accept }
          { address = "10.9.0.2", port = 4421, answer = accept }
          { address = "10.9.0.2", port = 4422, answer = accept }
        ]
        """;

    @TempDir
    private Path directory;

    private Path file;
    private RunningNode node;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(directory.resolve("node.conf"), FIRST);
        node = RunningNode.start(file);
    }

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void listenersAndAddressesFollowTheFileAndConnectionsStay() throws IOException {
        node.connect(4420);
        String stands = node.inState("OFFLOADED");
        Files.writeString(file, NIC + """
            iwcm.nic.addresses = [ { address = "10.9.0.2/24" }, { address = "10.9.0.3/24" } ]
            iwcm.cm.dispatchers = 8
            iwcm.http.token = "0123456789abcdef"
            iwcm.cm.listeners = [
              { address = "10.9.0.2", port = 4420, answer = accept }
              { address = "10.9.0.2", port = 4421, answer = reject }
              { address = "10.9.0.3", port = 4423, answer = accept }
            ]
            """);

        Cli run = node.run("reload");

        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines())
                .containsExactly(
                        "listening no more on 10.9.0.2:4421",
                        "listening no more on 10.9.0.2:4422",
                        "address 10.9.0.3/24 is there",
                        "listening on 10.9.0.2:4421 by memory:nic",
                        "listening on 10.9.0.3:4423 by memory:nic",
                        "iwcm.cm.dispatchers needs a restart",
                        "iwcm.http.token needs a restart");
        assertThat(run.out()).doesNotContain("0123456789abcdef");
        assertThat(node.run("listeners").out())
                .contains("10.9.0.2:4420", "10.9.0.3:4423")
                .containsPattern("10\\.9\\.0\\.2:4421 .*reject")
                .doesNotContain("4422");
        assertThat(node.run("links").out()).contains("10.9.0.3/24");
        assertThat(node.run("connection " + stands).out()).contains(" OFFLOADED");
        assertThat(counted(CmCounter.CONFIG_RELOADS)).isEqualTo(1);

        Files.writeString(file, FIRST);
        assertThat(node.run("reload").exitCode()).isZero();
        assertThat(node.run("links").out()).doesNotContain("10.9.0.3");
        assertThat(node.run("reload").out()).isEqualToIgnoringNewLines("nothing differs");
    }

    @Test
    void aFileWithAMistakeChangesNothingAndSaysWhere() throws IOException {
        Files.writeString(file, NIC + """
            iwcm.nic.addresses = [ { address = "10.9.0.3/24" } ]
            iwcm.cm.listeners = [ { address = "10.9.0.3", port = 70000, answer = accept } ]
            """);
        String before = node.run("listeners").out();

        Cli run = node.run("reload");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains(file + " changes nothing: ")
                .contains("iwcm.cm.listeners[0].port = 70000 (")
                .contains("node.conf: 4");
        assertThat(node.run("listeners").out()).isEqualTo(before);
        assertThat(node.run("links").out()).contains("10.9.0.2/24").doesNotContain("10.9.0.3");
        assertThat(counted(CmCounter.CONFIG_RELOAD_FAILURES)).isEqualTo(1);
        assertThat(counted(CmCounter.CONFIG_RELOADS)).isZero();
    }

    @Test
    void whatCannotBeDoneIsSaidAndTheRestIsDone() throws IOException {
        Files.writeString(file, NIC + """
            iwcm.nic.addresses = [ { address = "10.9.0.2/24" } ]
            iwcm.cm.listeners = [
              { address = "10.9.0.9", port = 4420, answer = accept }
              { address = "10.9.0.2", port = 4424, answer = accept }
            ]
            """);

        Cli run = node.run("reload");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cannot listen on 10.9.0.9:4420: address not available");
        assertThat(node.run("listeners").out()).contains("10.9.0.2:4424").doesNotContain("4420");
        assertThat(counted(CmCounter.CONFIG_RELOAD_FAILURES)).isEqualTo(1);
    }

    @Test
    void aListenerOfTheFileThatSomebodyRemovedComesBack() throws IOException {
        String id = node.run("listeners --json").out().replaceAll("(?s).*?\"id\":(\\d+).*", "$1");
        assertThat(node.run("listeners remove " + id).exitCode()).isZero();

        JsonNode answer = new ObjectMapper().readTree(node.run("reload --json").out());

        assertThat(answer.get("done")).hasSize(1);
        assertThat(answer.get("restart")).isEmpty();
        assertThat(new ObjectMapper().readTree(node.run("listeners --json").out()))
                .hasSize(3);
    }

    @Test
    void theSignalToHangUpNeverEndsAServedNode() throws IOException {
        Path own = Files.writeString(directory.resolve("own.conf"), FIRST);
        try (Program served =
                Program.start(directory, Map.of(), NodeProgram.iwcm("serve", "--config", own.toString()))) {
            String url = served.lineThatBegins("http");

            Files.writeString(own, FIRST.replace("4422", "70000"));
            served.hangUp();
            assertThat(served.lineThatBegins(own + " changes nothing: "))
                    .contains("iwcm.cm.listeners[2].port = 70000 (");
            assertThat(Cli.run("listeners", "--url", url).out()).contains("10.9.0.2:4422");

            Files.writeString(own, FIRST.replace("4422", "4425"));
            served.hangUp();
            served.lineThatBegins("listening on 10.9.0.2:4425 ");
            assertThat(Cli.run("listeners", "--url", url).out())
                    .contains("10.9.0.2:4425")
                    .doesNotContain("4422");

            served.terminate();
            assertThat(served.end().out()).endsWith("stopped\n");
        }
    }

    private long counted(CmCounter counter) {
        return node.served.manager().counters().value(counter);
    }
}
