package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.examples.InOneProcess;
import io.iwcm.cm.ops.client.ClientCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What README.md and docs/ tell people to type works: each command is run here, or it is in {@link #ELSEWHERE} with the test
 * that runs it. A new command that is neither is a failure.
 */
class DocumentedCommandsTest {

    /** How a command begins that is not run here, and what shows that it works. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("mvn ", "is what runs this test"),
            Map.entry("etc/prove-map.sh", "takes minutes, and DisabledTest tests what it does"),
            Map.entry("WHY=true etc/prove-map.sh", "takes minutes, and DisabledTest tests what it does"),
            Map.entry("etc/siw/guest.sh ", "needs root and takes minutes: .ci/run does it"),
            Map.entry("bin/iwcm-certs ", "writes where it is run: MemberTlsTest runs it"),
            Map.entry("bin/interop", "needs the guest: SiwInteropTest is what it runs"),
            Map.entry("ip netns ", "needs root: TapDocumentTest"),
            Map.entry(
                    "ip -n iwarp ",
                    "needs root: TapDocumentTest, and PacketAndKernelTest makes the pair of interfaces"),
            Map.entry("ip link ", "needs root: PacketAndKernelTest"),
            Map.entry("bin/iwcm serve --config config/tap.conf", "needs root: TapDocumentTest"),
            Map.entry("bin/iwcm listen 5000 --config config/tap.conf", "needs root: TapDocumentTest"),
            Map.entry("bin/iwcm connect 10.9.0.1 5000 --config config/tap.conf", "needs root: TapDocumentTest"),
            Map.entry("bin/iwcm serve --config config/packet.conf", "needs root: PacketAndKernelTest"),
            Map.entry("IWCM_MAIN=io.iwcm.cm.examples.Target bin/iwcm", "needs root: ExamplesTest, in memory"),
            Map.entry("IWCM_MAIN=io.iwcm.cm.examples.Initiator bin/iwcm", "needs root: ExamplesTest, in memory"),
            Map.entry("qemu-system-x86_64 ", "is not ours: QemuStreamTest has its side of the socket"),
            Map.entry("-netdev dgram,", "is not ours: QemuDatagramTest has its side of the socket"),
            Map.entry("tar -xzf target/iwcm-VERSION.tar.gz ", "changes the machine: DistributionIT does it elsewhere"),
            Map.entry(
                    "ln -s /opt/iwcm-VERSION /opt/iwcm",
                    "changes the machine: DistributionIT starts it by such a link"),
            Map.entry("/opt/iwcm/bin/iwcm warm-up", "needs it there: DistributionIT does it elsewhere"),
            Map.entry(
                    "cp /opt/iwcm/config/systemd/iwcm.service ", "changes the machine: DistributionIT has it verified"),
            Map.entry("systemctl ", "changes the machine: DistributionIT has the unit verified"),
            Map.entry("journalctl -u iwcm ", "never ends, and is not ours: DistributionIT has the unit verified"),
            Map.entry("curl ", "asks a node that has what it asks for: HttpApiDocumentTest"),
            Map.entry("keytool ", "makes files: HttpApiDocumentTest"),
            Map.entry("(umask 077; ", "makes a file: HttpApiDocumentTest"),
            Map.entry("bin/iwcm serve --config config/tls.conf", "needs those files: HttpApiDocumentTest"),
            Map.entry("bin/iwcm status --url https:", "needs those files: HttpApiDocumentTest"),
            Map.entry("tshark -r FILE ", "is not ours: TsharkJudgesTest calls it so"));

    @TempDir
    static Path directory;

    private static NodeProgram node;
    private static Path capture;

    @BeforeAll
    static void record() {
        node = NodeProgram.serve(Checkout.root().resolve("config/single.conf"), directory);
        capture = directory.resolve("capture.pcap");
        assertThat(Cli.run("demo", "--once", "--quiet", "--pcap", capture.toString())
                        .exitCode())
                .isZero();
    }

    @AfterAll
    static void end() {
        node.close();
    }

    static List<DocumentedCommand> commands() throws IOException {
        List<DocumentedCommand> commands = DocumentedCommand.all().stream()
                .filter(command -> elsewhere(command).isEmpty())
                .distinct()
                .toList();
        assertThat(commands).hasSizeGreaterThan(10);
        return commands;
    }

    private static List<String> elsewhere(DocumentedCommand command) {
        return ELSEWHERE.keySet().stream()
                .filter(begin -> command.text().startsWith(begin))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void works(DocumentedCommand command, @TempDir Path here) throws IOException {
        List<String> words = command.words();
        switch (words.getFirst()) {
            case "bin/iwcm" -> {
                List<String> arguments = arguments(words.subList(1, words.size()));
                if (arguments.getFirst().equals("serve")) {
                    assertThat(arguments).startsWith("serve", "--config").hasSize(3);
                    serves(Path.of(arguments.get(2)), here);
                } else {
                    Cli run = Cli.run(arguments.toArray(String[]::new));
                    assertThat(run.exitCode()).as(run.err()).isZero();
                    assertThat(run.out()).isNotEmpty();
                }
            }
            case "IWCM_MAIN=io.iwcm.cm.examples.InOneProcess" -> {
                assertThat(words).containsExactly(words.getFirst(), "bin/iwcm");
                Program.Ran ran = Program.run(here, Map.of(), NodeProgram.java(InOneProcess.class));
                assertThat(ran.exitCode()).as(ran.err()).isZero();
                assertThat(ran.out()).contains("initiator: connected", "target: closed");
            }
            default -> throw new AssertionError("nobody runs this, and it is not in ELSEWHERE");
        }
    }

    private static void serves(Path config, Path here) {
        try (NodeProgram served = NodeProgram.serve(config, here)) {
            assertThat(served.stop().out()).endsWith("stopped\n");
        }
    }

    /** What stands for something has that put in, and a command that asks a node asks ours. */
    private static List<String> arguments(List<String> words) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String word : words) {
            if (word.startsWith("config/"))
                arguments.add(Checkout.root().resolve(word).toString());
            else if (word.equals("FILE")) arguments.add((words.contains("--pcap") ? written() : capture).toString());
            else arguments.add(word);
        }
        if (ClientCommands.all().containsKey(words.getFirst())) {
            arguments.addAll(List.of("--url", node.url()));
        }
        return arguments;
    }

    private static Path written() throws IOException {
        return Files.createTempFile(directory, "written", ".pcap");
    }

    @Test
    void nothingIsSaidToBeTestedElsewhereThatNobodyTypes() throws IOException {
        List<DocumentedCommand> commands = DocumentedCommand.all();
        assertThat(ELSEWHERE.keySet())
                .allMatch(begin ->
                        commands.stream().anyMatch(command -> command.text().startsWith(begin)));
    }

    @Test
    void whatIsSaidToTestItIsThere() throws IOException {
        List<String> classes = new ArrayList<>();
        for (String module : List.of("nic-bridge", "cm-actors")) {
            try (Stream<Path> files = Files.walk(Checkout.root().resolve(module + "/src/test/java"))) {
                files.forEach(file -> classes.add(file.getFileName().toString().replace(".java", "")));
            }
        }
        ELSEWHERE
                .values()
                .forEach(why -> Stream.of(why.split("[^A-Za-z]+"))
                        .filter(word -> word.endsWith("Test") || word.endsWith("IT"))
                        .forEach(test -> assertThat(classes).contains(test)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        a b   # c       | a b
        a '# b' # c     | a '# b'
        a#b             | a#b
        """)
    void aCommentIsNoPartOfACommand(String line, String command) {
        assertThat(DocumentedCommand.commandsIn("```sh\n" + line + "\n```\n")).containsExactly(command);
    }

    @Test
    void linesThatBelongTogetherAreOneCommand() {
        assertThat(DocumentedCommand.commandsIn(
                        "text\n```sh\na \\\n  b\nc '\nd' e\n```\n```java\nf\n```\n```\ng\n```\n"))
                .containsExactly("a   b", "c '\nd' e");
    }
}
