package io.iwcm.cm.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.testkit.RequiresCaptures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing throws on junk, and nothing grows with the capture. */
class BoundsTest {

    private static final AnalysisLimits SMALL =
            new AnalysisLimits(50, 4096, 16_384, 20, 10, 40, Duration.ofSeconds(5), Duration.ofHours(2));

    private final List<ConnectionReport> reports = new ArrayList<>();

    /** A long capture of connections that open and close, refused ones, silent ones, and streams full of gaps. */
    @Test
    void keepsNoMoreThanItsLimitsOver200_000Frames() {
        long[] found = new long[1];
        Analyzer analyzer = Analyzer.of(SMALL, report -> found[0]++);
        SplittableRandom random = new SplittableRandom(7);
        Tape tape = new Tape();
        long frames = 0;
        int watched = 0;
        long waiting = 0;
        for (int round = 0; frames < 200_000; round++) {
            tape = tape.next(1024 + round % 60_000, 4420 + round % 50);
            connection(tape, random, round % 4);
            for (PcapFrame frame : tape.frames()) {
                analyzer.frame(frame);
                watched = Math.max(watched, analyzer.watched());
                waiting = Math.max(waiting, analyzer.waitingOctets());
            }
            frames += tape.frames().size();
            tape.frames().clear();
        }
        assertThat(watched).isBetween(SMALL.connectionsMax(), 2 * SMALL.connectionsMax());
        assertThat(waiting).isBetween(SMALL.octetsMax() / 2, SMALL.octetsMax());

        CaptureSummary summary = analyzer.finish();
        assertThat(summary.frames()).isEqualTo(frames);
        assertThat(summary.connections()).isEqualTo(found[0]).isGreaterThan(5000);
        assertThat(analyzer.watched()).isZero();
        assertThat(analyzer.waitingOctets()).isZero();
    }

    private static void connection(Tape tape, SplittableRandom random, int kind) {
        if (kind == 0) { // Silent.
            tape.initiator.syn();
            return;
        }
        tape.open();
        tape.initiator.says(Tape.request("4001 0000", ""));
        FpduMaker maker = new FpduMaker(false, true);
        if (kind == 1) { // Behind a gap that never closes, and never acknowledged.
            tape.initiator.moveTo(tape.initiator.next().plus(100));
            for (int i = 0; i < 10; i++) tape.initiator.tells(new byte[1 + random.nextInt(1400)]);
            return;
        }
        tape.responder.says(Tape.reply("4001 0000", ""));
        for (int i = 0; i < 5; i++) tape.initiator.says(maker.fpdu(FpduMaker.send(random.nextInt(1000))));
        if (kind == 2) tape.close();
    }

    @Test
    @Tag("FC-77")
    void readsARequestCutAtEveryOctet() {
        byte[] request = Tape.request("5002 0008 8004c003", "ping");
        for (int length = 0; length <= request.length; length++) {
            Tape tape = new Tape().open();
            tape.initiator.says(Arrays.copyOf(request, length));
            tape.responder.fin();
            assertThat(tape.report().verdict()).as("cut at %s", length).isEqualTo(Verdict.FAILED);
        }
    }

    @Test
    @Tag("FC-77")
    void survivesImpossibleLengthsAndMarkers() {
        for (String ulpdu :
                List.of("0000 00000000 00000000", "0001 41 00 00000000", "ffff 4143", "0004 c140 0000 0000")) {
            for (boolean markers : new boolean[] {false, true}) {
                Tape tape = new Tape().open();
                tape.initiator.says(Tape.request("4001 0000", ""));
                tape.responder.says(Tape.reply(markers ? "c001 0000" : "4001 0000", ""));
                tape.initiator.says(Tape.concat(markers ? Tape.hex("0000fffc") : new byte[0], Tape.hex(ulpdu)));
                tape.close();
                assertThat(tape.report().verdict()).isNotEqualTo(Verdict.HEALTHY);
            }
        }
    }

    @Test
    void survivesFlippedBitsInEveryFrame() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 3000; round++) {
            Tape tape = new Tape();
            connection(tape, random, 2);
            analyze(damaged(tape.frames(), random));
        }
        assertThat(reports).hasSizeGreaterThan(1000);
    }

    @Test
    void survivesRandomOctets() {
        SplittableRandom random = new SplittableRandom(13);
        Analyzer analyzer = Analyzer.ofPort(SMALL, 4420, reports::add);
        int[] types = {0, 1, 101, 108, 113, 228, 229, 276, 105};
        for (int i = 0; i < 20_000; i++) {
            byte[] octets = new byte[random.nextInt(120)];
            random.nextBytes(octets);
            if (octets.length > 24 && random.nextBoolean()) {
                octets[12] = 8;
                octets[13] = 0;
                octets[14] = 0x45;
                octets[23] = 6;
            }
            analyzer.frame(new PcapFrame(i, types[i % types.length], octets, octets.length + random.nextInt(3) * 50));
        }
        assertThat(analyzer.finish().frames()).isEqualTo(20_000);
    }

    @Test
    @RequiresCaptures
    void survivesEveryCaptureDamaged() throws IOException {
        SplittableRandom random = new SplittableRandom(17);
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty("iwcm.captures")))) {
            List<Path> captures = files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".tsv"))
                    .sorted()
                    .toList();
            assertThat(captures).hasSizeGreaterThan(20);
            captures.forEach(file -> damagedFile(file, random));
        }
    }

    private void damagedFile(Path file, SplittableRandom random) {
        try {
            byte[] whole = Files.readAllBytes(file);
            for (int round = 0; round < 20; round++) {
                byte[] octets = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
                for (int flips = random.nextInt(6); flips > 0 && octets.length > 0; flips--) {
                    octets[random.nextInt(octets.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Captured.analyze(octets, reports::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void analyze(List<PcapFrame> frames) {
        Analyzer analyzer = Analyzer.ofPort(SMALL, 4420, reports::add);
        frames.forEach(analyzer::frame);
        analyzer.finish();
    }

    private static List<PcapFrame> damaged(List<PcapFrame> frames, SplittableRandom random) {
        return frames.stream()
                .map(frame -> {
                    byte[] octets = frame.octets().clone();
                    if (random.nextInt(3) == 0) {
                        octets[random.nextInt(octets.length)] ^= (byte) (1 << random.nextInt(8));
                    }
                    int kept = random.nextInt(4) == 0 ? random.nextInt(octets.length) : octets.length;
                    return new PcapFrame(frame.epochNs(), 1, Arrays.copyOf(octets, kept), octets.length);
                })
                .toList();
    }
}
