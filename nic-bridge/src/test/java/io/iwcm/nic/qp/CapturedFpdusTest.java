package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.link.PcapReader;
import io.iwcm.nic.testkit.RequiresCaptures;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** FPDUs that others made: hardware and soft-iWARP, with and without CRC and markers. Ours is the second opinion. */
@RequiresCaptures
class CapturedFpdusTest {

    private static final int MPA_HEADER = 20;
    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECTED = 0x20;

    /** How many each of them has, all checked, with nothing left over at the end of a stream. */
    private static final Map<String, Integer> FPDUS = Map.ofEntries(
            Map.entry("read", 6),
            Map.entry("read_write_long_run", 63),
            Map.entry("snd_recv", 2),
            Map.entry("snd_recv_crc_mrkr", 2),
            Map.entry("snd_recv_inv", 2),
            Map.entry("snd_recv_se", 2),
            Map.entry("write_crc", 4),
            Map.entry("siw-guest-initiator-p2p-crc.pcap", 4),
            Map.entry("siw-guest-initiator-p2p.pcap", 7),
            Map.entry("siw-guest-initiator.pcap", 4),
            Map.entry("siw-rdmapd-p2p-pd-v4.pcap", 2),
            Map.entry("siw-rdmapd-p2p-pd-v6.pcap", 2),
            Map.entry("siw-rping-p2p-crc.pcap", 22),
            Map.entry("siw-rping-p2p.pcap", 22),
            Map.entry("siw-rping-plain.pcap", 21),
            Map.entry("softuiwarp-read_lat.pcap", 43));

    private static List<Path> captures() throws IOException {
        Path root = Path.of(System.getProperty("iwcm.captures"));
        List<Path> found = new ArrayList<>();
        for (String under : List.of("own", "wireshark-wiki")) {
            try (Stream<Path> files = Files.walk(root.resolve(under))) {
                files.filter(Files::isRegularFile)
                        // OSC iWARP leaves the CRC field out when CRCs are off; RFC 5044 §4.1 does not.
                        .filter(file -> !file.getFileName().toString().startsWith("osc-"))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }

    @Test
    void everyFpduChecksAndEverySegmentHasItsVersion() throws IOException {
        Map<String, Integer> fpdus = new TreeMap<>();
        for (Path file : captures()) {
            int found = readAll(file);
            if (found > 0) { // Some captures have only start-up frames.
                fpdus.put(file.getFileName().toString(), found);
            }
        }
        assertThat(fpdus).as("FPDUs by capture").isEqualTo(new TreeMap<>(FPDUS));
    }

    private static int readAll(Path file) {
        Map<String, Octets> streams = new LinkedHashMap<>();
        Map<String, Reassembly> waiting = new LinkedHashMap<>();
        Map<String, SeqNum> next = new LinkedHashMap<>();
        for (PcapFrame frame : PcapReader.readAll(file)) {
            tcp(Octets.wrap(frame.octets())).ifPresent(part -> gather(part, streams, waiting, next));
        }
        int fpdus = 0;
        for (Map.Entry<String, Octets> stream : streams.entrySet()) {
            Octets own = stream.getValue();
            Octets other = streams.getOrDefault(reversed(stream.getKey()), Octets.EMPTY);
            if (isMpa(own) && isMpa(other) && ((own.at(16) | other.at(16)) & REJECTED) == 0) {
                boolean markers = (other.at(16) & MARKERS) != 0;
                boolean crc = ((own.at(16) | other.at(16)) & CRC) != 0;
                fpdus += read(file, own.from(MPA_HEADER + own.shortAt(18)), markers, crc);
            }
        }
        return fpdus;
    }

    private static int read(Path file, Octets stream, boolean markers, boolean crc) {
        FpduReader reader = new FpduReader(markers, crc);
        reader.feed(stream);
        int fpdus = 0;
        int[] messages = new int[3];
        int[] offsets = new int[3];
        FpduReader.Found found = reader.next();
        while (found instanceof FpduReader.Fpdu(Octets ulpdu)) {
            fpdus++;
            DdpSegment segment = DdpSegment.of(ulpdu).orElseThrow();
            assertThat(segment.version()).isEqualTo(DdpSegment.VERSION);
            assertThat(segment.opcode()).isLessThanOrEqualTo(DdpSegment.TERMINATE);
            if (!segment.tagged()) {
                int queue = segment.queue();
                assertThat(queue).isBetween(0, 2);
                // By RFC 5041 §4.3 each queue counts for itself; one of those recorded counts all of them together.
                assertThat(segment.msn())
                        .as(file + " queue " + queue)
                        .isIn(messages[queue] + 1, messages[0] + messages[1] + messages[2] + 1);
                assertThat(segment.messageOffset()).as(file + " queue " + queue).isEqualTo(offsets[queue]);
                offsets[queue] =
                        segment.last() ? 0 : offsets[queue] + segment.payload().length();
                messages[queue] += segment.last() ? 1 : 0;
            }
            found = reader.next();
        }
        assertThat(found).as(file + " after " + fpdus + " FPDUs").isEqualTo(FpduReader.Incomplete.INCOMPLETE);
        return fpdus;
    }

    private record Part(String flow, boolean syn, SeqNum seq, Octets payload) {}

    private static void gather(
            Part part, Map<String, Octets> streams, Map<String, Reassembly> waiting, Map<String, SeqNum> next) {
        if (part.syn()) {
            streams.put(part.flow(), Octets.EMPTY);
            waiting.put(part.flow(), new Reassembly(1 << 20));
            next.put(part.flow(), part.seq().plus(1));
        } else if (next.containsKey(part.flow()) && !part.payload().isEmpty()) {
            Reassembly reassembly = waiting.get(part.flow());
            reassembly.keep(part.seq(), part.payload());
            for (Optional<Octets> more = reassembly.take(next.get(part.flow())); more.isPresent(); ) {
                streams.merge(part.flow(), more.get(), Octets::concat);
                next.merge(part.flow(), new SeqNum(more.get().length()), (at, by) -> at.plus(by.value()));
                more = reassembly.take(next.get(part.flow()));
            }
        }
    }

    /** A TCP segment without regard for checksums: some were recorded before the hardware filled them in. */
    private static Optional<Part> tcp(Octets frame) {
        int at = 12;
        while (frame.length() > at + 42 && (frame.shortAt(at) == 0x8100 || frame.shortAt(at) == 0x88a8)) {
            at += 4;
        }
        if (frame.length() < at + 42) {
            return Optional.empty();
        }
        boolean v6 = frame.shortAt(at) == 0x86dd;
        Octets packet = frame.from(at + 2);
        if ((v6 ? packet.at(6) : packet.at(9)) != 6 || (!v6 && frame.shortAt(at) != 0x0800)) {
            return Optional.empty();
        }
        int header = v6 ? 40 : (packet.at(0) & 15) * 4;
        int total = v6 ? 40 + packet.shortAt(4) : packet.shortAt(2);
        Octets segment = packet.slice(header, total - header);
        String from = (v6 ? packet.slice(8, 16) : packet.slice(12, 4)).toHex() + ":" + segment.shortAt(0);
        String to = (v6 ? packet.slice(24, 16) : packet.slice(16, 4)).toHex() + ":" + segment.shortAt(2);
        boolean syn = (segment.at(13) & 2) != 0;
        Octets payload = segment.from((segment.at(12) >>> 4) * 4);
        return Optional.of(new Part(from + " " + to, syn, new SeqNum(segment.intAt(4)), payload));
    }

    private static String reversed(String flow) {
        String[] ends = flow.split(" ", 2);
        return ends[1] + " " + ends[0];
    }

    private static boolean isMpa(Octets stream) {
        return stream.length() >= MPA_HEADER && stream.slice(0, 8).equals(Octets.ofHex("4d50412049442052"));
    }
}
