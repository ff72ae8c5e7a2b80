package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A listener is destroyed while connections came by it. */
@DisplayName("When the listener goes")
@Tag("FC-34")
class ListenerGoneTest {

    @Test
    void nothingIsSentForAConnectionThatSentNothingYet() {
        for (String order : new String[] {"ah", "quad"}) {
            script("""
                nic   hold %s
                .     listen 4420
                <     S   0:0(0)
                state INITED
                .     listener-gone
                ends
                """.formatted(order));
        }
    }

    @Test
    void aHalfOpenConnectionIsReset() {
        script("""
            .     listen 4420
            <     S   0:0(0)
            >     S.  0:0(0) ack 1
            .     listener-gone
            >     R.  1:1(0) ack 1
            ends
            count passive_errs 1
            """);
    }

    @Test
    void aConnectionThatWaitsForItsRequestIsReset() {
        script(Openings.PASSIVE, """
            .     listener-gone
            >     R.  1:1(0) ack 1
            ends
            """);
    }

    @Test
    void aConnectionThatWaitsForTheApplicationIsResetAndItsAcceptFails() {
        script(Openings.ASKED, """
            .     listener-gone
            >     R.  1:1(0) ack 29
            state LISTENER_DESTROYED
            +1h   .   accept qp 7 = invalid
            ends
            """);
    }

    @Test
    void aConnectionThatWaitsForTheApplicationIsResetAndItsRejectIsTaken() {
        for (String call : new String[] {"reject pd \"NO\"", "disconnect", "abort"}) {
            script(Openings.ASKED, """
                .     listener-gone
                >     R.  1:1(0) ack 29
                .     %s
                ends
                """.formatted(call));
        }
    }

    @Test
    void aConnectionThatWaitsForAnApplicationThatIsGoneEnds() {
        script(Openings.ASKED, """
            .     listener-gone
            >     R.  1:1(0) ack 29
            .     application-gone
            ends
            """);
    }

    @Test
    void aConnectionThatWaitsForTheApplicationDoesNotWaitForEver() {
        script("~ decision 30s\n", Openings.ASKED, """
            +10s  .   listener-gone
            >     R.  1:1(0) ack 29
            +20s  ends
            """);
    }

    @Test
    void aConnectionThatThePeerHasClosedIsReset() {
        script(Openings.ASKED, """
            <     F.  29:29(0) ack 1
            >     .   1:1(0) ack 30
            .     listener-gone
            >     R.  1:1(0) ack 30
            state LISTENER_DESTROYED
            .     accept qp 7 = invalid
            ends
            """);
    }

    @Test
    void aConnectionThatThePeerHasResetIsNotResetAgain() {
        script(Openings.ASKED, """
            <     R   29:29(0)
            .     listener-gone
            state LISTENER_DESTROYED
            .     accept qp 7 = invalid
            ends
            """);
    }

    @Test
    void nothingIsSentByAConnectionOfADestroyedListener() {
        script(Openings.ASKED, """
            .     listener-gone
            >     R.  1:1(0) ack 29
            <     P.  29:33(4) ack 1  hex 00112233
            <     R   29:29(0)
            <     S   500000:500000(0)
            nic   say quad-ready
            .     address-down
            .     listener-gone
            state LISTENER_DESTROYED
            """);
    }

    @Test
    void anAcceptThatTheQueuePairIsTakingGoesOn() {
        script(Openings.ASKED_CLIENT_SERVER, """
            nic   hold qp
            .     accept qp 7 ird 4 ord 4 = pending
            !     hand-over qp 7 snd 1 rcv 25  lsmm mpa-rep rev 2 no-p2p ird 4 ord 4 crc
            .     listener-gone
            nic   release qp
            !     answered ok
            !     established ird 4 ord 4
            """);
    }

    @Test
    void aConnectionThatWaitsForItsRtrGoesOn() {
        script(Openings.ACCEPTED, """
            .     listener-gone
            ae    rtr-received
            !     established ird 4 ord 4
            """);
    }

    @Test
    void aConnectionThatStandsGoesOn() {
        script(Openings.PASSIVE_UP, """
            .     listener-gone
            state OFFLOADED
            .     disconnect
            !     close-qp
            ae    close-complete
            !     disconnected
            !     closed
            ends
            """);
    }

    @Test
    void aNewSynIsNotAnswered() {
        script("""
            .     listen 4420
            <     S   0:0(0)
            >     S.  0:0(0) ack 1
            .     listener-gone
            >     R.  1:1(0) ack 1
            ends
            <     S   500:500(0)
            count nodes_created 1
            """);
    }
}
