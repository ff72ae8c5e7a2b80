package io.iwcm.nic.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.testkit.RequiresCaptures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapReaderTest {

    private static final String LITTLE_NS = "4d3cb2a1 02000400 00000000 00000000 00000400 01000000";
    private static final String BIG_US = "a1b2c3d4 00020004 00000000 00000000 00040000 00000001";

    /** Section, interface (nanoseconds), enhanced packet, unknown block, simple packet. */
    private static final String BLOCKS = "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
            + "01000000 20000000 01000000 00000400 09000100 09000000 00000000 20000000"
            + "06000000 24000000 00000000 00000000 01000000 03000000 04000000 aabbcc00 24000000"
            + "0a000000 10000000 00000000 10000000"
            + "03000000 14000000 04000000 01020304 14000000";

    @ParameterizedTest
    @CsvSource({
        "a1b2c3d4 0002 0004 0000000000000000 00040000 00000001 00000002 00000003 00000002 00000005 aabb, 2000003000",
        "a1b23c4d 0002 0004 0000000000000000 00040000 00000001 00000002 00000003 00000002 00000005 aabb, 2000000003",
        "d4c3b2a1 0200 0400 0000000000000000 00000400 01000000 02000000 03000000 02000000 05000000 aabb, 2000003000",
        "4d3cb2a1 0200 0400 0000000000000000 00000400 01000000 02000000 03000000 02000000 05000000 aabb, 2000000003",
        "4d3cb2a1 0200 0400 0000000000000000 00000400 01000014 ffffffff ffc99a3b 02000000 05000000 aabb, "
                + "4294967295999999999"
    })
    void readsBothByteOrdersAndBothUnits(String hex, long epochNs) {
        PcapFrame frame = read(hex).getFirst();
        assertThat(frame.epochNs()).isEqualTo(epochNs);
        assertThat(frame.linkType()).isEqualTo(1);
        assertThat(frame.octets()).containsExactly(0xaa, 0xbb);
        assertThat(frame.lengthOctets()).isEqualTo(5);
        assertThat(frame.truncated()).isTrue();
    }

    @Test
    void readsTheBlocksOfPcapng() {
        List<PcapFrame> frames = read(BLOCKS);
        assertThat(frames).extracting(PcapFrame::epochNs).containsExactly(1L, 0L);
        assertThat(frames).extracting(PcapFrame::lengthOctets).containsExactly(4, 4);
        assertThat(frames.get(0).octets()).containsExactly(0xaa, 0xbb, 0xcc);
        assertThat(frames.get(1).octets()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void readsBigEndianSectionsAfterLittleEndianOnes() {
        String big = "0a0d0d0a 0000001c 1a2b3c4d 00010000 ffffffffffffffff 0000001c"
                + "00000001 00000014 00710000 00000000 00000014"
                + "00000006 00000020 00000000 00000001 00000000 00000000 00000007 00000020";
        List<PcapFrame> frames = read(BLOCKS + big);
        assertThat(frames).hasSize(3);
        assertThat(frames.getLast().epochNs()).isEqualTo((1L << 32) * 1000); // Microseconds by default.
        assertThat(frames.getLast().linkType()).isEqualTo(0x71);
        assertThat(frames.getLast().lengthOctets()).isEqualTo(7);
    }

    @Test
    void readsTimeInPowersOfTwo() {
        String halves = BLOCKS.replace("09000100 09000000", "09000100 81000000");
        assertThat(read(halves).getFirst().epochNs()).isEqualTo(500_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                                      | octet 0: it is empty",
                "a1b2                                                  | octet 0: the file ends inside the file's"
                        + " magic",
                "7f454c46                                              | octet 4: it begins with 7f454c46, and neither",
                "a1b2c3d4 0002                                         | octet 4: the file ends inside the file header",
                "a1b2c3d4 00030004 0000000000000000 00040000 00000001 | its version is 3, and only 2 is known",
                BIG_US
                        + "0000                                         | octet 24: the file ends inside a record"
                        + " header",
                BIG_US + "00000000 00000000 00000002 00000002 aa       | octet 40: the file ends inside a record",
                BIG_US + "00000000 00000000 00000002 00000002          | octet 40: the file ends inside a record",
                BIG_US
                        + "00000000 00000000 ffffffff ffffffff          | claims 4294967295 octets, and at most"
                        + " 16777216",
                BIG_US + "00000000 00000000 00000002 00000001 aabb     | keeps 2 octets of a frame of 1",
                "0a0d0d0a 1c000000 00000000                            | no byte-order magic",
                "0a0d0d0a 08000000 4d3c2b1a                            | a block claims 8 octets, and a multiple of 4",
                "0a0d0d0a 1c000000 4d3c2b1a 02000000 ffffffffffffffff 1c000000 | a section's version is 2",
                "0a0d0d0a 10000000 4d3c2b1a 10000000                   | a section header has 0 octets, and needs 12",
                "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1d000000 | two lengths differ",
                BLOCKS + "06000000 24000000 01000000 00000000 01000000 03000000 04000000 aabbcc00 24000000 "
                        + "| a packet names interface 1 of 1",
                BLOCKS + "06000000 24000000 00000000 00000000 01000000 05000000 05000000 aabbcc00 24000000 "
                        + "| a packet claims 5 octets",
                BLOCKS + "03000000 14000000 05000000 01020304 14000000 | a simple packet claims 5 octets",
                BLOCKS + "01000000 18000000 01000000 00000000 02000800 18000000 | option reaches past its block",
                BLOCKS + "01000000 1c000000 01000000 00000000 09000100 7f000000 1c000000 | finer than anything",
            })
    void saysWhereAndHowAFileIsMalformed(String hex, String sentence) {
        assertThatThrownBy(() -> read(hex == null ? "" : hex))
                .isInstanceOf(LinkException.class)
                .hasMessageStartingWith("the capture file test is malformed at octet ")
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {LITTLE_NS + "02000000 03000000 02000000 05000000 aabb", BLOCKS})
    void endsEveryPrefixInAFrameCountOrASentence(String hex) {
        byte[] whole = octets(hex);
        int frames = 0;
        for (int length = 0; length <= whole.length; length++) {
            int now = framesOrSentence(Arrays.copyOf(whole, length));
            assertThat(now).isGreaterThanOrEqualTo(frames);
            frames = now;
        }
        assertThat(frames).isEqualTo(read(hex).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {LITTLE_NS + "02000000 03000000 02000000 05000000 aabb", BLOCKS})
    void throwsNothingButSentencesAtSpoiledFiles(String hex) {
        SplittableRandom random = new SplittableRandom(11);
        byte[] whole = octets(hex);
        int malformed = 0;
        for (int round = 0; round < 5000; round++) {
            byte[] spoiled = whole.clone();
            for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
                spoiled[random.nextInt(spoiled.length)] = (byte) random.nextInt();
            }
            malformed += framesOrSentence(spoiled) < read(hex).size() ? 1 : 0;
        }
        assertThat(malformed).isBetween(100, 4999);
    }

    @Test
    void saysWhichFileIsMissing() {
        assertThatThrownBy(() -> PcapReader.open(Path.of("no-such.pcap")))
                .isInstanceOf(LinkException.class)
                .hasMessage("the capture file no-such.pcap does not exist");
    }

    @Test
    @RequiresCaptures
    void readsOrRefusesEveryRealCapture() throws IOException {
        List<Path> files;
        try (var walk = Files.walk(Path.of(System.getProperty("iwcm.captures")))) {
            files = walk.filter(file -> file.toString().matches(".*\\.(pcap|pcapng|cap)"))
                    .toList();
        }
        long frames = 0;
        for (Path file : files) {
            frames += framesOrSentence(Files.readAllBytes(file));
        }
        assertThat(files).isNotEmpty();
        assertThat(frames).isGreaterThan(files.size());
    }

    /** How many frames come before the end or the sentence that says what is wrong. */
    private static int framesOrSentence(byte[] file) {
        int frames = 0;
        try (PcapReader reader = PcapReader.from(new ByteArrayInputStream(file), "test")) {
            while (reader.next().isPresent()) {
                frames++;
            }
        } catch (LinkException e) {
            assertThat(e).hasMessageStartingWith("the capture file test is malformed at octet ");
        }
        return frames;
    }

    private static List<PcapFrame> read(String hex) {
        List<PcapFrame> frames = new ArrayList<>();
        try (PcapReader reader = PcapReader.from(new ByteArrayInputStream(octets(hex)), "test")) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                frames.add(next.get());
            }
        }
        return frames;
    }

    private static byte[] octets(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }
}
