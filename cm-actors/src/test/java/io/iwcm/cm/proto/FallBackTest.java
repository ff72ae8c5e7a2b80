package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer that closes on a revision 2 request is asked once more in revision 1 (RFC 6581 §10). */
@Tag("FC-20")
class FallBackTest {

    /** The second attempt, up to its request. */
    private static final String SECOND = """
        +10   <   S.  0:0(0)   ack 1
        >     P.  1:23(22) ack 1   mpa-req rev 1 crc pd "hi"
        """;

    @Test
    void asksInRevision1AfterAReset() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   R.  1:1(0) ack 27
            >     S   0:0(0) new-isn mss 1460 ws 2
            count mpa_fallbacks 1
            ~     isn peer 123456
            """, SECOND, """
            +10   <   P.  1:21(20) ack 23  mpa-rep rev 1 crc
            >     .   23:23(0) ack 21
            !     hand-over qp 7 snd 23 rcv 21 no-p2p rtr none
            !     connect-reply ok
            """);
    }

    @Test
    void asksInRevision1AfterAFin() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   F.  1:1(0) ack 27
            >     R.  27:27(0) ack 2
            >     S   0:0(0) new-isn
            ~     isn peer 123456
            """, SECOND, """
            +10   <   P.  1:21(20) ack 23  mpa-rep rev 1 crc
            >     .   23:23(0) ack 21
            !     hand-over qp 7 snd 23 rcv 21
            !     connect-reply ok
            """);
    }

    @Test
    void triesTwiceAndNotAThirdTime() {
        for (String[] close : new String[][] {{"R.", ""}, {"F.", "> R. 23:23(0) ack 2"}}) {
            script(Openings.ACTIVE_FALLING_BACK, """
                +10   <   R.  1:1(0) ack 27
                >     S   0:0(0) new-isn
                ~     isn peer 123456
                """, SECOND, """
                    +10   <   %s  1:1(0) ack 23
                    %s
                    !     connect-reply reset
                    ends
                    count mpa_fallbacks 1
                    count connect_errs 1
                    +1h   quiet
                    """.formatted(close[0], close[1]));
        }
    }

    @Test
    void doesNotTryAgainInSynSent() {
        script("""
            .     connect fallback
            >     S   0:0(0)
            <     R.  0:0(0) ack 1
            !     connect-reply refused-tcp
            ends
            """);
    }

    @Test
    void doesNotTryAgainWhenASecondSynIsRefused() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   R.  1:1(0) ack 27
            >     S   0:0(0) new-isn
            +10   <   R.  0:0(0) ack 1
            !     connect-reply refused-tcp
            ends
            """);
    }

    @Test
    void doesNotTryAgainOnceAnyOctetOfAReplyHasCome() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   P.  1:2(1) ack 27  "M"
            >     .   27:27(0) ack 2
            +10   <   R.  2:2(0) ack 27
            !     connect-reply reset
            ends
            """);
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   P.  2:3(1) ack 27  "P"
            >     .   27:27(0) ack 1
            +10   <   R.  1:1(0) ack 27
            !     connect-reply reset
            ends
            """);
    }

    @Test
    void doesNotTryAgainAfterAMalformedReply() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   P.  1:5(4) ack 27  "What"
            >     R.  27:27(0) ack 5
            !     connect-reply protocol
            ends
            """);
    }

    @Test
    void doesNotTryAgainAfterAReject() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   FP. 1:25(24) ack 27  mpa-rep rev 2 ird 3 ord 4 rtr read reject crc
            !     connect-reply rejected-ulp peer ird 3 ord 4
            >     F.  27:27(0) ack 26
            <     .   26:26(0) ack 28
            ends
            """);
    }

    @Test
    void doesNotTryAgainWithoutTheApplicationsWish() {
        script(Openings.ACTIVE, """
            +10   <   R.  1:1(0) ack 25
            !     connect-reply reset
            ends
            """);
    }

    @Test
    void doesNotTryAgainAfterRevision1() {
        script("""
            .     connect v1 fallback
            >     S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:21(20) ack 1   mpa-req rev 1 crc
            +10   <   R.  1:1(0)   ack 21
            !     connect-reply reset
            ends
            """);
    }

    @Test
    void doesNotTryAgainWhenTheReplyTakesTooLong() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   .   1:1(0) ack 27
            +59990 >  R.  27:27(0) ack 1
            !     connect-reply timeout-mpa
            ends
            """);
    }

    @Test
    void falseResetsDoNotStartASecondAttempt() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   R   500000:500000(0)
            <     R   2:2(0)
            >     .   27:27(0) ack 1
            state MPAREQ_SENT
            count mpa_fallbacks 0
            """);
    }

    @Test
    void startsASecondAttemptOnAResetThatCountsAndNotOnOneThatDoesNot() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   R   500000:500000(0)
            <     R   2:2(0)
            >     .   27:27(0) ack 1
            state MPAREQ_SENT
            <     R   1:1(0)
            >     S   0:0(0) new-isn
            count mpa_fallbacks 1
            ~     isn peer 123456
            """, SECOND);
    }

    @Test
    void ignoresLateSegmentsOfTheFirstAttempt() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   R.  1:1(0) ack 27
            >     S   0:0(0) new-isn
            +10   <   F.  1:1(0) ack -100
            >     R   -100:-100(0)
            state SYN_SENT
            ~     isn peer 123456
            """, SECOND);
    }

    @Test
    void leavesEnoughRoomBetweenTheTwoSequenceSpaces() {
        script("""
            ~     isn our 4294967200
            """, Openings.ACTIVE_FALLING_BACK, """
            +10   <   R.  1:1(0) ack 27
            >     S   0:0(0) new-isn
            """);
    }

    @Test
    void isWithdrawnInTheSecondAttemptAsInTheFirst() {
        script(Openings.ACTIVE_FALLING_BACK, """
            +10   <   R.  1:1(0) ack 27
            >     S   0:0(0) new-isn
            .     disconnect
            !     connect-reply local-abort
            ends
            """);
    }
}
