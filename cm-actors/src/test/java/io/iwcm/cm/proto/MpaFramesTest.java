package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Start-up frames that are whole, cut, malformed, too long or followed by something. */
@DisplayName("MPA frames on the stream")
class MpaFramesTest {

    /** After these octets of a request nothing can save it; they are {@code length} octets. */
    private static void refusesRequest(int length, String data) {
        script(Openings.PASSIVE, """
            <     P.  1:%d(%d) ack 1  %s
            >     R.  1:1(0) ack %d
            ends
            count mpa_malformed 1
            count passive_errs 1
            """.formatted(length + 1, length, data, length + 1));
    }

    private static void refusesReply(int length, String data) {
        script(Openings.ACTIVE, """
            <     P.  1:%d(%d) ack 25  %s
            >     R.  25:25(0) ack %d
            !     connect-reply protocol
            ends
            count mpa_malformed 1
            count connect_errs 1
            """.formatted(length + 1, length, data, length + 1));
    }

    @Test
    @Tag("FC-01")
    void replySplitAtItsBordersMakesOneEvent() {
        script("""
            let   rep = mpa-rep rev 2 ird 3 ord 4 rtr read crc pd "abcdef"
            """, Openings.ACTIVE, """
            +10   <   P.  1:11(10) ack 25   $rep bytes 0..10
            >     .   25:25(0) ack 11
            +10   <   P.  11:20(9) ack 25   $rep bytes 10..19
            >     .   25:25(0) ack 20
            +10   <   P.  20:24(4) ack 25   $rep bytes 19..23
            >     .   25:25(0) ack 24
            +10   <   P.  24:31(7) ack 25   $rep bytes 23..30
            >     .   25:25(0) ack 31
            !     hand-over qp 7 snd 25 rcv 31
            !     connect-reply ok peer ird 3 ord 4 pd "abcdef"
            """);
    }

    @Test
    @Tag("FC-03")
    void requestPrivateDataIsWhatBelongsToTheApplication() {
        for (int length : new int[] {1, 4, 508}) {
            script(Openings.PASSIVE, """
                <     P.  1:%d(%d) ack 1   mpa-req rev 2 ird 4 ord 3 rtr read pd fill %d
                >     .   1:1(0)  ack %d
                !     connect-request ird 4 ord 3 pd fill %d
                """.formatted(25 + length, 24 + length, length, 25 + length, length));
        }
        script(Openings.PASSIVE, """
            <     P.  1:533(532) ack 1   mpa-req rev 1 pd fill 512
            >     .   1:1(0)  ack 533
            !     connect-request pd fill 512
            """);
    }

    @Test
    @Tag("FC-03")
    void replyPrivateDataIsWhatBelongsToTheApplication() {
        for (int length : new int[] {1, 4, 508}) {
            script(Openings.ACTIVE, """
                <     P.  1:%d(%d) ack 25   mpa-rep rev 2 ird 3 ord 4 rtr read pd fill %d
                >     .   25:25(0)  ack %d
                !     hand-over qp 7 rcv %d
                !     connect-reply ok peer ird 3 ord 4 pd fill %d
                """.formatted(25 + length, 24 + length, length, 25 + length, 25 + length, length));
            script(Openings.ACTIVE, """
                <     P.  1:%d(%d) ack 25   mpa-rep rev 2 ird 3 ord 4 rtr read reject pd fill %d
                !     connect-reply rejected-ulp peer ird 3 ord 4 pd fill %d
                >     .   25:25(0)  ack %d
                """.formatted(25 + length, 24 + length, length, length, 25 + length));
        }
    }

    @Test
    @Tag("FC-04")
    void requestThatBreaksTheFormIsReset() {
        refusesRequest(20, "mpa-req rev 2 pd-length 0 bytes 0..20");
        refusesRequest(23, "mpa-req rev 2 pd-length 3 bytes 0..23");
        refusesRequest(21, "mpa-req rev 1 pd-length 513 + \"x\"");
        refusesRequest(20, "mpa-req rev 1 pd-length 513");
        refusesRequest(20, "mpa-req rev 2 pd-length 513 bytes 0..20");
        refusesRequest(20, "mpa-req rev 1 pd-length 65535");
    }

    @Test
    @Tag("FC-04")
    void requestIsJudgedOnItsHeaderAlone() {
        script(Openings.PASSIVE, """
            let   req = mpa-req rev 1 pd-length 513
            <     P.  1:20(19) ack 1  $req bytes 0..19
            >     .   1:1(0) ack 20
            <     P.  20:21(1) ack 1  $req bytes 19..20
            >     R.  1:1(0) ack 21
            ends
            """);
    }

    @Test
    @Tag("FC-77")
    void requestWithAWrongKeyIsResetOnItsFirstWrongOctet() {
        refusesRequest(1, "\"G\"");
        refusesRequest(4, "\"GET \"");
        refusesRequest(10, "mpa-rep rev 2 bytes 0..10");
        refusesRequest(24, "mpa-rep rev 2 ird 3 ord 4 rtr read");
        refusesRequest(16, "\"MPA ID Req Fram\" + hex 00");
    }

    @Test
    void requestOfAnUnknownRevisionIsReset() {
        refusesRequest(20, "mpa-req rev 3 bytes 0..20");
        refusesRequest(20, "mpa-req rev 255 bytes 0..20");
    }

    @Test
    @Tag("FC-04")
    void replyThatBreaksTheFormIsReset() {
        refusesReply(20, "mpa-rep rev 2 pd-length 0 bytes 0..20");
        refusesReply(23, "mpa-rep rev 2 pd-length 3 bytes 0..23");
        refusesReply(20, "mpa-rep rev 1 pd-length 513");
        refusesReply(1, "\"H\"");
        refusesReply(20, "mpa-rep rev 3 bytes 0..20");
    }

    @Test
    void replyThatIsARequestIsReset() {
        refusesReply(24, "mpa-req rev 2 ird 3 ord 4 rtr read");
        refusesReply(10, "mpa-req rev 2 bytes 0..10");
    }

    @Test
    @Tag("FC-38")
    void requestWithSomethingBehindItIsReset() {
        refusesRequest(28, "mpa-req rev 2 ird 4 ord 3 rtr read + hex 00112233");
        refusesRequest(21, "mpa-req rev 1 + hex 00");
    }

    @Test
    @Tag("FC-38")
    void whatComesBehindAnAcceptingReplyIsTheQueuePairs() {
        script(Openings.ACTIVE, """
            <     P.  1:29(28) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc + hex 00112233
            >     .   25:25(0) ack 29
            !     hand-over qp 7 snd 25 rcv 29 early hex 00112233
            !     connect-reply ok peer ird 3 ord 4
            """);
    }

    @Test
    @Tag("FC-38")
    void whatComesBehindAnAcceptingReplyIsAnErrorWhereTheSettingSaysSo() {
        script("~ early-fpdu-is-error on\n", Openings.ACTIVE, """
            <     P.  1:29(28) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc + hex 00112233
            >     R.  25:25(0) ack 29
            !     connect-reply protocol
            ends
            """);
    }

    @Test
    @Tag("FC-38")
    void whatArrivedAheadBehindAReplyIsTheQueuePairsToo() {
        script(Openings.ACTIVE, """
            <     P.  25:29(4) ack 25  hex 00112233
            >     .   25:25(0) ack 1
            <     P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     .   25:25(0) ack 29
            !     hand-over qp 7 snd 25 rcv 29 early hex 00112233
            !     connect-reply ok peer ird 3 ord 4
            """);
    }

    @Test
    void reservedBitsAreNotLookedAt() {
        String header = "hex 4d504120494420526571204672616d65";
        script(Openings.PASSIVE, """
            <     P.  1:25(24) ack 1   %s + hex 5f02000480048003
            >     .   1:1(0)   ack 25
            !     connect-request rev 2 ird 4 ord 3
            """.formatted(header));
        script(Openings.PASSIVE, """
            <     P.  1:25(24) ack 1   %s + hex 7001000441424344
            >     .   1:1(0)   ack 25
            !     connect-request rev 1 pd "ABCD"
            """.formatted(header));
    }

    @Test
    @Tag("FC-60")
    void privateDataThatLooksLikeReadDepthsIsNotReadInRevision1() {
        script(Openings.PASSIVE, """
            <     P.  1:29(28) ack 1   mpa-req rev 1 crc pd hex 0000001000000010
            >     .   1:1(0)   ack 29
            !     connect-request rev 1 pd hex 0000001000000010
            """);
    }
}
