package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Accepted in the peer-to-peer model: until the RTR has come, the connection does not stand and may yet fail. */
@DisplayName("While the RTR is awaited")
class RtrTest {

    @Test
    @Tag("FC-95")
    void aPeerThatNeverSendsItsRtrIsGivenUp() {
        script("~ accept 12s\n", Openings.ACCEPTED, """
            +12s  !   abort-qp qp 7
            !     accept-failed timeout-mpa
            +10   ae  reset-sent
            ends
            count mpa_timeouts 1
            """);
    }

    @Test
    void aTerminateInsteadOfTheRtrFailsTheAccept() {
        script(Openings.ACCEPTED, """
            ae    terminate-received layer 2 type 0 code 7
            !     accept-failed protocol
            +10   ae  close-complete
            ends
            """);
    }

    @Test
    @Tag("FC-98")
    void whatEndsAConnectionThatWaitsForItsRtrIsToldOnce() {
        for (String[] end : new String[][] {
            {"connection-reset", "reset"},
            {"reset-sent", "reset"},
            {"too-many-retries", "timeout-peer"},
            {"bad-close", "reset"},
            {"close-complete", "reset"},
        }) {
            script(Openings.ACCEPTED, """
                ae    %s
                !     accept-failed %s
                ends
                """.formatted(end[0], end[1]));
        }
    }

    @Test
    void aDisconnectWhileTheRtrIsAwaitedFailsTheAccept() {
        script(Openings.ACCEPTED, """
            .     disconnect
            !     close-qp qp 7
            !     accept-failed local-abort
            ae    rtr-received
            ae    close-complete
            ends
            """);
    }

    @Test
    void anAbortWhileTheRtrIsAwaitedFailsTheAccept() {
        script(Openings.ACCEPTED, """
            .     abort
            !     abort-qp qp 7
            !     accept-failed local-abort
            ae    reset-sent
            ends
            """);
    }

    @Test
    void theManagersStopWhileTheRtrIsAwaitedFailsTheAccept() {
        script(Openings.ACCEPTED, """
            .     shutdown
            !     close-qp qp 7
            !     accept-failed shutdown
            ends
            """);
    }

    @Test
    void anAddressThatGoesWhileTheRtrIsAwaitedFailsTheAccept() {
        script(Openings.ACCEPTED, """
            .     address-down
            !     abort-qp qp 7
            !     accept-failed local-down
            ae    reset-sent
            ends
            """);
    }

    @Test
    void anApplicationThatIsGoneIsToldNothing() {
        script(Openings.ACCEPTED, """
            .     application-gone
            !     close-qp qp 7
            ae    rtr-received
            +5s   ae  close-complete
            ends
            """);
    }

    @Test
    void anAbortOvertakesADisconnect() {
        script(Openings.ACCEPTED, """
            .     disconnect
            !     close-qp qp 7
            !     accept-failed local-abort
            .     abort
            !     abort-qp qp 7
            ae    reset-sent
            ends
            """);
    }

    @Test
    void aFlowThatSomebodyElseHasIsLeftAlone() {
        script(Openings.ACCEPTED, """
            nic   say superseded
            ends
            """);
    }

    @Test
    void aQueuePairThatIsDoneByItselfFailsTheAccept() {
        script(Openings.ACCEPTED, """
            ae    fin-received
            !     accept-failed reset
            !     close-qp qp 7
            ae    rtr-received
            ae    fin-received
            +20s  !   abort-qp qp 7
            ends
            """);
    }
}
