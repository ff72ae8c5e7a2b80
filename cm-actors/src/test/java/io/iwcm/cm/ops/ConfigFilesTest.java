package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in config/: each says what it is, and a node runs with each that needs nothing but a user and no network. */
class ConfigFilesTest {

    /** Why a file is only checked here; a file that is neither here nor runs is a failure. */
    private static final Map<String, String> NOT_RUN_HERE = Map.of(
            "tap.conf", "needs root: TapDocumentTest runs it",
            "packet.conf", "needs root and an interface: PacketAndKernelTest has such a link",
            "tls.conf", "needs a key store and a token: HttpApiDocumentTest makes them and runs it");

    @TempDir
    Path directory;

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(Checkout.root().resolve("config"))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> configurations() throws IOException {
        return files(".conf");
    }

    static List<Path> thatRunHere() throws IOException {
        return configurations().stream()
                .filter(file -> !NOT_RUN_HERE.containsKey(file.getFileName().toString()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void beginsByTellingWhatItIsForAndHowItIsUsed(Path file) throws IOException {
        List<String> comment = Files.readAllLines(file).stream()
                .takeWhile(line -> line.startsWith("#"))
                .toList();
        assertThat(comment).hasSizeGreaterThanOrEqualTo(3);
        assertThat(String.join("\n", comment)).contains("config/" + file.getFileName());
    }

    @ParameterizedTest
    @MethodSource("thatRunHere")
    void runsUntilItIsToldToStop(Path file) {
        try (NodeProgram node = NodeProgram.serve(file, directory)) {
            Program.Ran ran = node.stop();
            assertThat(ran.exitCode()).as(ran.err()).isEqualTo(128 + 15);
            assertThat(ran.out()).endsWith("stopped\n");
        }
    }

    @Test
    void everyFileThatIsOnlyCheckedIsStillThere() throws IOException {
        assertThat(configurations().stream().map(file -> file.getFileName().toString()))
                .containsAll(NOT_RUN_HERE.keySet());
    }
}
