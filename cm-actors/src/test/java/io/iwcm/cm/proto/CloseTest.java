package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TCP's way down while it is ours (RFC 9293 §3.6): after our reject, and when the peer has left. */
@DisplayName("Closing TCP")
class CloseTest {

    private static final String REJECTED = """
        let   rep = mpa-rep rev 2 ird 32 ord 4 rtr read reject crc
        """ + Openings.ASKED + """
        .     reject
        >     FP. 1:25(24) ack 29  $rep
        state FIN_WAIT1
        """;

    @Test
    void closesFirstAndLeavesTimeWaitToTheNic() {
        script(REJECTED, """
            +10   <   .   29:29(0) ack 26
            state FIN_WAIT2
            +10   <   F.  29:29(0) ack 26
            >     .   26:26(0) ack 30
            !     time-wait snd 26 rcv 30
            ends
            count rejects 1
            count nodes_destroyed 1
            """);
    }

    @Test
    void closesInOneStepWhenThePeersFinCoversOurs() {
        script(REJECTED, """
            +10   <   F.  29:29(0) ack 26
            >     .   26:26(0) ack 30
            !     time-wait snd 26 rcv 30
            ends
            """);
    }

    @Test
    void closesWhenBothFinsCross() {
        script(REJECTED, """
            +10   <   F.  29:29(0) ack 1
            >     .   26:26(0) ack 30
            state CLOSING
            +10   <   .   30:30(0) ack 26
            !     time-wait snd 26 rcv 30
            ends
            """);
    }

    @Test
    void acknowledgesARepeatedFinInClosing() {
        script(REJECTED, """
            +10   <   F.  29:29(0) ack 1
            >     .   26:26(0) ack 30
            +10   <   F.  29:29(0) ack 1
            >     .   26:26(0) ack 30
            state CLOSING
            """);
    }

    @Test
    void takesNothingAfterThePeersFin() {
        script(REJECTED, """
            +10   <   F.  29:29(0) ack 1
            >     .   26:26(0) ack 30
            +10   <   F.  30:30(0) ack 1
            <     P.  30:34(4) ack 1  hex 00112233
            <     P.  26:34(8) ack 1
            state CLOSING
            <     P.  30:34(4) ack 26  hex 00112233
            !     time-wait snd 26 rcv 30
            ends
            """);
        script(Openings.PASSIVE, """
            <     F.  1:1(0) ack 1
            >     F.  1:1(0) ack 2
            <     F.  2:2(0) ack 1
            <     P.  2:6(4) ack 1
            +1s   >   F.  1:1(0) ack 2
            <     F.  2:2(0) ack 2
            ends
            """);
    }

    @Test
    void staysInFinWait1WhileOnlyTheReplyIsAcknowledged() {
        script(REJECTED, """
            +10   <   .   29:29(0) ack 25
            state FIN_WAIT1
            +10   <   .   29:29(0) ack 10
            state FIN_WAIT1
            +10   <   .   29:29(0) ack 26
            state FIN_WAIT2
            """);
    }

    @Test
    void resetsAPeerThatNeverClosesAfterOurReject() {
        script("~ close 20s\n", REJECTED, """
            +10   <   .   29:29(0) ack 26
            state FIN_WAIT2
            +19990 >  R.  26:26(0) ack 29
            ends
            +1h   quiet
            """);
    }

    @Test
    void endsWhenThePeerResetsTheClose() {
        for (String state : new String[] {
            "", "< . 29:29(0) ack 26\nstate FIN_WAIT2\n", "< F. 29:29(0) ack 1\n> . 26:26(0) ack 30\nstate CLOSING\n"
        }) {
            String next = state.contains("CLOSING") ? "30:30(0)" : "29:29(0)";
            script(REJECTED, state, """
                <     R   40:40(0)
                >     .   26:26(0) ack %d
                <     R   %s
                ends
                """.formatted(state.contains("CLOSING") ? 30 : 29, next));
        }
    }

    @Test
    void challengesASynInEveryStateOfTheClose() {
        script(REJECTED, """
            <     S   500000:500000(0)
            >     .   26:26(0) ack 29
            <     .   29:29(0) ack 26
            <     S   500000:500000(0)
            >     .   26:26(0) ack 29
            state FIN_WAIT2
            """);
    }

    @Test
    void resetsAPeerThatSendsDataAfterOurReject() {
        script(REJECTED, """
            <     P.  29:33(4) ack 26  hex 00112233
            >     R.  26:26(0) ack 33
            ends
            """);
    }

    @Test
    void closesAfterAPeerThatClosedBeforeItsRequest() {
        script(Openings.PASSIVE, """
            <     F.  1:1(0) ack 1
            >     F.  1:1(0) ack 2
            state LAST_ACK
            +1s   >   F.  1:1(0) ack 2
            +10   <   F.  1:1(0) ack 1
            >     .   2:2(0) ack 2
            +10   <   .   2:2(0) ack 1
            state LAST_ACK
            +10   <   .   2:2(0) ack 2
            ends
            """);
    }

    @Test
    void givesUpOnAPeerThatNeverAcknowledgesOurFin() {
        script("""
            ~     close 100s
            ~     retries 2
            """, Openings.PASSIVE, """
            <     F.  1:1(0) ack 1
            >     F.  1:1(0) ack 2
            +1s   >   F.  1:1(0) ack 2
            +2s   >   F.  1:1(0) ack 2
            +4s   >   R.  2:2(0) ack 2
            ends
            """);
    }

    @Test
    void isAbortedInEveryStateOfTheClose() {
        script(REJECTED, """
            .     abort
            >     R.  26:26(0) ack 29
            ends
            """);
        script(Openings.PASSIVE, """
            <     F.  1:1(0) ack 1
            >     F.  1:1(0) ack 2
            .     abort
            >     R.  2:2(0) ack 2
            ends
            """);
    }

    @Test
    void acceptsNothingMoreOnTheWayDown() {
        script(REJECTED, """
            .     accept qp 7 = invalid
            .     reject
            .     disconnect
            state FIN_WAIT1
            """);
    }

    @Test
    void isNotStoppedByTheEndOfTheListenerOrTheApplication() {
        script(REJECTED, """
            .     listener-gone
            .     application-gone
            state FIN_WAIT1
            +10   <   F.  29:29(0) ack 26
            >     .   26:26(0) ack 30
            !     time-wait snd 26 rcv 30
            ends
            """);
    }

    @Test
    void opensAnewBeyondTheNumbersThatTimeWaitRemembers() {
        script(REJECTED, """
            +10   <   F.  29:29(0) ack 26
            >     .   26:26(0) ack 30
            !     time-wait snd 26 rcv 30
            ends
            ~     isn our 999000000
            ~     isn peer 50001000
            """, Openings.ASKED);
    }

    @Test
    @Tag("FC-75")
    @Tag("FC-23")
    void acknowledgesARejectAndItsFinAndClosesInTurn() {
        script(Openings.ACTIVE, """
            let   rep = mpa-rep rev 2 ird 3 ord 4 rtr read reject crc pd "NO"
            +10   <   FP. 1:27(26) ack 25  $rep
            !     connect-reply rejected-ulp peer ird 3 ord 4 pd "NO"
            >     F.  25:25(0) ack 28
            state LAST_ACK
            +10   <   FP. 1:27(26) ack 25  $rep
            >     .   26:26(0) ack 28
            +10   <   .   28:28(0) ack 26
            ends
            count connect_errs 1
            """);
    }

    @Test
    @Tag("FC-75")
    void acknowledgesARejectAndWaitsForThePeerToClose() {
        script(Openings.ACTIVE, """
            let   rep = mpa-rep rev 1 plain reject pd "NO"
            +10   <   P.  1:23(22) ack 25  $rep
            !     connect-reply rejected-ulp pd "NO"
            >     .   25:25(0) ack 23
            state MPAREJ_RCVD
            +1s   <   P.  1:23(22) ack 25  $rep
            >     .   25:25(0) ack 23
            +1s   <   F.  23:23(0) ack 25
            >     F.  25:25(0) ack 24
            state LAST_ACK
            +10   <   .   24:24(0) ack 26
            ends
            """);
    }

    @Test
    @Tag("FC-75")
    void closesByItselfWhenThePeerKeepsTcpOpenAfterItsReject() {
        script("~ close 20s\n", Openings.ACTIVE, """
            +10   <   P.  1:21(20) ack 25  mpa-rep rev 1 reject
            !     connect-reply rejected-ulp
            >     .   25:25(0) ack 21
            +20s  >   F.  25:25(0) ack 21
            state FIN_WAIT1
            +10   <   F.  21:21(0) ack 26
            >     .   26:26(0) ack 22
            !     time-wait snd 26 rcv 22
            ends
            """);
    }

    @Test
    @Tag("FC-38")
    void ignoresWhatComesAfterAReject() {
        script(Openings.ACTIVE, """
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 1 reject + hex 00112233
            !     connect-reply rejected-ulp
            >     .   25:25(0) ack 25
            +10   <   P.  25:29(4) ack 25  hex 44556677
            >     .   25:25(0) ack 29
            +10   <   F.  29:29(0) ack 25
            >     F.  25:25(0) ack 30
            <     .   30:30(0) ack 26
            ends
            """);
    }

    @Test
    void resetsTheCloseWhenTheAddressGoesOrTheManagerStops() {
        for (String call : new String[] {"address-down", "shutdown"}) {
            script(REJECTED, """
                .     %s
                >     R.  26:26(0) ack 29
                ends
                """.formatted(call));
        }
    }

    @Test
    void endsInSilenceWhenSomebodyElseHasTheFlow() {
        script(REJECTED, """
            nic   say superseded
            ends
            """);
    }
}
