package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.hex;
import static io.iwcm.nic.wire.RawFrames.tcpV4;
import static io.iwcm.nic.wire.RawFrames.tcpV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options come in multiples of four octets; shorter ones below are filled with zeros, which end the list. */
class TcpOptionsTest {

    private static final int SYN_ACK = Segment.SYN | Segment.ACK;

    @ParameterizedTest
    @CsvSource({
        "'', -1, -1",
        "020405b4, 1460, -1",
        "01 020405b4, 1460, -1",
        "030307, -1, 7",
        "0303ff, -1, 255",
        "020405b4 0101 0402 01 030307, 1460, 7",
        "0402 080a0000000100000000 01 030307 0204 05a0, 1440, 7",
        "fe04beef 020405b4, 1460, -1",
        "1e0c00010203040506070809 020405b4, 1460, -1",
        "020405b4 02040200, 512, -1",
        "00, -1, -1",
        "020405b4 00 ffffff, 1460, -1",
        "01010100 020405b4, -1, -1"
    })
    void readsWhatItActsOnAndSkipsTheRestByLength(String options, int mss, int windowScale) {
        assertThat(parse(options)).isEqualTo(new TcpOptions(mss, windowScale, false));
    }

    @DisplayName("FC-19: options that would loop for ever or run over end the walk; what stood before is kept")
    @ParameterizedTest
    @CsvSource({
        "fe00, -1, -1",
        "0200, -1, -1",
        "0301, -1, -1",
        "08ff, -1, -1",
        "020405b4 fe00, 1460, -1",
        "fe01 020405b4, -1, -1",
        "020405b4 0801 030307, 1460, -1",
        "020405b4 0301, 1460, -1",
        "020405b4 01030307 08ff, 1460, 7",
        "020405b4 0101 0205, 1460, -1",
        "020405b4 fe000303, 1460, -1",
        "0101 0203 0500, -1, -1",
        "0205 05b400 0000, -1, -1",
        "0302 0000, -1, -1",
        "0304 0700, -1, -1",
        "01010102, -1, -1",
        "010101fe, -1, -1",
        "020405b4 010101 03, 1460, -1",
        "0101 0204, -1, -1",
        "01 020405, -1, -1"
    })
    void malformedOptionsKeepWhatStoodBefore(String options, int mss, int windowScale) {
        assertThat(parse(options)).isEqualTo(new TcpOptions(mss, windowScale, true));
    }

    @DisplayName("FC-45: we offer no timestamps, so theirs mean nothing, and nothing is missed where they are missing")
    @Test
    void timestampsAreNeitherNeededNorMissed() {
        byte[] stamps = hex("0101 080a 00000001 00000000");
        byte[] data = {1, 2, 3};
        var syn = (Parsed.Tcp) FrameParser.parse(tcpV4(Segment.SYN, stamps, new byte[0]));
        var stamped = (Parsed.Tcp) FrameParser.parse(tcpV4(Segment.ACK, stamps, data));
        var bare = (Parsed.Tcp) FrameParser.parse(tcpV4(Segment.ACK, new byte[0], data));

        assertThat(syn.frame().segment().options()).isEqualTo(TcpOptions.NONE);
        assertThat(bare.frame().segment()).isEqualTo(stamped.frame().segment());
        assertThat(bare.frame().segment().payload()).isEqualTo(Octets.wrap(data));
    }

    @DisplayName("FC-19: whatever 40 octets of options say, the walk ends")
    @ParameterizedTest
    @ValueSource(longs = {19, 20, 21})
    void randomOptionsEnd(long seed) {
        var random = new SplittableRandom(seed);
        int malformed = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] options = new byte[40];
            random.nextBytes(options);
            // Small kinds and lengths reach further than random ones.
            for (int at = 0; at < options.length; at++) {
                options[at] = random.nextInt(3) == 0 ? options[at] : (byte) random.nextInt(9);
            }
            TcpOptions parsed = Expect.options(tcpV4(SYN_ACK, options, new byte[0]));
            assertThat(parsed.mss()).isBetween(TcpOptions.ABSENT, 0xffff);
            assertThat(parsed.windowScale()).isBetween(TcpOptions.ABSENT, 0xff);
            malformed += parsed.malformed() ? 1 : 0;
        }
        assertThat(malformed).isBetween(1000, 4999);
    }

    @Test
    void fortyNopsAreFortySteps() {
        assertThat(parse("01".repeat(40))).isEqualTo(TcpOptions.NONE);
        assertThat(parse("01".repeat(36) + "020405b4")).isEqualTo(new TcpOptions(1460, -1, false));
        assertThat(parse("01".repeat(39) + "02")).isEqualTo(new TcpOptions(-1, -1, true));
    }

    @DisplayName("FC-79 (parse part): MSS absent, 0, 1 and 65535, over IPv4 and IPv6")
    @ParameterizedTest
    @CsvSource({"'', -1, false", "02040000, 0, false", "02040001, 1, true", "0204ffff, 65535, true"})
    void anyMssIsReadAndZeroCountsAsAbsent(String options, int mss, boolean present) {
        byte[] octets = hex(options);
        for (byte[] frame :
                new byte[][] {tcpV4(Segment.SYN, octets, new byte[0]), tcpV6(Segment.SYN, octets, new byte[0])}) {
            TcpOptions parsed = Expect.options(frame);

            assertThat(parsed.mss()).isEqualTo(mss);
            assertThat(parsed.hasMss()).isEqualTo(present);
            assertThat(parsed.malformed()).isFalse();
        }
    }

    /** The same over IPv4 on a SYN, a SYN-ACK and over IPv6, so that all three are asked. */
    private static TcpOptions parse(String text) {
        byte[] given = hex(text);
        byte[] options = java.util.Arrays.copyOf(given, (given.length + 3) / 4 * 4);
        byte[] v4 = tcpV4(Segment.SYN, options, new byte[0]);
        TcpOptions parsed = Expect.options(v4);
        assertThat(Expect.options(tcpV4(SYN_ACK, options, hex("41")))).isEqualTo(parsed);
        assertThat(Expect.options(tcpV6(Segment.SYN, options, new byte[0]))).isEqualTo(parsed);
        return parsed;
    }
}
