package io.iwcm.cm.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.nic.testkit.RequiresCaptures;
import io.iwcm.nic.testkit.RequiresTshark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same connections, MPA frames and FPDUs that Wireshark finds in captures of others, and the verdicts on them. */
@RequiresCaptures
@RequiresTshark
class TsharkAgreesTest {

    private static final int FIELDS = 8;

    @ParameterizedTest(name = "{0}: {1} healthy, {2} suspicious, {3} failed, {4} FPDUs")
    @CsvSource({
        "wireshark-wiki/iwarp_connect/C00_M00, 1, 0, 0, 0",
        "wireshark-wiki/iwarp_connect/C00_M00_reject, 0, 0, 1, 0",
        "wireshark-wiki/iwarp_connect/C11_M00, 1, 0, 0, 0",
        "wireshark-wiki/iwarp_rdma/read, 0, 1, 0, 6",
        "wireshark-wiki/iwarp_rdma/read_write_long_run, 0, 1, 0, 63",
        "wireshark-wiki/iwarp_rdma/write_crc, 0, 1, 0, 4",
        "wireshark-wiki/iwarp_send_recv/snd_recv, 0, 1, 0, 2",
        "wireshark-wiki/iwarp_send_recv/snd_recv_crc_mrkr, 0, 1, 0, 2",
        "wireshark-wiki/iwarp_send_recv/snd_recv_inv, 0, 1, 0, 2",
        "wireshark-wiki/iwarp_send_recv/snd_recv_se, 0, 1, 0, 2",
        "own/kernel-epoll-3conns.pcap, 0, 0, 3, 0",
        "own/osc-iwarp-test_mpa.pcap, 0, 1, 0, 0",
        "own/osc-iwarp-untaggedRTT.pcap, 0, 0, 1, 6",
        "own/siw-guest-initiator-p2p-crc.pcap, 1, 1, 0, 4",
        "own/siw-guest-initiator-p2p.pcap, 2, 1, 1, 7",
        "own/siw-guest-initiator.pcap, 5, 2, 6, 3",
        "own/siw-guest-qinq200.7.pcap, 0, 0, 1, 0",
        "own/siw-guest-responder.pcap, 13, 0, 14, 0",
        "own/siw-guest-vlan100.pcap, 0, 0, 1, 0",
        "own/siw-rdmapd-no-listener.pcap, 0, 0, 0, 0",
        "own/siw-rdmapd-p2p-pd-v4.pcap, 1, 0, 0, 2",
        "own/siw-rdmapd-p2p-pd-v6.pcap, 1, 0, 0, 2",
        "own/siw-rdmapd-reject.pcap, 0, 0, 1, 0",
        "own/siw-rping-p2p-crc.pcap, 1, 0, 0, 22",
        "own/siw-rping-p2p.pcap, 1, 0, 0, 22",
        "own/siw-rping-plain.pcap, 1, 0, 0, 21",
        "own/softuiwarp-read_lat.pcap, 1, 0, 0, 43",
    })
    void findsTheSame(String name, int healthy, int suspicious, int failed, int fpdus) throws Exception {
        Path file = Path.of(System.getProperty("iwcm.captures")).resolve(name);
        List<ConnectionReport> reports = Captured.connections(file);

        Map<String, Long> theirFpdus = new TreeMap<>();
        List<String> theirFrames = new ArrayList<>();
        for (String[] line : tshark(file)) {
            String direction = line[0] + ">" + line[1];
            if (!line[2].isEmpty()) {
                theirFpdus.merge(direction, (long) line[2].split(",").length, Long::sum);
            }
            if (!line[3].isEmpty()) {
                theirFrames.add(direction + " " + String.join(" ", List.of(line).subList(3, FIELDS)));
            }
        }
        assertThat(ourFpdus(reports)).isEqualTo(theirFpdus);
        assertThat(ourFrames(reports)).containsAll(theirFrames);
        assertThat(ourFrames(visible(reports))).containsExactlyInAnyOrderElementsOf(theirFrames);

        assertThat(ourFpdus(reports).values().stream().mapToLong(n -> n).sum()).isEqualTo(fpdus);
        assertThat(verdicts(reports)).containsExactly(healthy, suspicious, failed);
    }

    private static Map<String, Long> ourFpdus(List<ConnectionReport> reports) {
        Map<String, Long> ours = new TreeMap<>();
        for (ConnectionReport report : reports) {
            count(ours, report.initiator(), report.responder());
            count(ours, report.responder(), report.initiator());
        }
        return ours;
    }

    private static void count(Map<String, Long> ours, ConnectionReport.Party from, ConnectionReport.Party to) {
        if (from.fpdus().count() > 0) {
            ours.merge(direction(from, to), from.fpdus().count(), Long::sum);
        }
    }

    private static String direction(ConnectionReport.Party from, ConnectionReport.Party to) {
        return from.endpoint().port() + ">" + to.endpoint().port();
    }

    private static List<String> ourFrames(List<ConnectionReport> reports) {
        List<String> ours = new ArrayList<>();
        for (ConnectionReport report : reports) {
            frame(report.initiator(), report.responder()).ifPresent(ours::add);
            frame(report.responder(), report.initiator()).ifPresent(ours::add);
        }
        return ours;
    }

    /**
     * Without those connections whose request Wireshark does not see: it does not look for a key that is cut, and takes no
     * reply without a request.
     */
    private static List<ConnectionReport> visible(List<ConnectionReport> reports) {
        return reports.stream()
                .filter(report -> report.initiator()
                        .frame()
                        .filter(f -> f.segments() == 1)
                        .isPresent())
                .filter(report -> report.findings().stream().noneMatch(f -> f.why() == Why.REPLY_UNASKED))
                .toList();
    }

    /** Revision, C, M, R and the length of the private data. */
    private static Optional<String> frame(ConnectionReport.Party from, ConnectionReport.Party to) {
        return from.frame()
                .map(ConnectionReport.Frame::octets)
                .filter(octets -> octets.length() >= MpaCodec.HEADER)
                .map(octets -> direction(from, to) + " " + octets.at(17) + " " + (octets.at(16) >> 6 & 1) + " "
                        + (octets.at(16) >> 7) + " " + (octets.at(16) >> 5 & 1) + " " + octets.shortAt(18));
    }

    private static List<Integer> verdicts(List<ConnectionReport> reports) {
        return Stream.of(Verdict.values())
                .map(verdict -> (int) reports.stream()
                        .filter(report -> report.verdict() == verdict)
                        .count())
                .toList();
    }

    private static List<String[]> tshark(Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of("-o", "tcp.try_heuristic_first:TRUE", "-o", "tcp.reassemble_out_of_order:TRUE"));
        command.addAll(List.of("-Y", "iwarp_mpa", "-T", "fields"));
        List<String> fields = List.of(
                "tcp.srcport",
                "tcp.dstport",
                "iwarp_mpa.ulpdulength",
                "iwarp_mpa.rev",
                "iwarp_mpa.crc_flag",
                "iwarp_mpa.marker_flag",
                "iwarp_mpa.rej_flag",
                "iwarp_mpa.pdlength");
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s said %s", command, said).isZero();
        return said.lines().map(line -> line.split("\t", -1)).toList();
    }
}
