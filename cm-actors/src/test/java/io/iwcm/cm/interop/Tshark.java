package io.iwcm.cm.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What Wireshark makes of a file of frames, with every check it has switched on. */
final class Tshark {

    private static final List<String> CHECKS = List.of(
            "-o", "ip.check_checksum:TRUE",
            "-o", "tcp.check_checksum:TRUE",
            "-o", "tcp.try_heuristic_first:TRUE");

    /**
     * A status is 0 for bad, 1 for good, 2 for not looked at. The last is the severity "error".
     */
    private static final String WRONG = "_ws.malformed || _ws.short || ip.checksum.status != 1"
            + " || tcp.checksum.status != 1 || icmp.checksum.status != 1 || icmpv6.checksum.status != 1"
            + " || _ws.expert.severity == 8388608";

    private final Path file;

    Tshark(Path file) {
        this.file = file;
    }

    /** The frames that a display filter lets through, one line of tab-separated fields each. */
    List<String> fields(String filter, String... fields) {
        List<String> arguments = new ArrayList<>(List.of("-Y", filter, "-T", "fields"));
        for (String field : fields) arguments.addAll(List.of("-e", field));
        return run(arguments);
    }

    /** Nothing is malformed or cut, no checksum or CRC is wrong, nothing is marked as an error. */
    void findsNothingWrong() {
        assertThat(wrong()).isEmpty();
        assertThat(crcs()).allMatch(verdict -> verdict.endsWith("(Good CRC32)"));
    }

    /** One readable line for each frame that something is wrong with. */
    List<String> wrong() {
        return run(List.of("-Y", WRONG));
    }

    /** The verdict on the CRC32c of each FPDU; no display filter can ask for it. */
    List<String> crcs() {
        return run(List.of("-Y", "iwarp_mpa.fpdu", "-O", "iwarp_mpa")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("CRC check:"))
                .toList();
    }

    private List<String> run(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(CHECKS);
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s said %s", command, said).isZero();
            return Arrays.stream(said.split("\n"))
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
