package io.iwcm.cm.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.wire.SeqNum;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** However a stream is cut, doubled and shuffled, the same frames and FPDUs are in it. */
class StreamsTest {

    private static final int FPDUS = 40;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void findsTheSameHoweverTheStreamIsCut(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean markers = random.nextBoolean();
        boolean crc = random.nextBoolean();
        Tape tape = opened(markers, crc);
        FpduMaker maker = new FpduMaker(markers, crc);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < FPDUS; i++) {
            stream.writeBytes(maker.fpdu(FpduMaker.send(random.nextInt(i % 7 == 0 ? 3000 : 200))));
        }
        scatter(tape, random, stream.toByteArray());
        tape.close();

        ConnectionReport report = tape.report();
        assertThat(report.initiator().fpdus().count()).isEqualTo(FPDUS);
        assertThat(report.initiator().fpdus().crcRight()).isEqualTo(crc ? FPDUS : 0);
        assertThat(report.initiator().fpdus().markersWrong()).isZero();
        assertThat(report.initiator().fpdus().byOpcode()).hasToString("[Kind[name=Send, count=40]]");
        assertThat(report.initiator().tcp().missingOctets()).isZero();
        assertThat(report.findings())
                .extracting(Finding::why)
                .isSubsetOf(Why.MARKERS_ASKED, Why.CRC_ONE_SIDED, Why.RETRANSMISSIONS);
    }

    private static Tape opened(boolean markers, boolean crc) {
        Tape tape = new Tape().open();
        tape.initiator.says(Tape.request("0001 0000", ""));
        tape.responder.says(Tape.reply((markers ? crc ? "c0" : "80" : crc ? "40" : "00") + "01 0000", ""));
        return tape;
    }

    /** Pieces that overlap, come twice and overtake each other; the last acknowledges all. */
    private static void scatter(Tape tape, SplittableRandom random, byte[] stream) {
        SeqNum start = tape.initiator.next();
        List<int[]> pieces = new ArrayList<>();
        for (int at = 0; at < stream.length; ) {
            int length = Math.min(stream.length - at, 1 + random.nextInt(random.nextBoolean() ? 1460 : 30));
            int from = Math.max(0, at - random.nextInt(20));
            pieces.add(new int[] {from, at + length});
            if (random.nextInt(10) == 0) pieces.add(new int[] {from, at + length});
            at += length;
        }
        for (int i = pieces.size() - 1; i > 0; i--) {
            int other = Math.max(0, i - random.nextInt(6));
            int[] piece = pieces.get(i);
            pieces.set(i, pieces.get(other));
            pieces.set(other, piece);
        }
        pieces.forEach(p -> tape.initiator.at(start.plus(p[0]), Arrays.copyOfRange(stream, p[0], p[1])));
        tape.initiator.moveTo(start.plus(stream.length));
        tape.responder.ack();
    }

    @ParameterizedTest(name = "pieces of {0}")
    @CsvSource({"1", "2", "3", "7", "9", "10", "19", "20", "23"})
    void readsMpaFramesInPieces(int size) {
        Tape tape = new Tape().open();
        byte[] request = Tape.request("5002 0008 8004c003", "ping");
        for (int at = 0; at < request.length; at += size) {
            tape.initiator.says(Arrays.copyOfRange(request, at, Math.min(request.length, at + size)));
        }
        tape.responder.says(Tape.reply("7002 0004 80034004", ""));

        ConnectionReport report = tape.report();
        assertThat(report.initiator().frame().orElseThrow().segments()).isEqualTo(Math.ceilDiv(request.length, size));
        assertThat(report.findings()).extracting(Finding::why).containsExactly(Why.REJECTED);
    }

    @Test
    void readsAReplyAndFpdusInOneSegment() {
        Tape tape = new Tape().open();
        tape.initiator.says(Tape.request("4001 0000", ""));
        FpduMaker maker = new FpduMaker(false, true);
        byte[] fpdus = Tape.concat(maker.fpdu(FpduMaker.send(1)), maker.fpdu(FpduMaker.send(2)));
        tape.responder.says(Tape.concat(Tape.reply("4001 0000", ""), fpdus));

        assertThat(tape.report().responder().fpdus().crcRight()).isEqualTo(2);
    }

    /** Frames cut by the snapshot length: lengths are followed, contents are not judged. */
    @Test
    void followsTheStreamWhereFramesAreCut() {
        Tape tape = opened(false, true);
        FpduMaker maker = new FpduMaker(false, true);
        for (int i = 0; i < FPDUS; i++) tape.initiator.says(maker.fpdu(FpduMaker.send(1000 + i)));
        tape.close();
        List<PcapFrame> cut = tape.frames().stream()
                .map(f -> new PcapFrame(
                        f.epochNs(), 1, Arrays.copyOf(f.octets(), Math.min(96, f.octets().length)), f.lengthOctets()))
                .toList();

        ConnectionReport report = Tape.report(cut);
        assertThat(report.initiator().fpdus().count()).isEqualTo(FPDUS);
        assertThat(report.initiator().fpdus().byOpcode()).hasToString("[Kind[name=Send, count=40]]");
        assertThat(report.initiator().fpdus().crcRight()).isZero();
        assertThat(report.verdict()).isEqualTo(Verdict.HEALTHY);
        assertThat(report.findings()).extracting(Finding::why).contains(Why.CUT_FRAMES);
    }

    /** Frames missing from the capture: what comes after them is found again. */
    @Test
    void findsTheStreamAgainBehindAGap() {
        Tape tape = opened(true, true);
        FpduMaker maker = new FpduMaker(true, true);
        for (int i = 0; i < FPDUS; i++) tape.initiator.says(maker.fpdu(FpduMaker.send(300)));
        tape.close();
        int first = 8; // Each FPDU's frame is followed by its ACK.

        ConnectionReport report = Tape.report(tape.without(first + 10, first + 12, first + 30));
        assertThat(report.initiator().fpdus().count()).isEqualTo(FPDUS - 3);
        assertThat(report.initiator().fpdus().crcWrong()).isZero();
        assertThat(report.findings()).extracting(Finding::why).contains(Why.INCOMPLETE);
    }

    @Test
    void keepsConnectionsOfDifferentVlansApart() {
        Tape tape = new Tape().onVlan(7).open();
        Tape other = tape.next(40_001, 4420);
        other.open();

        List<ConnectionReport> reports = new ArrayList<>();
        Analyzer analyzer = Analyzer.ofPort(AnalysisLimits.DEFAULT, 4420, reports::add);
        tape.frames().forEach(analyzer::frame);
        analyzer.finish();
        assertThat(reports).extracting(r -> r.span().vlan()).containsExactly("7", "");
    }

    @Test
    void readsIpv6() {
        Tape tape = Tape.between("fd00::1", "fd00::2").open();
        tape.initiator.says(Tape.request("4001 0000", ""));
        tape.responder.says(Tape.reply("6001 0000", ""));
        assertThat(tape.report().responder().endpoint()).hasToString("[fd00::2]:4420");
    }

    @Test
    void dropsWhatTheReceiverDrops() {
        Tape tape = opened(false, true);
        byte[] fpdu = new FpduMaker(false, true).fpdu(FpduMaker.send(30));
        SeqNum at = tape.initiator.next();
        tape.initiator.at(at, fpdu);
        PcapFrame sent = tape.frames().removeLast();
        byte[] damaged = sent.octets().clone();
        damaged[70] ^= 4;
        tape.frames().add(new PcapFrame(sent.epochNs(), 1, damaged, damaged.length));
        tape.initiator.at(at, fpdu);
        tape.initiator.moveTo(at.plus(fpdu.length));
        tape.responder.ack();

        ConnectionReport report = tape.report();
        assertThat(report.initiator().fpdus().crcRight()).isEqualTo(1);
        assertThat(report.initiator().fpdus().crcWrong()).isZero();
        assertThat(report.findings()).extracting(Finding::why).contains(Why.DAMAGED);
    }
}
