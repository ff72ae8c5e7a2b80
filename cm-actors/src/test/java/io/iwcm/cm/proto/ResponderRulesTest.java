package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shared rules, and those of a responder that waits for its request. */
@DisplayName("Waiting for the MPA request")
class ResponderRulesTest extends SynchronizedRules {

    @Override
    String opening() {
        return """
            let snd = 1
            let here = 1:1(0)
            let state = ESTABLISHED
            let frame = mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "ABCD"
            """ + Openings.PASSIVE;
    }

    @Override
    String whole() {
        return """
            >     .   $here ack 29
            !     connect-request rev 2 ird 4 ord 3 pd "ABCD"
            """;
    }

    @Override
    String lost(String cause) {
        return "";
    }

    @Override
    String refreshed() {
        return "+5s   quiet\n";
    }

    @Test
    void saysNothingToAnApplicationThatWasNeverAsked() {
        script(opening(), """
            <     R   1:1(0)
            ends
            count passive_errs 1
            count nodes_destroyed 1
            """);
    }

    @Test
    void endsQuietlyWhenThePeerClosesWithoutARequest() {
        script(opening(), """
            <     F.  1:1(0) ack 1
            >     F.  1:1(0) ack 2
            state LAST_ACK
            <     .   2:2(0) ack 2
            ends
            count passive_errs 1
            """);
    }

    @Test
    void endsQuietlyWhenThePeerClosesAfterHalfARequest() {
        script(opening(), """
            <     P.  1:11(10) ack 1  $frame bytes 0..10
            >     .   1:1(0) ack 11
            <     F.  11:11(0) ack 1
            >     F.  1:1(0) ack 12
            <     .   12:12(0) ack 2
            ends
            """);
    }

    /** Text goes before the FIN of its segment (RFC 9293 §3.10.7.4): the application is asked as if it had come later. */
    @Test
    @Tag("FC-28")
    void asksTheApplicationWhenThePeerClosesWithItsRequest() {
        for (String call : new String[] {"accept qp 7 = reset", "reject pd \"NO\"", "disconnect", "application-gone"}) {
            script(opening(), """
                <     FP. 1:29(28) ack 1  $frame
                >     .   1:1(0) ack 30
                !     connect-request rev 2 ird 4 ord 3 pd "ABCD"
                state CLOSE_WAIT
                +1s   .   %s
                >     F.  1:1(0) ack 30
                state LAST_ACK
                +10   <   .   30:30(0) ack 2
                ends
                """.formatted(call));
        }
    }

    @Test
    void onlyClosesWhenThePeerClosesWithARequestThatPolicyRefuses() {
        script("~ crc strict-off\n", opening(), """
            <     FP. 1:29(28) ack 1  $frame
            >     F.  1:1(0) ack 30
            state LAST_ACK
            count passive_errs 1
            """);
    }

    @Test
    @Tag("FC-02")
    void givesThePeerAFixedTimeForItsWholeRequest() {
        script(opening(), """
            ~     mpa-request 10s
            <     P.  1:2(1) ack 1    $frame bytes 0..1
            >     .   1:1(0) ack 2
            +4s   <   P.  2:20(18) ack 1  $frame bytes 1..19
            >     .   1:1(0) ack 20
            +4s   <   P.  20:28(8) ack 1  $frame bytes 19..27
            >     .   1:1(0) ack 28
            +2s   >   R.  1:1(0) ack 28
            ends
            count mpa_timeouts 1
            count passive_errs 1
            """);
    }

    @Test
    @Tag("FC-02")
    void takesPiecesThatComeASecondApart() {
        script(opening(), """
            <     P.  1:2(1) ack 1    $frame bytes 0..1
            >     .   1:1(0) ack 2
            +1s   <   P.  2:20(18) ack 1  $frame bytes 1..19
            >     .   1:1(0) ack 20
            +1s   <   P.  20:21(1) ack 1  $frame bytes 19..20
            >     .   1:1(0) ack 21
            +1s   <   P.  21:29(8) ack 1  $frame bytes 20..28
            """, whole());
    }

    @Test
    void isNotFoundByTheApplicationBeforeItsRequest() {
        script(opening(), """
            .     disconnect = invalid
            .     abort = invalid
            """);
    }
}
