package io.iwcm.cm.analyze;

import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** A capture written by hand: two ends, each with the sequence numbers that TCP would use. A frame a millisecond. */
final class Tape {

    static final int MSS = 1460;
    private static final String REQUEST = "4d504120494420526571204672616d65";
    private static final String REPLY = "4d504120494420526570204672616d65";
    private static final long START_NS = 1_700_000_000_000_000_000L;

    private final List<PcapFrame> frames;
    final End initiator;
    final End responder;
    private int vlan;
    private long nowNs;

    Tape() {
        this(new ArrayList<>(), START_NS, "10.0.0.1", 40_001, "10.0.0.2", 4420);
    }

    private Tape(List<PcapFrame> frames, long nowNs, String from, int fromPort, String to, int toPort) {
        this.frames = frames;
        this.nowNs = nowNs;
        initiator = new End(new Endpoint(IpAddress.parse(from), fromPort), new SeqNum(0xffff_ff00));
        responder = new End(new Endpoint(IpAddress.parse(to), toPort), new SeqNum(7000));
        initiator.other = responder;
        responder.other = initiator;
    }

    static Tape between(String from, String to) {
        return new Tape(new ArrayList<>(), START_NS, from, 40_001, to, 4420);
    }

    /** The same capture goes on with another connection. */
    Tape next(int fromPort, int toPort) {
        return new Tape(
                frames,
                nowNs,
                initiator.endpoint.address().toString(),
                fromPort,
                responder.endpoint.address().toString(),
                toPort);
    }

    Tape onVlan(int id) {
        vlan = id;
        return this;
    }

    Tape later(long ms) {
        nowNs += ms * 1_000_000;
        return this;
    }

    /** SYN, SYN-ACK, ACK. */
    Tape open() {
        initiator.syn();
        responder.synAck();
        initiator.ack();
        return this;
    }

    Tape close() {
        initiator.fin();
        responder.fin();
        initiator.ack();
        return this;
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** @param header flags, revision and length, and what follows, in hex */
    static byte[] request(String header, String privateData) {
        return concat(hex(REQUEST + header), privateData.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] reply(String header, String privateData) {
        return concat(hex(REPLY + header), privateData.getBytes(StandardCharsets.US_ASCII));
    }

    List<PcapFrame> frames() {
        return frames;
    }

    /** The frames, without those at the given places, counted from 1. */
    List<PcapFrame> without(int... places) {
        List<PcapFrame> kept = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            int place = i + 1;
            if (Arrays.stream(places).noneMatch(p -> p == place)) {
                kept.add(frames.get(i));
            }
        }
        return kept;
    }

    List<ConnectionReport> reports() {
        return reports(frames);
    }

    static List<ConnectionReport> reports(List<PcapFrame> frames) {
        List<ConnectionReport> reports = new ArrayList<>();
        Analyzer analyzer = Analyzer.of(AnalysisLimits.DEFAULT, reports::add);
        frames.forEach(analyzer::frame);
        analyzer.finish();
        return reports;
    }

    /** The one connection, as it is with its port asked for. */
    ConnectionReport report() {
        return report(frames);
    }

    static ConnectionReport report(List<PcapFrame> frames) {
        List<ConnectionReport> reports = new ArrayList<>();
        Analyzer analyzer = Analyzer.ofPort(AnalysisLimits.DEFAULT, 4420, reports::add);
        frames.forEach(analyzer::frame);
        analyzer.finish();
        if (reports.size() != 1) {
            throw new AssertionError(reports.size() + " connections instead of one: " + reports);
        }
        return reports.getFirst();
    }

    /** One end of the connection. */
    final class End {

        private final Endpoint endpoint;
        private SeqNum next;
        private End other;
        private int mss = MSS;

        private End(Endpoint endpoint, SeqNum first) {
            this.endpoint = endpoint;
            this.next = first;
        }

        SeqNum next() {
            return next;
        }

        End mss(int octets) {
            mss = octets;
            return this;
        }

        void syn() {
            frame(next, Segment.SYN, TcpOptions.ofSyn(mss, 7), new byte[0]);
            next = next.plus(1);
        }

        void synAgain() {
            frame(next.plus(-1), Segment.SYN, TcpOptions.ofSyn(mss, 7), new byte[0]);
        }

        void synAck() {
            frame(next, Segment.SYN | Segment.ACK, TcpOptions.ofSyn(mss, 7), new byte[0]);
            next = next.plus(1);
        }

        void ack() {
            frame(next, Segment.ACK, TcpOptions.NONE, new byte[0]);
        }

        /** Data, and the other end's ACK. */
        void says(byte[] octets) {
            tells(octets);
            other.ack();
        }

        /** Data that nobody acknowledges yet. */
        void tells(byte[] octets) {
            frame(next, Segment.ACK | Segment.PSH, TcpOptions.NONE, octets);
            next = next.plus(octets.length);
        }

        /** Data at a place of its own; the numbers do not move on. */
        void at(SeqNum seq, byte[] octets) {
            frame(seq, Segment.ACK | Segment.PSH, TcpOptions.NONE, octets);
        }

        void moveTo(SeqNum seq) {
            next = seq;
        }

        void fin() {
            frame(next, Segment.FIN | Segment.ACK, TcpOptions.NONE, new byte[0]);
            next = next.plus(1);
        }

        void rst() {
            frame(next, Segment.RST | Segment.ACK, TcpOptions.NONE, new byte[0]);
        }

        private void frame(SeqNum seq, int flags, TcpOptions options, byte[] payload) {
            boolean first = (flags & Segment.ACK) == 0;
            Segment segment = new Segment(
                    seq, first ? new SeqNum(0) : other.next, flags, 0xffff, options, Octets.copyOf(payload));
            var addressing = new TcpFrame.Addressing(
                    new MacAddress(0x0200_0000_0001L),
                    new MacAddress(0x0200_0000_0002L),
                    new FlowKey(endpoint, other.endpoint, vlan),
                    0,
                    0);
            byte[] octets = FrameEncoder.tcp(new TcpFrame(addressing, segment), frames.size());
            byte[] padded = Arrays.copyOf(octets, Math.max(60, octets.length));
            frames.add(new PcapFrame(nowNs, 1, padded, padded.length));
            nowNs += 1_000_000;
        }
    }
}
