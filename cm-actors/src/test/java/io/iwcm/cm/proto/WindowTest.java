package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The peer's window while TCP is ours: never overrun, probed when it is closed, never moved by old segments. */
@DisplayName("The peer's window")
class WindowTest {

    private static final String REQUEST = "let req = mpa-req rev 1 crc pd fill 30\n";

    private static final String CLOSED = REQUEST + """
        .     connect v1 pd fill 30
        >     S   0:0(0)
        +10   <   S.  0:0(0)  ack 1 win 0
        >     .   1:1(0)  ack 1
        state MPAREQ_SENT
        """;

    @Test
    void handshakeIsCompletedThoughTheWindowIsClosed() {
        script(CLOSED, """
            +500  <   .   1:1(0)  ack 1 win 1000
            >     P.  1:51(50) ack 1  $req
            """);
    }

    @Test
    void closedWindowIsProbedMoreAndMoreSeldom() {
        script("~ rto-max 3s\n", CLOSED, """
            +1s   >   P.  1:2(1)  ack 1   $req bytes 0..1
            +10   <   .   1:1(0)  ack 1 win 0
            +1990 >   P.  1:2(1)  ack 1   $req bytes 0..1
            +3s   >   P.  1:2(1)  ack 1   $req bytes 0..1
            +10   <   .   1:1(0)  ack 2 win 10
            >     P.  2:12(10) ack 1  $req bytes 1..11
            """);
    }

    @Test
    void windowThatNeverOpensEndsTheConnect() {
        script("~ mpa-reply 5s\n", CLOSED, """
            +1s   >   P.  1:2(1)  ack 1
            +2s   >   P.  1:2(1)  ack 1
            +2s   >   R.  2:2(0)  ack 1
            !     connect-reply timeout-mpa
            ends
            """);
    }

    @Test
    void oldSegmentsDoNotMoveTheWindow() {
        script(Openings.ACTIVE, """
            let   rep = mpa-rep rev 2 ird 3 ord 4 rtr read crc
            <     P.  1:6(5)   ack 25 win 20  $rep bytes 0..5
            >     .   25:25(0) ack 6
            <     P.  6:11(5)  ack 25 win 30  $rep bytes 5..10
            >     .   25:25(0) ack 11
            <     P.  1:11(10) ack 25 win 99  $rep bytes 0..10
            >     .   25:25(0) ack 11
            <     .   11:11(0) ack 11 win 98
            <     P.  11:25(14) ack 25 win 40  $rep bytes 10..24
            >     .   25:25(0) ack 25
            !     hand-over qp 7 send-window 5120 max-window 65535
            !     connect-reply ok peer ird 3 ord 4
            """);
    }

    @Test
    void bareAcksMoveTheWindow() {
        script(Openings.PASSIVE, """
            <     .   1:1(0)   ack 1 win 5
            <     .   1:1(0)   ack 1 win 7
            <     P.  1:21(20) ack 1 win 9   mpa-req rev 1
            >     .   1:1(0)   ack 21
            !     connect-request
            <     .   21:21(0) ack 1 win 11
            .     accept qp 7
            !     hand-over qp 7 send-window 1408 max-window 8388480  lsmm mpa-rep rev 1 crc
            !     established
            """);
    }

    @Test
    void oldestSegmentIsSentAgainFirst() {
        script("~ mss-floor 20\n", REQUEST, """
            .     connect v1 pd fill 30
            >     S   0:0(0)
            +10   <   S.  0:0(0)    ack 1 mss 20
            >     P.  1:21(20)  ack 1  $req bytes 0..20
            >     P.  21:41(20) ack 1  $req bytes 20..40
            >     P.  41:51(10) ack 1  $req bytes 40..50
            +1s   >   P.  1:21(20)  ack 1  $req bytes 0..20
            +10   <   .   1:1(0)    ack 21
            +1s   >   P.  21:41(20) ack 1  $req bytes 20..40
            +10   <   .   1:1(0)    ack 51
            +30s  quiet
            """);
    }

    @Test
    void rejectIsSentInPiecesThatFit() {
        script("""
            ~     mss-floor 20
            .     listen 4420
            <     S   0:0(0) mss 20
            >     S.  0:0(0) ack 1
            <     P.  1:21(20) ack 1   mpa-req rev 1
            >     .   1:1(0) ack 21
            !     connect-request
            .     reject pd "Not today, thank you"
            >     P.  1:21(20) ack 21   mpa-rep rev 1 reject crc pd "Not today, thank you" bytes 0..20
            >     FP. 21:41(20) ack 21  "Not today, thank you"
            +10   <   .   21:21(0) ack 21
            +1s   >   FP. 21:41(20) ack 21  "Not today, thank you"
            +10   <   F.  21:21(0) ack 42
            >     .   42:42(0) ack 22
            !     time-wait snd 42 rcv 22
            ends
            """);
    }

    @Test
    void dataOnASynAckIsLeftToThePeerToSendAgain() {
        script(Openings.SYN_SENT, """
            +10   <   SP. 0:24(24) ack 1   mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     .   25:25(0) ack 25
            !     hand-over qp 7
            !     connect-reply ok peer ird 3 ord 4
            """);
    }
}
