package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The application has been asked; what it answers, and what happens until it does. */
@DisplayName("While the application decides")
class DecisionTest {

    private static final String FIN = Openings.ASKED + """
        +1s   <   F.  29:29(0) ack 1
        >     .   1:1(0) ack 30
        state CLOSE_WAIT
        """;

    @Test
    void rejectsWithTheApplicationsWords() {
        script(Openings.ASKED, """
            +50   .   reject pd "NO"
            >     FP. 1:27(26) ack 29  mpa-rep rev 2 ird 32 ord 4 rtr read reject crc pd "NO"
            state FIN_WAIT1
            count rejects 1
            """);
    }

    @Test
    void rejectsInTheFormOfTheRequest() {
        script(Openings.PASSIVE, """
            <     P.  1:21(20) ack 1   mpa-req rev 1
            >     .   1:1(0)   ack 21
            !     connect-request rev 1
            .     reject pd fill 512
            >     P.  1:533(532) ack 21  mpa-rep rev 1 reject crc pd fill 512
            """.replace(">     P.", ">     FP."));
        script(Openings.PASSIVE, """
            <     P.  1:21(20) ack 1   mpa-req rev 2 plain
            >     .   1:1(0)   ack 21
            !     connect-request rev 2
            .     reject
            >     FP. 1:21(20) ack 21  mpa-rep rev 2 plain reject crc
            """);
        script(Openings.ASKED_CLIENT_SERVER, """
            .     reject
            >     FP. 1:25(24) ack 25  mpa-rep rev 2 no-p2p ird 32 ord 4 reject crc
            """);
    }

    @Test
    void takesADisconnectForAReject() {
        script(Openings.ASKED, """
            .     disconnect
            >     FP. 1:25(24) ack 29  mpa-rep rev 2 ird 32 ord 4 rtr read reject crc
            """);
    }

    @Test
    void rejectsForAnApplicationThatIsGone() {
        script(Openings.ASKED, """
            .     application-gone
            >     FP. 1:25(24) ack 29  mpa-rep rev 2 ird 32 ord 4 rtr read reject crc
            +10   <   F.  29:29(0) ack 26
            >     .   26:26(0) ack 30
            !     time-wait snd 26 rcv 30
            ends
            """);
    }

    @Test
    void resetsThePeerWhenTheApplicationAborts() {
        script(Openings.ASKED, """
            .     abort
            >     R.  1:1(0) ack 29
            ends
            """);
    }

    @Test
    void rejectsWhenTheApplicationTakesTooLong() {
        script("~ decision 30s\n", Openings.ASKED, """
            +30s  >   FP. 1:25(24) ack 29  mpa-rep rev 2 ird 32 ord 4 rtr read reject crc
            state FIN_WAIT1
            .     accept qp 7 = invalid
            .     reject
            """);
    }

    @Test
    void waitsForEverWhereNoTimeIsSet() {
        script(Openings.ASKED, """
            +10h  .   accept qp 7 ird 4 ord 4
            !     hand-over qp 7 snd 1 rcv 29  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
            """);
    }

    @Test
    void answersASecondAcceptLikeTheFirst() {
        script(Openings.ACCEPTED, """
            .     accept qp 8 = ok
            .     reject = invalid
            """);
    }

    @Test
    @Tag("FC-28")
    void remembersThePeersFinAndFailsTheAccept() {
        script(FIN, """
            +1s   .   accept qp 7 = reset
            >     F.  1:1(0) ack 30
            state LAST_ACK
            +10   <   .   30:30(0) ack 2
            ends
            """);
    }

    @Test
    @Tag("FC-28")
    void takesARejectAfterThePeersFinAndOnlyCloses() {
        for (String call : new String[] {"reject pd \"NO\"", "disconnect"}) {
            script(FIN, """
                +1s   .   %s
                >     F.  1:1(0) ack 30
                +10   <   .   30:30(0) ack 2
                ends
                """.formatted(call));
        }
    }

    @Test
    @Tag("FC-28")
    void closesForAnApplicationThatIsGoneAfterThePeersFin() {
        script(FIN, """
            +1s   .   application-gone
            >     F.  1:1(0) ack 30
            +10   <   .   30:30(0) ack 2
            ends
            """);
    }

    @Test
    void closesAfterThePeersFinWhenTheApplicationTakesTooLong() {
        script("~ decision 30s\n", FIN, """
            +29s  >   F.  1:1(0) ack 30
            state LAST_ACK
            .     accept qp 7 = invalid
            """);
    }

    @Test
    void acknowledgesARepeatedFin() {
        script(FIN, """
            +1s   <   F.  29:29(0) ack 1
            >     .   1:1(0) ack 30
            state CLOSE_WAIT
            """);
    }

    @Test
    void takesNothingAfterThePeersFin() {
        script(FIN, """
            <     P.  30:34(4) ack 1  hex 00112233
            <     F.  30:30(0) ack 1
            <     P.  34:38(4) ack 1  hex 00112233
            state CLOSE_WAIT
            .     reject
            >     F.  1:1(0) ack 30
            """);
    }

    @Test
    void isResetAfterThePeersFin() {
        script(FIN, """
            <     R   29:29(0)
            <     R   31:31(0)
            >     .   1:1(0) ack 30
            <     R   30:30(0)
            state MPAREQ_RCVD
            .     accept qp 7 = reset
            ends
            """);
    }

    @Test
    void resetsThePeerWhenTheApplicationAbortsAfterItsFin() {
        script(FIN, """
            .     abort
            >     R.  1:1(0) ack 30
            ends
            """);
    }

    @Test
    void failsTheAcceptWhenTheAddressHasGone() {
        for (String opening : new String[] {Openings.ASKED, FIN}) {
            script(opening, """
                .     address-down
                >     R.  1:1(0) ack %s
                .     accept qp 7 = local-down
                ends
                """.formatted(opening.equals(FIN) ? "30" : "29"));
        }
    }

    @Test
    @Tag("FC-38")
    void resetsAPeerThatSendsMoreBeforeTheReply() {
        script(Openings.ASKED, """
            +10   <   P.  29:33(4) ack 1  hex 00112233
            >     R.  1:1(0) ack 33
            count mpa_malformed 1
            .     accept qp 7 = protocol
            ends
            """);
    }

    @Test
    void keepsWaitingWhenDataArrivesAheadOfItsTurn() {
        script(Openings.ASKED, """
            +10   <   P.  33:37(4) ack 1  hex 00112233
            >     .   1:1(0) ack 29
            state MPAREQ_RCVD
            """);
    }

    @Test
    void rejectsWithinThePeersWindow() {
        script(Openings.PASSIVE, """
            <     P.  1:21(20) ack 1 win 0  mpa-req rev 1
            >     .   1:1(0)   ack 21
            !     connect-request
            .     reject
            >     .   1:1(0)   ack 21
            state FIN_WAIT1
            +10   <   .   21:21(0) ack 1 win 64
            >     FP. 1:21(20) ack 21  mpa-rep rev 1 reject crc
            """);
    }

    @Test
    void stopsWithTheManager() {
        for (String opening : new String[] {Openings.ASKED, FIN}) {
            script(opening, """
                .     shutdown
                >     R.  1:1(0) ack %s
                ends
                """.formatted(opening.equals(FIN) ? "30" : "29"));
        }
    }

    @Test
    void endsInSilenceWhenSomebodyElseHasTheFlow() {
        for (String opening : new String[] {Openings.ASKED, FIN}) {
            script(opening, """
                nic   say superseded
                ends
                """);
        }
    }
}
