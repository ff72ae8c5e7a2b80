package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shared rules, and those of an initiator that waits for its reply. */
@DisplayName("Waiting for the MPA reply")
class InitiatorRulesTest extends SynchronizedRules {

    @Override
    String opening() {
        return """
            let snd = 25
            let here = 25:25(0)
            let state = MPAREQ_SENT
            let frame = mpa-rep rev 2 ird 3 ord 4 rtr read crc pd "ABCD"
            """ + Openings.ACTIVE;
    }

    @Override
    String whole() {
        return """
            >     .   $here ack 29
            !     hand-over qp 7 rcv 29 rtr read
            !     connect-reply ok ird 4 ord 3 peer ird 3 ord 4 pd "ABCD"
            """;
    }

    @Override
    String lost(String cause) {
        return "!     connect-reply " + cause + "\n";
    }

    @Override
    String refreshed() {
        return """
            <     .   1:1(0) ack 25
            +5s   quiet
            """;
    }

    /** RFC 5044 §7.1.2: a reply answers a request, so its sender has the whole request. */
    @Test
    void resetsAPeerWhoseReplyDoesNotAcknowledgeTheWholeRequest() {
        for (int ack : new int[] {1, 11, 24}) {
            script(opening(), """
                <     P.  1:29(28) ack %d  $frame
                >     R.  25:25(0) ack 29
                !     connect-reply protocol
                ends
                count mpa_malformed 1
                """.formatted(ack));
        }
    }

    @Test
    void takesAReplyThatTheRequestsAcknowledgementPreceded() {
        script(opening(), """
            <     .   1:1(0)   ack 25
            <     P.  1:29(28) ack 11  $frame
            >     .   25:25(0) ack 29
            !     hand-over qp 7 snd 25 una 25 rcv 29
            !     connect-reply ok peer ird 3 ord 4 pd "ABCD"
            """);
    }

    @Test
    void failsWhenThePeerClosesInsteadOfReplying() {
        script(opening(), """
            <     F.  1:1(0) ack 25
            >     R.  25:25(0) ack 2
            !     connect-reply reset
            ends
            count connect_errs 1
            """);
    }

    @Test
    void failsWhenThePeerClosesInTheMiddleOfItsReply() {
        script(opening(), """
            <     P.  1:11(10) ack 25  $frame bytes 0..10
            >     .   25:25(0) ack 11
            <     F.  11:11(0) ack 25
            >     R.  25:25(0) ack 12
            !     connect-reply reset
            ends
            """);
    }

    @Test
    void handsOverAFinThatComesWithAnAcceptingReply() {
        script(opening(), """
            <     FP. 1:29(28) ack 25  $frame
            >     .   25:25(0) ack 30
            !     hand-over qp 7 snd 25 rcv 30 fin
            !     connect-reply ok peer ird 3 ord 4 pd "ABCD"
            """);
    }

    @Test
    @Tag("FC-26")
    void givesThePeerAFixedTimeForItsWholeReply() {
        script(opening(), """
            ~     mpa-reply 60s
            <     .   1:1(0) ack 25
            +30s  <   P.  1:28(27) ack 25  $frame bytes 0..27
            >     .   25:25(0) ack 28
            +30s  >   R.  25:25(0) ack 28
            !     connect-reply timeout-mpa
            ends
            count mpa_timeouts 1
            count pkt_retrans 0
            """);
    }

    @Test
    void takesNoPartInAnythingOfAListener() {
        script(opening(), """
            .     listener-gone
            state MPAREQ_SENT
            """);
    }
}
