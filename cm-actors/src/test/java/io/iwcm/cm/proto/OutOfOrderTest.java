package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Segments ahead of their turn, overlapping, beyond the window, and FINs among them. */
@DisplayName("Out of order")
@Tag("FC-22")
class OutOfOrderTest {

    private static final String WAITING = "let req = mpa-req rev 1 pd fill 40\n" + Openings.PASSIVE;

    private static final String WHOLE = """
        >     .   1:1(0) ack 61
        !     connect-request pd fill 40
        """;

    @Test
    void theLastPieceFirst() {
        script(WAITING, """
            <     P.  41:61(20) ack 1  $req bytes 40..60
            >     .   1:1(0) ack 1
            <     P.  21:41(20) ack 1  $req bytes 20..40
            >     .   1:1(0) ack 1
            <     P.  1:21(20) ack 1   $req bytes 0..20
            """, WHOLE);
    }

    @Test
    void aHoleIsFilledFromTheFront() {
        script(WAITING, """
            <     P.  21:31(10) ack 1  $req bytes 20..30
            >     .   1:1(0) ack 1
            <     P.  41:61(20) ack 1  $req bytes 40..60
            >     .   1:1(0) ack 1
            <     P.  1:21(20) ack 1   $req bytes 0..20
            >     .   1:1(0) ack 31
            <     P.  31:41(10) ack 1  $req bytes 30..40
            """, WHOLE);
    }

    @Test
    void aPieceWithinAPieceChangesNothing() {
        script(WAITING, """
            <     P.  21:61(40) ack 1  $req bytes 20..60
            >     .   1:1(0) ack 1
            <     P.  31:41(10) ack 1  $req bytes 30..40
            >     .   1:1(0) ack 1
            <     P.  21:61(40) ack 1  $req bytes 20..60
            >     .   1:1(0) ack 1
            <     P.  1:21(20) ack 1   $req bytes 0..20
            """, WHOLE);
    }

    @Test
    void aPieceThatCoversOthersTakesTheirPlace() {
        script(WAITING, """
            <     P.  31:36(5) ack 1   $req bytes 30..35
            >     .   1:1(0) ack 1
            <     P.  41:46(5) ack 1   $req bytes 40..45
            >     .   1:1(0) ack 1
            <     P.  21:61(40) ack 1  $req bytes 20..60
            >     .   1:1(0) ack 1
            <     P.  1:21(20) ack 1   $req bytes 0..20
            """, WHOLE);
    }

    @Test
    void aSegmentThatOverlapsWhatIsKept() {
        script(WAITING, """
            <     P.  31:61(30) ack 1  $req bytes 30..60
            >     .   1:1(0) ack 1
            <     P.  1:41(40) ack 1   $req bytes 0..40
            """, WHOLE);
        script(WAITING, """
            <     P.  31:41(10) ack 1  $req bytes 30..40
            >     .   1:1(0) ack 1
            <     P.  1:61(60) ack 1   $req
            """, WHOLE);
    }

    @Test
    void aFinAheadOfItsTurnWaits() {
        script(WAITING, """
            <     F.  21:21(0) ack 1
            >     .   1:1(0) ack 1
            state ESTABLISHED
            <     P.  1:21(20) ack 1   $req bytes 0..20
            >     F.  1:1(0) ack 22
            state LAST_ACK
            """);
        script(WAITING, """
            <     FP. 41:61(20) ack 1  $req bytes 40..60
            >     .   1:1(0) ack 1
            <     P.  1:41(40) ack 1   $req bytes 0..40
            >     .   1:1(0) ack 62
            !     connect-request rev 1 pd fill 40
            state CLOSE_WAIT
            """);
    }

    @Test
    void whatLiesBeyondTheWindowIsCutOff() {
        script("""
            ~     window 40
            ~     window-scale 0
            """, WAITING, """
            <     P.  21:61(40) ack 1  $req bytes 20..60
            >     .   1:1(0) ack 1 win 40
            <     P.  1:21(20) ack 1   $req bytes 0..20
            >     .   1:1(0) ack 41 win 40
            <     P.  41:61(20) ack 1  $req bytes 40..60
            """, WHOLE);
        script("""
            ~     window 40
            ~     window-scale 0
            """, WAITING, """
            <     FP. 1:61(60) ack 1   $req
            >     .   1:1(0) ack 41
            state ESTABLISHED
            """);
    }

    @Test
    void whatBeginsBeyondTheWindowIsOnlyAcknowledged() {
        script("""
            ~     window 40
            ~     window-scale 0
            """, WAITING, """
            <     P.  41:61(20) ack 1  $req bytes 40..60
            >     .   1:1(0) ack 1
            count segments_unacceptable 1
            count segments_out_of_order 0
            """);
    }

    @Test
    void piecesAreKeptInAnyNumberButNotWithoutLimit() {
        StringBuilder pieces = new StringBuilder("~ challenges 1000\n");
        for (int at = 100; at < 200; at += 2) {
            pieces.append("< P. %d:%d(1) ack 1\n> . 1:1(0) ack 1\n".formatted(at, at + 1));
        }
        script(WAITING, pieces.toString(), """
            count segments_out_of_order 32
            <     P.  1:61(60) ack 1   $req
            """, WHOLE);
    }

    @Test
    void sequenceNumbersMayWrapInTheMiddle() {
        script("~ isn peer 4294967270\n", WAITING, """
            <     P.  41:61(20) ack 1  $req bytes 40..60
            >     .   1:1(0) ack 1
            <     P.  1:21(20) ack 1   $req bytes 0..20
            >     .   1:1(0) ack 21
            <     P.  21:41(20) ack 1  $req bytes 20..40
            """, WHOLE);
    }

    @Test
    void anInitiatorTakesNoDataBeforeTheSyn() {
        script(Openings.SYN_SENT, """
            +10   <   P.  1:25(24) ack 1   mpa-rep rev 2 ird 3 ord 4 rtr read crc
            state SYN_SENT
            +10   <   S.  0:0(0)   ack 1  mss 1460 ws 7
            >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """);
    }
}
