package io.iwcm.cm.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.Octets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Octets in words, both ways. The frames are those of PROTOCOL §23. */
class DataTest {

    private static final String REQUEST = "4d504120494420526571204672616d65";
    private static final String REPLY = "4d504120494420526570204672616d65";

    @ParameterizedTest(name = "{0}")
    @CsvSource(quoteCharacter = '`', textBlock = """
        mpa-req rev 1 crc pd "ABCD",                                    req, 4001000441424344
        `mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "ABCD"`,       req, 500200088004c00341424344
        mpa-rep rev 2 ird 3 ord 4 rtr read crc,                         rep, 5002000480034004
        mpa-rep rev 2 ird 3 ord 4 rtr read reject crc pd "NO",          rep, 70020006800340044e4f
        mpa-req rev 2 ird 4 ord 3 no-p2p crc,                           req, 5002000400040003
        `mpa-req rev 2 ird none ord none rtr write,read crc`,           req, 50020004bfffffff
        mpa-req rev 2 plain crc pd "12345678",                          req, 400200083132333435363738
        mpa-req rev 2 p2p ird 4 ord 0 markers,                          req, 9002000480040000
        mpa-req rev 2 ird 4 ord 3 rtr send no-p2p crc,                  req, 5002000440040003
        """)
    void writesAndReadsFrames(String words, String kind, String hex) {
        Octets expected = Octets.ofHex((kind.equals("req") ? REQUEST : REPLY) + hex);

        assertThat(parse(words)).isEqualTo(expected);
        assertThat(parse(Data.text(expected))).isEqualTo(expected);
        assertThat(Data.text(expected)).startsWith("mpa-" + kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                REQUEST + "40010005" + "41424344",
                REQUEST + "40010003" + "41424344",
                REQUEST + "5002000380040000",
                REQUEST + "4101000441424344",
                "4d504120494420526571204672616d66" + "4001000441424344",
                REQUEST,
                "00",
                "414243440a"
            })
    void showsAnythingElseAsItIs(String hex) {
        Octets octets = Octets.ofHex(hex);

        assertThat(Data.text(octets)).doesNotStartWith("mpa-");
        assertThat(parse(Data.text(octets))).isEqualTo(octets);
    }

    @Test
    void addsAndSlices() {
        assertThat(parse("\"ab\" + hex 6364 + fill 3 bytes 1..6")).isEqualTo(Octets.ofHex("626364" + "0001"));
        assertThat(parse("mpa-req rev 1 pd-length 513")).isEqualTo(Octets.ofHex(REQUEST + "00010201"));
        assertThat(parse("mpa-req rev 1 + \"x\"")).isEqualTo(Octets.ofHex(REQUEST + "0001000078"));
    }

    private static Octets parse(String words) {
        return Data.parse(Words.of(1, words, Map.of()));
    }
}
