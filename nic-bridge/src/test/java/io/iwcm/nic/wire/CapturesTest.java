package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.RequiresCaptures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames that others recorded, from the directory of {@code -Diwcm.captures}: of iWARP peers under {@code own} and
 * {@code wireshark-wiki}, and under {@code robust} what once broke the dissectors of others.
 */
@RequiresCaptures
class CapturesTest {

    private static final Set<Drop> CHECKSUMS =
            EnumSet.of(Drop.IPV4_BAD_CHECKSUM, Drop.TCP_BAD_CHECKSUM, Drop.ICMP_BAD_CHECKSUM);

    static Stream<Named<Path>> all() throws IOException {
        return captures("");
    }

    static Stream<Named<Path>> own() throws IOException {
        return captures("own");
    }

    static Stream<Named<Path>> iwarp() throws IOException {
        return Stream.concat(captures("own"), captures("wireshark-wiki"));
    }

    private static Stream<Named<Path>> captures(String under) throws IOException {
        Path root = Path.of(System.getProperty("iwcm.captures"));
        try (Stream<Path> files = Files.walk(root.resolve(under))) {
            List<Path> captures = files.filter(Files::isRegularFile)
                    .filter(CapturesTest::isCapture)
                    .sorted()
                    .toList();
            return captures.stream().map(file -> Named.of(root.relativize(file).toString(), file));
        }
    }

    private static boolean isCapture(Path file) {
        try {
            return CaptureFile.isCapture(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void everyFrameIsUnderstoodOrDroppedByName(Path file) throws IOException {
        List<CaptureFile.Captured> frames = CaptureFile.read(file).frames();

        assertThat(frames).isNotEmpty();
        for (CaptureFile.Captured captured : frames) {
            for (Origin origin : Origin.values()) {
                Parsed parsed = FrameParser.parse(captured.frame(), origin);
                assertThat(parsed).isNotEqualTo(new Parsed.Dropped(Drop.NONE));
            }
        }
    }

    /** Their checksums are right as the manifest says; some were recorded on a loopback interface. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("own")
    void noFrameWithARightChecksumIsCalledDamaged(Path file) throws IOException {
        for (CaptureFile.Captured captured : CaptureFile.read(file).frames()) {
            if (FrameParser.parse(captured.frame(), Origin.LOOPBACK) instanceof Parsed.Dropped(Drop why)) {
                assertThat(CHECKSUMS).doesNotContain(why);
                // Two tags are the one thing in there that we do not read.
                assertThat(why).isEqualTo(Drop.VLAN_STACKED);
            }
        }
    }

    /** What the peers' stacks sent says the same after we have written it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("iwarp")
    void segmentsOfPeersSurviveARoundTrip(Path file) throws IOException {
        CaptureFile capture = CaptureFile.read(file);
        assertThat(capture.linkType()).isEqualTo(CaptureFile.ETHERNET);
        for (CaptureFile.Captured captured : capture.frames()) {
            if (FrameParser.parse(captured.frame(), Origin.LOOPBACK) instanceof Parsed.Tcp(TcpFrame frame)) {
                byte[] again = FrameEncoder.tcp(frame, 0);
                assertThat(FrameParser.parse(again, Origin.LOOPBACK)).isEqualTo(new Parsed.Tcp(Expect.mirrored(frame)));
            }
        }
    }

    @Test
    void thereIsSomethingToRead() throws IOException {
        assertThat(all().count()).isGreaterThanOrEqualTo(10);
        long segments = 0;
        for (Named<Path> file : own().toList()) {
            segments += CaptureFile.read(file.getPayload()).frames().stream()
                    .filter(captured -> FrameParser.parse(captured.frame(), Origin.LOOPBACK) instanceof Parsed.Tcp)
                    .count();
        }
        assertThat(segments).isGreaterThan(700);
    }
}
