package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The NIC is slow, refuses, or answers too late. */
@DisplayName("When the NIC fails")
class NicFailureTest {

    private static final String LISTEN = ".     listen 4420\n";

    @Test
    @Tag("FC-59")
    void aPassiveOpenWithoutAnAddressHandleEndsInSilence() {
        script(LISTEN, """
            nic   fail ah
            <     S   0:0(0)
            ends
            count ah_failures 1
            count passive_errs 1
            """);
    }

    @Test
    @Tag("FC-59")
    void aPassiveOpenThatSteeringRefusesEndsInSilence() {
        for (String why : new String[] {"quad-taken", "resources", "device", "not-listening"}) {
            script(LISTEN, """
                nic   fail quad %s
                <     S   0:0(0)
                ends
                count steering_failures 1
                count backlog_drops 0
                """.formatted(why));
        }
    }

    @Test
    void aSynIsDroppedNotResetWhenTheBacklogIsFull() {
        script("""
            .     listen 4420 backlog 0
            <     S   0:0(0)
            ends
            count backlog_drops 1
            count steering_failures 0
            """);
    }

    @Test
    @Tag("FC-59")
    void aPassiveOpenDoesNotWaitForEverForTheNic() {
        for (String order : new String[] {"ah", "quad"}) {
            script(LISTEN, """
                ~     address 5s
                nic   hold %s
                <     S   0:0(0)
                +5s   ends
                nic   release %s
                +1h   quiet
                """.formatted(order, order));
        }
    }

    @Test
    @Tag("FC-59")
    void aPassiveOpenThatThePeerGaveUpEnds() {
        for (String order : new String[] {"ah", "quad"}) {
            script(LISTEN, """
                nic   hold %s
                <     S   0:0(0)
                <     R   1:1(0)
                ends
                """.formatted(order));
        }
    }

    @Test
    void theSynAckWaitsUntilItsAnswerWouldBeCaught() {
        script(LISTEN, """
            nic   hold ah
            nic   hold quad
            <     S   0:0(0)
            +100  nic release ah
            +100  nic release quad
            >     S.  0:0(0) ack 1
            """);
    }

    @Test
    void aRepeatedSynDoesNotStartASecondOpen() {
        script(LISTEN, """
            nic   hold ah
            <     S   0:0(0)
            +1s   <   S   0:0(0)
            +1s   nic release ah
            >     S.  0:0(0) ack 1
            count nodes_created 1
            """);
    }

    @Test
    void theSynWaitsUntilItsAnswerWouldBeCaught() {
        script("""
            nic   hold ah
            nic   hold quad
            .     connect
            +100  nic release ah
            +100  nic release quad
            >     S   0:0(0)
            """);
    }

    @Test
    @Tag("FC-57")
    void aConnectFailsWhenTheNextHopDoesNotAnswer() {
        for (String why : new String[] {"neighbour-unreachable", "no-route"}) {
            script("""
                nic   hold ah
                .     connect
                +2s   nic fail ah %s
                !     connect-reply unreachable
                ends
                count ah_failures 1
                count connect_errs 1
                """.formatted(why));
        }
    }

    @Test
    void aConnectFromAnAddressThatIsNotOursFails() {
        script("""
            nic   fail ah not-local
            .     connect
            !     connect-reply address-not-available
            ends
            """);
    }

    @Test
    void aConnectOnATakenFlowFails() {
        script("""
            nic   fail quad quad-taken
            .     connect
            !     connect-reply address-in-use
            ends
            count steering_failures 1
            """);
    }

    @Test
    void aConnectFailsWhenTheNicHasNoRoom() {
        for (String order : new String[] {"ah", "quad"}) {
            script("""
                nic   fail %s resources
                .     connect
                !     connect-reply resources
                ends
                """.formatted(order));
        }
    }

    @Test
    void aConnectDoesNotWaitForEverForTheNic() {
        for (String order : new String[] {"ah", "quad"}) {
            script("""
                ~     address 5s
                nic   hold %s
                .     connect
                +5s   !   connect-reply unreachable
                ends
                nic   release %s
                +1h   quiet
                """.formatted(order, order));
        }
    }

    @Test
    void aConnectIsWithdrawnWhileTheNicIsSlow() {
        for (String order : new String[] {"ah", "quad"}) {
            script("""
                nic   hold %s
                .     connect
                .     disconnect
                !     connect-reply local-abort
                ends
                """.formatted(order));
        }
    }

    @Test
    void nothingIsLeftOfAConnectWhoseApplicationIsGoneWhileTheNicIsSlow() {
        for (String order : new String[] {"ah", "quad"}) {
            script("""
                nic   hold %s
                .     connect
                .     application-gone
                ends
                """.formatted(order));
        }
    }

    @Test
    void anAddressThatGoesWhileTheNicIsSlowEndsTheOpen() {
        script("""
            nic   hold quad
            .     connect
            .     address-down
            !     connect-reply local-down
            ends
            """);
        script(LISTEN, """
            nic   hold quad
            <     S   0:0(0)
            .     address-down
            ends
            """);
    }

    @Test
    void answersThatNobodyWaitsForChangeNothing() {
        script(Openings.SYN_SENT, """
            nic   say ah-ready
            nic   say quad-ready
            nic   say ah-failed device
            nic   say quad-failed device
            nic   say modify-qp-failed device
            ae    rtr-received
            state SYN_SENT
            """);
        script(LISTEN, """
            <     S   0:0(0)
            >     S.  0:0(0) ack 1
            nic   say ah-ready
            nic   say quad-ready
            nic   say quad-failed resources
            state SYN_RCVD
            """);
    }

    @Test
    void anAnswerToAnotherOrderDoesNotCountForTheFirst() {
        script("""
            nic   hold ah
            .     connect
            nic   say modify-qp-failed device
            ae    connection-established
            state INITED
            """);
    }

    @Test
    void isSilentWhenSomebodyElseHasTheFlow() {
        for (String opening : new String[] {"nic hold ah\n. connect", "nic hold quad\n. connect", Openings.SYN_SENT}) {
            script(opening, """

                nic   say superseded
                ends
                """);
        }
    }

    @Test
    @Tag("FC-30")
    void anAcceptFailsWhenTheQueuePairNeverAnswers() {
        script("~ accept 12s\n", Openings.ASKED, """
            nic   hold qp
            .     accept qp 7 ird 4 ord 4 = pending
            !     hand-over qp 7 snd 1 rcv 29  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
            +12s  !   abort-qp qp 7
            !     answered timeout-mpa
            ends
            """);
    }

    @Test
    @Tag("FC-30")
    void aConnectFailsWhenTheQueuePairNeverAnswers() {
        script("""
            ~     accept 12s
            nic   hold qp
            """, Openings.ACTIVE, """
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     .   25:25(0) ack 25
            !     hand-over qp 7 snd 25 rcv 25
            +12s  !   abort-qp qp 7
            !     connect-reply timeout-mpa
            ends
            """);
    }

    @Test
    void aHandOverIsWithdrawnForAnApplicationThatIsGone() {
        script("nic hold qp\n", Openings.ACTIVE, """
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     .   25:25(0) ack 25
            !     hand-over qp 7 snd 25 rcv 25
            .     application-gone
            !     abort-qp qp 7
            +1s   ae  reset-sent
            ends
            """);
        script(Openings.ASKED, """
            nic   hold qp
            .     accept qp 7 ird 4 ord 4 = pending
            !     hand-over qp 7 snd 1 rcv 29  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
            .     application-gone
            !     abort-qp qp 7
            !     answered local-abort
            +1s   ae  reset-sent
            ends
            """);
    }

    @Test
    void aHandOverForATerminateEndsWithTheManager() {
        script("""
            ~     depths-max ird 6 ord 8
            nic   hold qp
            """, Openings.ACTIVE, """
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 4 ord 7 rtr read crc
            >     .   25:25(0) ack 25
            !     connect-reply resources peer ird 4 ord 7
            !     hand-over qp 7 snd 25 rcv 25
            !     terminate qp 7 layer 2 type 0 code 6
            .     shutdown
            !     abort-qp qp 7
            ends
            """);
    }

    @Test
    void aHandOverIsWithdrawnWhileTheQueuePairIsSlow() {
        script(Openings.ASKED, """
            nic   hold qp
            .     accept qp 7 ird 4 ord 4 = pending
            !     hand-over qp 7 snd 1 rcv 29  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
            .     disconnect
            !     abort-qp qp 7
            !     answered local-abort
            +1s   ae  reset-sent
            ends
            """);
    }
}
