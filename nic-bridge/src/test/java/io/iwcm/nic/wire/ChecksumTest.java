package io.iwcm.nic.wire;

import static io.iwcm.nic.wire.RawFrames.hex;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksumTest {

    /** The numerical example of RFC 1071 §3: the words sum to ddf2. */
    @Test
    void sumsTheExampleOfRfc1071() {
        byte[] octets = hex("0001 f203 f4f5 f6f7");

        assertThat(Checksum.ofSum(Checksum.sum(octets, 0, 8))).isEqualTo(0xffff - 0xddf2);
    }

    @ParameterizedTest
    @CsvSource({
        "'', ffff",
        "00, ffff",
        "01, feff",
        "ff, 00ff",
        "0001, fffe",
        "ffff, 0000",
        "ffffffff, 0000",
        "ffff0001, fffe",
        "010203, fbfd",
        "45000073000040004011 0000 c0a80001c0a800c7, b861"
    })
    void isTheComplementOfTheFoldedSum(String octets, String checksum) {
        byte[] bytes = hex(octets);

        assertThat(Checksum.ofSum(Checksum.sum(bytes, 0, bytes.length))).isEqualTo(Integer.parseInt(checksum, 16));
    }

    @Test
    void agreesWithTheSlowSumForEveryLengthAndOffset() {
        var random = new SplittableRandom(1071);
        byte[] bytes = new byte[200];
        random.nextBytes(bytes);
        for (int at = 0; at < 16; at++) {
            for (int length = 0; length <= 180; length++) {
                assertThat(Checksum.ofSum(Checksum.sum(bytes, at, length)))
                        .as("%s octets at %s", length, at)
                        .isEqualTo(RawFrames.checksum(RawFrames.cut(bytes, at, at + length)));
            }
        }
    }

    /** The most carries there can be in one packet. */
    @Test
    void losesNoCarryInTheLargestPacket() {
        byte[] ones = new byte[65_535];
        java.util.Arrays.fill(ones, (byte) 0xff);

        assertThat(Checksum.ofSum(Checksum.sum(ones, 0, ones.length))).isEqualTo(RawFrames.checksum(ones));
    }

    @Test
    void pseudoHeadersAgreeWithTheSlowSum() {
        byte[] v4 = RawFrames.pseudoHeader(RawFrames.PEER_V4, RawFrames.OUR_V4, 6, 1234);
        byte[] v6 = RawFrames.pseudoHeader(RawFrames.PEER_V6, RawFrames.OUR_V6, 58, 65_535);

        assertThat(Checksum.ofSum(Checksum.pseudoHeader(RawFrames.PEER_V4, RawFrames.OUR_V4, 6, 1234)))
                .isEqualTo(RawFrames.checksum(v4));
        assertThat(Checksum.ofSum(Checksum.pseudoHeader(RawFrames.PEER_V6, RawFrames.OUR_V6, 58, 65_535)))
                .isEqualTo(RawFrames.checksum(v6));
    }

    @Test
    void isIntactOnlyWithItsOwnChecksum() {
        byte[] header = hex("4500 0073 0000 4000 4011 b861 c0a8 0001 c0a8 00c7");
        assertThat(Checksum.isIntact(Checksum.sum(header, 0, 20))).isTrue();

        byte[] damaged = RawFrames.with(header, 11, 0x62);
        assertThat(Checksum.isIntact(Checksum.sum(damaged, 0, 20))).isFalse();
    }
}
