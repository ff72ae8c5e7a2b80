package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/tap.md, command by command as it stands there, and README.md's commands of the same kind; in a namespace of another
 * name. There ports and interfaces are free whatever else this machine does.
 */
@RequiresTap
@RequiresTool({"bash", "ip", "python3"})
class TapDocumentTest {

    /** What the page asks for: it listens on 10.9.0.1 port 5000 and answers an MPA request without taking part in RTR. */
    private static final String RESPONDER = """
        import socket
        server = socket.socket()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("10.9.0.1", 5000))
        server.listen()
        print("ready", flush=True)
        peer = server.accept()[0]
        peer.recv(512)
        peer.sendall(b"MPA ID Rep Frame" + bytes([0x50, 2, 0, 4, 0, 4, 0, 3]))
        while peer.recv(512): pass
        peer.close()
        """;

    private final String namespace = "iwcm-" + ProcessHandle.current().pid();

    @TempDir
    Path directory;

    private List<String> commands = List.of();

    @BeforeEach
    void readAndMakeTheNamespace() throws IOException {
        commands = DocumentedCommand.all().stream()
                .filter(command -> command.page().equals("docs/tap.md"))
                .map(DocumentedCommand::text)
                .toList();
        for (String command : commands) {
            if (command.startsWith("ip ") && !command.startsWith("ip netns exec ")) assertSucceeds(command);
        }
    }

    @AfterEach
    void removeIt() {
        Program.run(directory, Map.of(), List.of("ip", "netns", "delete", namespace));
    }

    private void assertSucceeds(String command) {
        Program.Ran ran = Program.run(directory, Map.of(), shell(command));
        assertThat(ran.exitCode()).as("%s: %s", command, ran.err()).isZero();
    }

    /** With our names and classes instead of the page's. */
    private List<String> shell(String command) {
        List<String> iwcm = new ArrayList<>();
        for (String word : NodeProgram.iwcm()) iwcm.add("'" + word + "'");
        Path config = Checkout.root().resolve("config").toAbsolutePath().normalize();
        return List.of(
                "bash",
                "-c",
                "exec "
                        + command.replace("iwarp", namespace)
                                .replace(" config/", " " + config + "/")
                                .replace("bin/iwcm", String.join(" ", iwcm)));
    }

    private String only(String containing) {
        List<String> found =
                commands.stream().filter(one -> one.contains(containing)).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void theKernelConnects() {
        try (Program serve = Program.start(directory, Map.of(), shell(only("bin/iwcm serve")))) {
            serve.lineThatBegins("http");
            Program.Ran asked = Program.run(directory, Map.of(), shell(only("python3")));
            assertThat(asked.err()).isEmpty();
            assertThat(asked.out()).startsWith("b'MPA ID Rep Frame").contains("welcome");
            serve.terminate();
            assertThat(serve.end().out()).contains("CONNECT_REQUEST").endsWith("stopped\n");
        }
    }

    @Test
    void weConnect() throws IOException {
        Path script = Files.writeString(directory.resolve("responder.py"), RESPONDER);
        try (Program responder = Program.start(
                directory, Map.of(), List.of("ip", "netns", "exec", namespace, "python3", script.toString()))) {
            responder.lineThatBegins("ready");
            assertSucceeds(only("bin/iwcm connect"));
        }
    }

    @Test
    void theReadmesCommandsStartTheSame() throws IOException {
        List<String> readme = DocumentedCommand.all().stream()
                .filter(command -> command.page().equals("README.md"))
                .map(DocumentedCommand::text)
                .filter(command -> command.endsWith(" --config config/tap.conf"))
                .toList();
        assertThat(readme).hasSize(3);
        for (String command : readme) {
            String there = "ip netns exec iwarp " + command;
            if (command.contains(" connect ")) {
                Program.Ran refused = Program.run(directory, Map.of(), shell(there));
                assertThat(refused.exitCode()).as(refused.err()).isEqualTo(1);
                assertThat(refused.out() + refused.err()).containsIgnoringCase("refused");
            } else {
                try (Program listens = Program.start(directory, Map.of(), shell(there))) {
                    listens.lineThatBegins("listening on ");
                    listens.terminate();
                    assertThat(listens.end().out()).endsWith("stopped\n");
                }
            }
        }
    }
}
