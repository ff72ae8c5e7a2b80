package io.iwcm.cm.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.Decoded.Complete;
import io.iwcm.cm.mpa.Decoded.Malformed;
import io.iwcm.cm.mpa.Decoded.NeedMore;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.link.PcapReader;
import io.iwcm.nic.testkit.RequiresCaptures;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Origin;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Start-up frames that other implementations sent, each decoded out of its TCP stream and written back the same. */
@RequiresCaptures
class MpaCapturesTest {

    private static final Octets KEY_BEGINNING = Octets.ofHex("4d504120 49442052 65");

    /** Of the soft-iWARP guests, the one that answers and the one that asks were also fed bad frames. */
    @ParameterizedTest(name = "{0}: {1} requests, {2} replies, faults {3}")
    @CsvSource({
        "wireshark-wiki/iwarp_connect/C00_M00, 1, 1, {}",
        "wireshark-wiki/iwarp_connect/C00_M00_reject, 1, 0, {}",
        "wireshark-wiki/iwarp_connect/C11_M00, 1, 1, {}",
        "wireshark-wiki/iwarp_rdma/read, 1, 1, {}",
        "wireshark-wiki/iwarp_rdma/read_write_long_run, 1, 1, {}",
        "wireshark-wiki/iwarp_rdma/write_crc, 1, 1, {}",
        "wireshark-wiki/iwarp_send_recv/snd_recv, 1, 1, {}",
        "wireshark-wiki/iwarp_send_recv/snd_recv_crc_mrkr, 1, 1, {}",
        "wireshark-wiki/iwarp_send_recv/snd_recv_inv, 1, 1, {}",
        "wireshark-wiki/iwarp_send_recv/snd_recv_se, 1, 1, {}",
        "own/kernel-epoll-3conns.pcap, 3, 3, {}",
        "own/osc-iwarp-test_mpa.pcap, 1, 1, {}",
        "own/osc-iwarp-untaggedRTT.pcap, 1, 1, {}",
        "own/siw-guest-initiator-p2p-crc.pcap, 2, 2, {}",
        "own/siw-guest-initiator-p2p.pcap, 4, 4, {}",
        "own/siw-guest-initiator.pcap, 14, 10, {UNKNOWN_REVISION=1}",
        "own/siw-guest-responder.pcap, 22, 21, '{CUT_SHORT=1, MISSING_READ_DEPTHS=4, UNKNOWN_REVISION=1}'",
        "own/siw-guest-vlan100.pcap, 1, 1, {}",
        "own/siw-rdmapd-p2p-pd-v4.pcap, 1, 1, {}",
        "own/siw-rdmapd-p2p-pd-v6.pcap, 1, 1, {}",
        "own/siw-rdmapd-reject.pcap, 1, 1, {}",
        "own/siw-rping-p2p-crc.pcap, 1, 1, {}",
        "own/siw-rping-p2p.pcap, 1, 1, {}",
        "own/siw-rping-plain.pcap, 1, 1, {}",
        "own/softuiwarp-read_lat.pcap, 1, 1, {}",
    })
    void decodesAndWritesBackEveryFrame(String file, int requests, int replies, String faults) {
        Map<Kind, Integer> complete = new TreeMap<>(Map.of(Kind.REQUEST, 0, Kind.REPLY, 0));
        Map<String, Integer> others = new TreeMap<>();
        for (Octets head : heads(Path.of(System.getProperty("iwcm.captures")).resolve(file))) {
            Kind kind = head.length() > 9 && head.at(9) == 'p' ? Kind.REPLY : Kind.REQUEST;
            switch (MpaCodec.decode(head, kind)) {
                case Complete(MpaFrame frame, int length) -> {
                    assertThat(MpaCodec.encode(frame)).isEqualTo(head.slice(0, length));
                    complete.merge(kind, 1, Integer::sum);
                }
                case Malformed(Decoded.Fault fault) -> others.merge(fault.name(), 1, Integer::sum);
                case NeedMore _ -> others.merge("CUT_SHORT", 1, Integer::sum);
            }
        }
        assertThat(others).hasToString(faults);
        assertThat(complete).isEqualTo(Map.of(Kind.REQUEST, requests, Kind.REPLY, replies));
    }

    /** The beginning of every TCP stream in the file that begins like an MPA frame. */
    private static List<Octets> heads(Path file) {
        Map<FlowKey, SeqNum> next = new LinkedHashMap<>();
        Map<FlowKey, Octets> streams = new LinkedHashMap<>();
        List<Octets> ended = new ArrayList<>();
        for (PcapFrame frame : PcapReader.readAll(file)) {
            if (!(FrameParser.parse(frame.octets(), Origin.LOOPBACK) instanceof Parsed.Tcp(var tcp))) {
                continue;
            }
            FlowKey flow = tcp.addressing().flow();
            Segment segment = tcp.segment();
            if (segment.syn()) {
                next.put(flow, segment.seq().plus(1));
                Octets before = streams.put(flow, Octets.EMPTY);
                ended.add(before == null ? Octets.EMPTY : before);
            } else if (segment.seq().equals(next.get(flow))) {
                next.put(flow, segment.end());
                streams.merge(flow, segment.payload(), Octets::concat);
            }
        }
        ended.addAll(streams.values());
        int known = KEY_BEGINNING.length();
        return ended.stream()
                .filter(head -> !head.isEmpty())
                .filter(head -> KEY_BEGINNING
                        .slice(0, Math.min(known, head.length()))
                        .equals(head.slice(0, Math.min(known, head.length()))))
                .toList();
    }
}
