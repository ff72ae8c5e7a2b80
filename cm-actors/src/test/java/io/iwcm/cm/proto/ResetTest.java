package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Resets and wrong acknowledgements before TCP stands, and after the application was asked. */
class ResetTest {

    private static final String SYN_RCVD = """
        .     listen 4420
        <     S   0:0(0) mss 1460 ws 7
        >     S.  0:0(0) ack 1
        """;

    @Test
    @Tag("FC-18")
    void onlyAnAckOfOurSynMakesAResetCountInSynSent() {
        script(Openings.SYN_SENT, """
            <     R   0:0(0)
            <     R   1:1(0)
            <     R.  0:0(0) ack 0
            <     R.  0:0(0) ack 2
            <     R.  0:0(0) ack 1000000
            state SYN_SENT
            <     R.  0:0(0) ack 1
            !     connect-reply refused-tcp
            ends
            count connect_errs 1
            """);
    }

    @Test
    @Tag("FC-41")
    void resetsAStaleConnectionOfThePeerAndKeepsTrying() {
        script(Openings.SYN_SENT, """
            +10   <   .   77:77(0) ack 9999
            >     R   9999:9999(0)
            state SYN_SENT
            <     .   77:77(0) ack 1
            state SYN_SENT
            +990  >   S   0:0(0)
            +10   <   S.  0:0(0)   ack 1  mss 1460 ws 7
            >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """);
    }

    @Test
    @Tag("FC-41")
    void resetsASynAckThatAcknowledgesSomethingElse() {
        script(Openings.SYN_SENT, """
            <     S.  0:0(0) ack 0
            >     R   0:0(0)
            <     S.  0:0(0) ack 2
            >     R   2:2(0)
            state SYN_SENT
            <     S.  0:0(0) ack 1  mss 1460 ws 7
            >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """);
    }

    @Test
    void ignoresDataAndFinWithoutASynInSynSent() {
        script(Openings.SYN_SENT, """
            <     P.  1:5(4) ack 1  hex 00112233
            <     F.  1:1(0) ack 1
            <     F   1:1(0)
            <     -   1:5(4)  hex 00112233
            state SYN_SENT
            """);
    }

    @Test
    @Tag("FC-18")
    void judgesAResetInSynRcvdByItsNumber() {
        script(SYN_RCVD, """
            <     R   400000:400000(0)
            <     R   0:0(0)
            state SYN_RCVD
            <     R   5:5(0)
            >     .   1:1(0) ack 1
            state SYN_RCVD
            count challenge_acks 1
            <     R   1:1(0)
            ends
            count passive_errs 1
            """);
    }

    @Test
    void resetsAnAckThatCannotBeForOurSynAck() {
        script(SYN_RCVD, """
            <     .   1:1(0) ack 0
            >     R   0:0(0)
            <     .   1:1(0) ack 2
            >     R   2:2(0)
            <     P.  1:5(4) ack 5000  hex 00112233
            >     R   5000:5000(0)
            <     .   1:1(0) ack -100000000
            >     R   -100000000:-100000000(0)
            state SYN_RCVD
            <     .   1:1(0) ack 1
            state ESTABLISHED
            """);
    }

    @Test
    @Tag("FC-40")
    void challengesANewSynInsideTheWindowInSynRcvd() {
        script(SYN_RCVD, """
            <     S   500:500(0)
            >     .   1:1(0) ack 1
            state SYN_RCVD
            count challenge_acks 1
            """);
    }

    /** A peer that restarted: its SYN is challenged, its reset ends the old connection, its next SYN opens a new one. */
    @Test
    @Tag("FC-40")
    void opensAnewAfterTheResetThatAnswersTheChallenge() {
        script(Openings.PASSIVE, """
            <     S   900000:900000(0)
            >     .   1:1(0) ack 1
            <     R   1:1(0)
            ends
            <     S   900000:900000(0)
            >     S.  0:0(0) ack 900001
            +10   <   .  900001:900001(0) ack 1
            state ESTABLISHED
            """);
    }

    @Test
    void acknowledgesASynOutsideTheWindowInSynRcvd() {
        script(SYN_RCVD, """
            <     S   900000:900000(0)
            >     .   1:1(0) ack 1
            state SYN_RCVD
            """);
    }

    @Test
    void acknowledgesOldAndFutureSegmentsInSynRcvd() {
        script(SYN_RCVD, """
            <     .   -5:-5(0) ack 1
            >     .   1:1(0) ack 1
            <     P.  500000:500004(4) ack 1  hex 00112233
            >     .   1:1(0) ack 1
            state SYN_RCVD
            """);
    }

    @Test
    void takesAFinOnTheLastSegmentOfTheHandshake() {
        script(SYN_RCVD, """
            <     F.  1:1(0) ack 1
            >     F.  1:1(0) ack 2
            state LAST_ACK
            <     .   2:2(0) ack 2
            ends
            """);
    }

    @Test
    void doesNotLetAResetWithAnAckCompleteAHandshake() {
        script(SYN_RCVD, """
            <     R.  1:1(0) ack 1
            ends
            count hand_overs 0
            """);
    }

    @Test
    @Tag("FC-28")
    void keepsAResetConnectionUntilTheApplicationHasAnswered() {
        script(Openings.ASKED, """
            <     R   29:29(0)
            state MPAREQ_RCVD
            +1h   .   accept qp 7 = reset
            ends
            """);
        script(Openings.ASKED, """
            <     R.  29:29(0) ack 1
            +1s   .   reject pd "NO"
            ends
            """);
        script(Openings.ASKED, """
            <     R   29:29(0)
            .     disconnect
            ends
            """);
        script(Openings.ASKED, """
            <     R   29:29(0)
            .     application-gone
            ends
            """);
        script(Openings.ASKED, """
            <     R   29:29(0)
            .     abort
            ends
            """);
    }

    @Test
    void givesTheFlowBackAsSoonAsThePeerHasReset() {
        for (String lost : new String[] {"< R 29:29(0)", ". address-down\n> R. 1:1(0) ack 29"}) {
            script(Openings.ASKED, lost, """

                state MPAREQ_RCVD
                holds nothing
                <     P.  29:33(4) ack 1  hex 00112233
                <     R   29:29(0)
                <     S   500000:500000(0)
                state MPAREQ_RCVD
                """);
        }
    }

    @Test
    @Tag("FC-18")
    void judgesAResetByItsNumberWhileTheApplicationDecides() {
        script(Openings.ASKED, """
            <     R   28:28(0)
            <     R   30:30(0)
            >     .   1:1(0) ack 29
            state MPAREQ_RCVD
            .     accept qp 7 ird 4 ord 4
            !     hand-over qp 7 snd 1 rcv 29  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
            """);
    }

    @Test
    void isNotTroubledByAResetBeforeItsSynAckIsOut() {
        script("""
            nic   hold ah
            .     listen 4420
            <     S   0:0(0)
            <     R   500:500(0)
            state INITED
            <     R   1:1(0)
            ends
            count passive_errs 1
            """);
    }
}
