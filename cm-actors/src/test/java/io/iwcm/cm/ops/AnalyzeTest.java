package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code iwcm analyze}, on what the demo records, and on files that are no captures. */
class AnalyzeTest {

    private static final String NAMES = """
        schema file connections verdict vlan first last frame epochNs initiator responder address
        port tcp segments repeats mss windowScale octets missingOctets mpa kind revision markers
        crc rejected enhanced ird ord peerToPeer rtr privateData notCaptured fpdus count crcRight
        crcWrong markersWrong byOpcode timeline from times text findings code weight reference
        ending by summary frames tcpSegments cutFrames healthy suspicious failed
        otherTcpConnections skipped linkTypes allHealthy\
        """;

    @TempDir
    static Path directory;

    private static Path accepted = Path.of("");
    private static Path rejected = Path.of("");

    @BeforeAll
    static void record() {
        accepted = directory.resolve("accepted.pcap");
        rejected = directory.resolve("rejected.pcap");
        assertThat(Cli.run("demo", "--once", "--quiet", "--pcap", accepted.toString())
                        .exitCode())
                .isZero();
        assertThat(Cli.run(
                                "demo",
                                "--once",
                                "--quiet",
                                "--reject",
                                "--ipv6",
                                "--vlan",
                                "9",
                                "--pcap",
                                rejected.toString())
                        .exitCode())
                .isZero();
    }

    @Test
    void explainsAHealthyConnectionOfOurOwn() {
        Cli run = Cli.run("analyze", accepted.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("HEALTHY")
                .contains("rev 2, IRD 8, ORD 4, peer-to-peer, RTR write|read,\n")
                .contains("RDMA Read Request, zero-length, ULPDU of 46 octets,\n")
                .contains("agreed      rev 2, peer-to-peer, RTR read, CRC, reads --> up to 4, reads <-- up to 8")
                .contains("iWARP connections: 1 healthy");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void explainsARejectOfOurOwn() {
        Cli run = Cli.run("analyze", rejected.toString());
        assertThat(run.out())
                .contains("FAILED")
                .contains("VLAN 9,")
                .contains("failed      The responder rejected the connection (R set)")
                .contains("iWARP connections: 1 failed");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void fitsIntoAHundredColumnsWithoutColours() {
        for (Path file : List.of(accepted, rejected)) {
            assertThat(Cli.run("analyze", file.toString()).out().lines())
                    .filteredOn(line -> !line.equals(file.toString()))
                    .allMatch(line -> line.length() <= 100 && line.indexOf('\u001b') < 0);
        }
    }

    /** The names that docs/analyze.md promises. */
    @Test
    void writesJsonOfADocumentedForm() throws IOException {
        Cli run = Cli.run("analyze", "--json", rejected.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        Set<String> names = new LinkedHashSet<>();
        Set<String> texts = new LinkedHashSet<>();
        try (JsonParser parser = new JsonFactory().createParser(run.out())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME) names.add(parser.currentName());
                if (token == JsonToken.VALUE_STRING) texts.add(parser.getText());
            }
        }
        assertThat(names).contains(NAMES.split("\\s+"));
        assertThat(texts).contains("failed", "rejected", "RFC 5044 §7.1.2", "request", "reply", "closed");
    }

    @Test
    void tellsWhatItReadBeforeTheFileBreaksOff() throws IOException {
        byte[] whole = Files.readAllBytes(accepted);
        Path file = Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 3));
        Cli run = Cli.run("analyze", file.toString());
        assertThat(run.out()).contains("iWARP connections: 1 healthy");
        assertThat(run.err()).startsWith("iwcm: the capture file ").contains("the file ends inside a record");
        assertThat(run.exitCode()).isEqualTo(2);

        Cli json = Cli.run("analyze", "--json", file.toString());
        assertThat(json.out()).contains("\"error\" : \"the capture file ").contains("\"allHealthy\" : false");
        assertThat(json.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0} octets")
    @ValueSource(ints = {0, 3, 4, 23, 24, 30})
    void refusesAFileThatIsCutInItsHeaders(int length) throws IOException {
        byte[] whole = Files.readAllBytes(accepted);
        Path file = Files.write(directory.resolve("head" + length), Arrays.copyOf(whole, length));
        Cli run = Cli.run("analyze", file.toString());
        assertThat(run.exitCode()).isEqualTo(length == 24 ? 1 : 2); // 24: an empty capture, with nothing healthy in it.
        assertThat(run.err().lines()).hasSize(length == 24 ? 0 : 1);
    }

    @Test
    void refusesWhatIsNoCapture() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "why did my rdma_connect fail?");
        Cli run = Cli.run("analyze", file.toString());
        assertThat(run.err()).contains("neither pcap nor pcapng does");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(Cli.run("analyze", directory.resolve("none").toString()).err())
                .contains("does not exist");
        assertThat(Cli.run("analyze").exitCode()).isEqualTo(2);
        assertThat(Cli.run("analyze", accepted.toString(), "--port", "0").err())
                .contains("--port 0 is out of range: 1..65535 are allowed");
    }

    @Test
    void namesALinkTypeThatIsNotRead() throws IOException {
        ByteBuffer octets = ByteBuffer.allocate(24 + 16 + 4).order(ByteOrder.LITTLE_ENDIAN);
        octets.putInt(0xa1b2c3d4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(0)
                .putInt(0)
                .putInt(65535)
                .putInt(105);
        octets.putInt(1).putInt(0).putInt(4).putInt(4).putInt(7);
        Path file = Files.write(directory.resolve("wlan.pcap"), octets.array());
        Cli run = Cli.run("analyze", file.toString());
        assertThat(run.err()).contains("has only frames of link type [105]; Ethernet (1)");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    /** One connection over two interfaces of a pcapng file: big endian, one counts nanoseconds. */
    @Test
    void readsPcapngOfSeveralInterfaces() throws IOException {
        byte[] pcap = Files.readAllBytes(accepted);
        Path file = Files.write(directory.resolve("two.pcapng"), Pcapng.ofTwoInterfaces(pcap));
        Cli run = Cli.run("analyze", file.toString());
        assertThat(run.out()).contains("1 healthy");
        assertThat(run.out().lines().filter(line -> line.contains(" ms ")).toList())
                .isEqualTo(Cli.run("analyze", accepted.toString())
                        .out()
                        .lines()
                        .filter(line -> line.contains(" ms "))
                        .toList());
    }
}
