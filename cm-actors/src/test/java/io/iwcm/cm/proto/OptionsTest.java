package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TCP options and windows: what we say, what we make of what the peer says. */
@DisplayName("TCP options")
class OptionsTest {

    @ParameterizedTest(name = "{0}, MTU {1}, peer says {2}")
    @Tag("FC-79")
    @CsvSource({
        "v4, 1500, none,  1460, 536",
        "v6, 1500, none,  1440, 1220",
        "v4, 1500, 0,     1460, 536",
        "v6, 1500, 0,     1440, 1220",
        "v4, 1500, 1,     1460, 88",
        "v4, 1500, 88,    1460, 88",
        "v4, 1500, 89,    1460, 89",
        "v4, 1500, 1460,  1460, 1460",
        "v4, 1500, 65535, 1460, 1460",
        "v6, 1500, 65535, 1440, 1440",
        "v4, 1280, 1460,  1240, 1240",
        "v6, 1280, 1460,  1220, 1220",
        "v4, 9000, 8960,  8960, 8960",
        "v4, 9000, 1460,  8960, 1460",
        "v6, 9000, 8940,  8940, 8940",
    })
    void segmentSizeIsTheLesserOfBothEnds(String family, int mtu, String theirs, int ours, int used) {
        String settings = "~ family %s%n~ mtu %d%n".formatted(family, mtu);
        script(settings, """
            .     listen 4420
            <     S   0:0(0) mss %s
            >     S.  0:0(0) ack 1 mss %d
            <     P.  1:21(20) ack 1   mpa-req rev 1
            >     .   1:1(0) ack 21
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 mss %d lsmm mpa-rep rev 1 crc
            !     established
            """.formatted(theirs, ours, used));
        script(settings, """
            .     connect v1
            >     S   0:0(0) mss %d
            <     S.  0:0(0) ack 1 mss %s
            >     P.  1:21(20) ack 1   mpa-req rev 1 crc
            <     P.  1:21(20) ack 21  mpa-rep rev 1 crc
            >     .   21:21(0) ack 21
            !     hand-over qp 7 mss %d
            !     connect-reply ok
            """.formatted(ours, theirs, used));
    }

    @ParameterizedTest(name = "peer says {0}")
    @CsvSource({
        "none, none, 0, 0, 65535",
        "0, 2, 0, 2, 262140",
        "7, 2, 7, 2, 262140",
        "14, 2, 14, 2, 262140",
        "15, 2, 14, 2, 262140",
        "255, 2, 14, 2, 262140"
    })
    void windowsAreScaledOnlyWhenBothEndsSaySo(String theirs, String ours, int send, int own, int window) {
        script("""
            .     listen 4420
            <     S   0:0(0) ws %s
            >     S.  0:0(0) ack 1 ws %s win 65535
            <     P.  1:21(20) ack 1   mpa-req rev 1
            >     .   1:1(0) ack 21 win 65535
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 send-scale %d scale %d window %d  lsmm mpa-rep rev 1 crc
            !     established
            """.formatted(theirs, ours, send, own, window));
        script("""
            .     connect v1
            >     S   0:0(0) ws 2 win 65535
            <     S.  0:0(0) ack 1 ws %s
            >     P.  1:21(20) ack 1 win 65535  mpa-req rev 1 crc
            <     P.  1:21(20) ack 21  mpa-rep rev 1 crc
            >     .   21:21(0) ack 21
            !     hand-over qp 7 send-scale %d scale %d window %d
            !     connect-reply ok
            """.formatted(theirs, send, own, window));
    }

    @Test
    void theWindowOfASynIsNeverScaled() {
        script("""
            .     listen 4420
            <     S   0:0(0) win 1000 ws 7
            >     S.  0:0(0) ack 1
            <     .   1:1(0) ack 1 win 10
            <     P.  1:21(20) ack 1 win 9   mpa-req rev 1
            >     .   1:1(0) ack 21
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 send-window 1152 max-window 1280 lsmm mpa-rep rev 1 crc
            !     established
            """);
        script("""
            .     connect v1
            >     S   0:0(0)
            <     S.  0:0(0) ack 1 win 1000 ws 7
            >     P.  1:21(20) ack 1   mpa-req rev 1 crc
            <     P.  1:21(20) ack 21 win 2  mpa-rep rev 1 crc
            >     .   21:21(0) ack 21
            !     hand-over qp 7 send-window 256 max-window 1000
            !     connect-reply ok
            """);
    }

    @Test
    void optionsOutsideASynAreNotLookedAt() {
        script("""
            .     listen 4420
            <     S   0:0(0) mss 1460
            >     S.  0:0(0) ack 1 ws none
            <     .   1:1(0) ack 1 mss 100 ws 7
            <     P.  1:21(20) ack 1 win 700 mss 200 ws 9  mpa-req rev 1
            >     .   1:1(0) ack 21
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 mss 1460 send-window 700 send-scale 0  lsmm mpa-rep rev 1 crc
            !     established
            """);
    }

    @Test
    void ourWindowIsWhatTheSettingSays() {
        script("""
            ~     window 4000
            ~     window-scale 0
            .     listen 4420
            <     S   0:0(0) ws 7
            >     S.  0:0(0) ack 1 ws 0 win 4000
            <     .   1:1(0) ack 1
            <     R   4001:4001(0)
            <     R   4000:4000(0)
            >     .   1:1(0) ack 1 win 4000
            """);
    }

    @Test
    @Tag("FC-19")
    void whatStandsBeforeAMalformedOptionIsKept() {
        script("""
            .     listen 4420
            <     S   0:0(0) mss 1000 bad-options
            >     S.  0:0(0) ack 1
            count options_malformed 1
            <     P.  1:21(20) ack 1   mpa-req rev 1
            >     .   1:1(0) ack 21
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 mss 1000  lsmm mpa-rep rev 1 crc
            !     established
            """);
        script("""
            .     connect v1
            >     S   0:0(0)
            <     S.  0:0(0) ack 1 mss 1000 bad-options
            >     P.  1:21(20) ack 1   mpa-req rev 1 crc
            count options_malformed 1
            """);
    }

    @Test
    @Tag("FC-19")
    void aMalformedOptionEndsTheOpenWhereTheSettingSaysSo() {
        script("~ malformed-options-reset on\n", """
            .     listen 4420
            <     S   0:0(0) mss 1000 bad-options
            >     R.  =0:=0(0) ack 1
            ends
            count options_malformed 1
            count passive_errs 1
            """);
        script("~ malformed-options-reset on\n", """
            .     connect v1
            >     S   0:0(0)
            <     S.  0:0(0) ack 1 mss 1000 bad-options
            >     R.  1:1(0) ack 1
            !     connect-reply protocol
            ends
            count options_malformed 1
            """);
    }
}
