package io.iwcm.cm.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A script that cannot be read says where and what is allowed. */
class ScriptSyntaxTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        hello                               | 1  | "hello" does not fit; allowed: +TIME, then < SEGMENT
        +fast > S 0:0(0)                    | 1  | "+fast" is no time
        +10 > S 0:0                         | 9  | "0:0" is no range; allowed: seq:end(len)
        > X. 0:0(0)                         | 3  | "X." are no flags; allowed: some of SFRP.UEW
        > S. 0:0(0)                         | 12 | something is missing; allowed: ack N, because the flags have a dot
        > P. 1:25(20) ack 1                 | 6  | 1:25(20) does not add up
        > P. 1:25(24) ack 1 "short"         | 21 | the data is 5 octets long, the range says 24
        > S 0:0(0) mss big                  | 16 | "big" does not fit; allowed: octets, 0..65535
        > S 0:0(0) win 65536                | 16 | "65536" does not fit; allowed: a window field, 0..65535
        > S 0:0(0) colour red               | 12 | "colour" does not fit; allowed: ack N, win N
        < P. 1:5(4) ack 1 hex 0011223       | 23 | "0011223" is not an even number of hex digits
        < P. 1:5(4) ack 1 "abcd             | 19 | the quoted text does not end
        < P. 1:5(4) ack 1 fill 9 bytes 5..20 | 32 | bytes 5..20 do not lie within the 9 octets before
        < P. 1:5(4) ack 1 mpa-req rtr left  | 31 | "left" is no RTR form; allowed: send, write, read, none
        ! something                         | 3  | "something" does not fit; allowed: connect-request
        ! established ird 4                 | 20 | something is missing; allowed: ord N
        ! closed broken                     | 10 | "broken" does not fit; allowed: ok, refused-tcp
        ! hand-over qp 7 lsnn               | 18 | "lsnn" does not fit; allowed: qp N, snd N
        ! terminate qp 7 layer 2 code 6     | 26 | "code" does not fit; allowed: type N
        . refuse                            | 3  | "refuse" is no call; allowed: listen PORT
        . accept qp 7 quickly               | 15 | "quickly" does not fit; allowed: qp N, ird N ord N
        . accept = maybe                    | 12 | "maybe" does not fit; allowed: ok, refused-tcp
        . connect v3                        | 11 | "v3" does not fit; allowed: v1, v2, qp N
        . listen 70000                      | 10 | "70000" does not fit; allowed: a port, 1..65535
        ae lightning                        | 4  | "lightning" does not fit; allowed: connection-established
        nic break ah                        | 5  | "break" does not fit; allowed: hold, release, fail, say
        nic hold everything                 | 10 | "everything" does not fit; allowed:
        nic fail ah sulking                 | 13 | "sulking" does not fit; allowed: no-route
        ~ speed 9                           | 3  | "speed" does not fit; allowed: crc, rtr, depths-max
        ~ mpa-request soon                  | 15 | "soon" does not fit; allowed: a time span
        ~ markers perhaps                   | 11 | "perhaps" does not fit; allowed: on, off
        state NOWHERE                       | 7  | "NOWHERE" does not fit; allowed: INITED, LISTENING
        count sheep 3                       | 7  | "sheep" does not fit; allowed: nodes_created
        count accepts                       | 14 | something is missing; allowed: a number
        ends now                            | 6  | "now" does not fit; allowed: the end of the line
        let Name = 1                        | 5  | "Name" is no name
        < S $undefined                      | 5  | $undefined is not defined
        """)
    void says(String line, int column, String problem) {
        List<String> text = List.of("# a comment", "", line);

        ScriptSyntaxError error = catchThrowableOfType(ScriptSyntaxError.class, () -> ScriptParser.parse(text));

        assertThat(error)
                .isNotNull()
                .hasMessageContaining(problem)
                .hasMessageContaining("script line 3, column " + column);
        assertThat(error.line()).isEqualTo(3);
        assertThat(error.column()).isEqualTo(column);
    }

    @Test
    void pointsAtTheColumn() {
        ScriptSyntaxError error =
                catchThrowableOfType(ScriptSyntaxError.class, () -> ScriptParser.parse(List.of("+10 > S. 0:0(1)")));

        assertThat(error).hasMessageEndingWith("\n  +10 > S. 0:0(1)\n           ^");
    }

    @Test
    void replacesDefinedNamesByTheirWords() {
        List<String> text = List.of("let req = mpa-req rev 1 pd \"a b\"", "< P. 1:24(23) ack 1 $req # and a comment");

        var segment = ((Statement.PeerSends) ScriptParser.parse(text).getFirst().statement()).segment();

        assertThat(SegmentText.text(
                        segment.segment(new Stage(Machine.REAL, 0).bases()),
                        new Stage(Machine.REAL, 0).bases(),
                        SegmentText.From.PEER))
                .isEqualTo("P. 1:24(23) ack 1 win 65535  mpa-req rev 1 pd \"a b\"");
    }
}
