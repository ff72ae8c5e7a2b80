package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A queue pair has the connection: from its asynchronous events to DISCONNECT and CLOSE (PROTOCOL §19, §20). */
@DisplayName("After hand-over")
class QueuePairTest {

    private static final String[] UP = {Openings.PASSIVE_UP, Openings.ACTIVE_UP};

    private static void bothEnds(String... scenario) {
        for (String opening : UP) {
            script(opening, String.join("\n", scenario));
        }
    }

    @Test
    void ourDisconnectEndsWhenTheQueuePairIsDone() {
        bothEnds("""
            .     disconnect
            !     close-qp qp 7
            +5s   ae  close-complete
            !     disconnected
            !     closed
            ends
            """);
    }

    @Test
    @Tag("FC-76")
    void thePeersCloseIsToldAndAnswered() {
        bothEnds("""
            ae    fin-received
            !     disconnected
            !     close-qp qp 7
            +5s   ae  close-complete
            !     closed
            ends
            """);
    }

    @Test
    @Tag("FC-76")
    void aPeerThatClosesAndThenSaysNothingIsGivenUp() {
        bothEnds("""
            ~     close 20s
            ae    fin-received
            !     disconnected
            !     close-qp qp 7
            +20s  !   abort-qp qp 7
            !     closed timeout-peer
            ends
            """);
    }

    @Test
    @Tag("FC-76")
    void aTerminateOfOursEndsOrderly() {
        bothEnds("""
            ae    terminate-sent
            !     disconnected protocol
            +1s   ae  close-complete
            !     closed protocol
            ends
            """);
    }

    @Test
    @Tag("FC-76")
    void aTerminateOfThePeersEndsOrderly() {
        bothEnds("""
            ae    terminate-received layer 0 type 1 code 3
            !     disconnected protocol
            +1s   ae  fin-received
            +1s   ae  close-complete
            !     closed protocol
            ends
            """);
    }

    @Test
    @Tag("FC-76")
    void aTerminateWithoutAnEndIsGivenUp() {
        bothEnds("""
            ~     close 20s
            ae    terminate-sent
            !     disconnected protocol
            +20s  !   abort-qp qp 7
            !     closed protocol
            ends
            """);
    }

    @Test
    @Tag("FC-76")
    void doubtIsOnlyAnEarlyWarning() {
        bothEnds("""
            ae    doubt-reachability
            ae    lsmm-acknowledged
            ae    connection-established
            state OFFLOADED
            +1h   quiet
            """);
    }

    @Test
    @Tag("FC-76")
    void tooManyRetriesMeanAPeerThatIsGone() {
        bothEnds("""
            ae    doubt-reachability
            ae    too-many-retries
            !     disconnected timeout-peer
            !     closed timeout-peer
            ends
            """);
    }

    @Test
    void aResetOfThePeersEndsAtOnce() {
        bothEnds("""
            ae    connection-reset
            !     disconnected reset
            !     closed reset
            ends
            """);
    }

    @Test
    void aResetOfOursEndsAtOnce() {
        bothEnds("""
            ae    reset-sent
            !     disconnected reset
            !     closed reset
            ends
            """);
    }

    @Test
    void aFinInTheMiddleOfWorkIsAnError() {
        bothEnds("""
            ae    bad-close
            !     disconnected reset
            !     closed reset
            ends
            """);
    }

    @Test
    void brokenFramesAreProtocolErrors() {
        for (String event : new String[] {"mpa-crc-error", "mpa-marker-error"}) {
            bothEnds("""
                ae    %s
                !     disconnected protocol
                ae    terminate-sent
                ae    close-complete
                !     closed protocol
                ends
                """.formatted(event));
        }
    }

    @Test
    @Tag("FC-52")
    void bothSidesMayCloseAtOnce() {
        bothEnds("""
            .     disconnect
            !     close-qp qp 7
            ae    fin-received
            !     disconnected
            .     disconnect
            ae    close-complete
            !     closed
            ends
            """);
        bothEnds("""
            ae    fin-received
            !     disconnected
            !     close-qp qp 7
            .     disconnect
            ae    fin-received
            ae    close-complete
            !     closed
            ends
            """);
    }

    @Test
    @Tag("FC-52")
    void aDisconnectCrossesAReset() {
        bothEnds("""
            .     disconnect
            !     close-qp qp 7
            ae    connection-reset
            !     disconnected reset
            !     closed reset
            ends
            .     disconnect
            .     disconnect
            """);
    }

    @Test
    void anAbortResetsThePeer() {
        bothEnds("""
            .     abort
            !     abort-qp qp 7
            ae    reset-sent
            !     disconnected local-abort
            !     closed local-abort
            ends
            """);
    }

    @Test
    void anAbortOvertakesADisconnect() {
        bothEnds("""
            .     disconnect
            !     close-qp qp 7
            .     abort
            !     abort-qp qp 7
            ae    reset-sent
            !     disconnected local-abort
            !     closed local-abort
            ends
            """);
    }

    @Test
    void anAbortThatTheQueuePairNeverReportsEndsAllTheSame() {
        bothEnds("""
            ~     close 20s
            .     abort
            !     abort-qp qp 7
            +20s  !   abort-qp qp 7
            !     disconnected local-abort
            !     closed local-abort
            ends
            """);
    }

    @Test
    void anAddressThatGoesTakesTheConnectionWithIt() {
        bothEnds("""
            .     address-down
            !     abort-qp qp 7
            ae    reset-sent
            !     disconnected local-down
            !     closed local-down
            ends
            """);
    }

    @Test
    void anApplicationThatIsGoneIsToldNothing() {
        bothEnds("""
            .     application-gone
            !     close-qp qp 7
            +5s   ae  close-complete
            ends
            """);
        bothEnds("""
            ae    fin-received
            !     disconnected
            !     close-qp qp 7
            .     application-gone
            +5s   ae  close-complete
            ends
            """);
    }

    @Test
    void anApplicationThatIsGoneLeavesNothingThatLastsForEver() {
        bothEnds("""
            ~     close 20s
            .     application-gone
            !     close-qp qp 7
            +20s  !   abort-qp qp 7
            ends
            """);
    }

    @Test
    void theManagersStopIsTold() {
        bothEnds("""
            .     shutdown
            !     close-qp qp 7
            !     disconnected shutdown
            !     closed shutdown
            ends
            """);
    }

    @Test
    void aFlowThatSomebodyElseHasIsLeftAlone() {
        bothEnds("""
            nic   say superseded
            ends
            """);
    }

    @Test
    @Tag("FC-67")
    void staleTicksChangeNothing() {
        bothEnds("""
            .     stale-tick retransmit
            .     stale-tick deadline
            state OFFLOADED
            """);
        script(Openings.ACCEPTED, """
            .     stale-tick deadline
            .     stale-tick retransmit
            state OFFLOADED
            """);
    }
}
