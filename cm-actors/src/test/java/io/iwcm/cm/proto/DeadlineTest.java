package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer (or NIC, or queue pair) that goes silent in any phase: the connection ends, at its deadline. */
@DisplayName("Deadlines")
class DeadlineTest {

    /** So many that no phase ends before its deadline for want of tries. */
    private static final String MANY_TRIES = """
        ~     retries 1000
        ~     rto 1h
        ~     rto-max 1h
        """;

    private static void ends(String setting, String opening, String... last) {
        script(MANY_TRIES, "~ " + setting + "\n", opening, String.join("\n", last), "\nends\n+10h quiet\n");
    }

    @Test
    void ofTheAddress() {
        ends("address 7s", "nic hold ah\n. connect", "\n+7s ! connect-reply unreachable");
        ends("address 7s", "nic hold ah\n. listen 4420\n< S 0:0(0)", "\n+7s");
        ends("address 7s", "nic hold quad\n. connect", "\n+7s ! connect-reply unreachable");
        ends("address 7s", "nic hold quad\n. listen 4420\n< S 0:0(0)", "\n+7s");
    }

    @Test
    void ofTheAddressAndSteeringTogether() {
        ends(
                "address 7s",
                "nic hold ah\nnic hold quad\n. connect",
                "\n+4s nic release ah\n+3s ! connect-reply unreachable");
    }

    @Test
    void ofTheSyn() {
        ends("syn 9s", Openings.SYN_SENT, "+9s ! connect-reply timeout-syn");
    }

    @Test
    void ofTheSynAck() {
        ends("syn-rcvd 9s", ". listen 4420\n< S 0:0(0)\n> S. 0:0(0) ack 1\n", "+9s");
    }

    @Test
    @Tag("FC-02")
    void ofTheMpaRequest() {
        ends("mpa-request 9s", Openings.PASSIVE, "+9s > R. 1:1(0) ack 1");
    }

    @Test
    @Tag("FC-31")
    void ofTheMpaReply() {
        ends("mpa-reply 9s", Openings.ACTIVE, "+9s > R. 25:25(0) ack 1", "! connect-reply timeout-mpa");
    }

    @Test
    void ofTheDecision() {
        ends("decision 9s", Openings.ASKED, """
            +9s > FP. 1:25(24) ack 29
            +10 < F. 29:29(0) ack 26
            > . 26:26(0) ack 30
            ! time-wait snd 26 rcv 30
            """);
    }

    @Test
    void ofTheDecisionAfterThePeerHasReset() {
        ends("decision 9s", Openings.ASKED, "+4s < R 29:29(0)", "+5s");
    }

    /** RFC 9293 §3.8.3, MUST-21: the application may set R2 of its connection, to more and to less. */
    @Test
    void ofTheSynAsTheApplicationWantsIt() {
        for (String syn : new String[] {"3s", "200s"}) {
            ends("syn " + syn, ". connect within 9s\n> S 0:0(0)\n", "+9s ! connect-reply timeout-syn");
        }
    }

    @Test
    void ofTheAcceptThatNoQueuePairTakes() {
        ends("accept 9s", Openings.ASKED_CLIENT_SERVER + """
            nic hold qp
            . accept qp 7 ird 4 ord 4 = pending
            ! hand-over qp 7 lsmm mpa-rep rev 2 no-p2p ird 4 ord 4 crc
            """, "+9s ! abort-qp\n! answered timeout-mpa");
        ends("accept 9s", "nic hold qp\n" + Openings.ACTIVE + """
            < P. 1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            > . 25:25(0) ack 25
            ! hand-over qp 7
            """, "+9s ! abort-qp\n! connect-reply timeout-mpa");
    }

    @Test
    void ofTheRtr() {
        ends("accept 3s\n~ rtr-wait 9s", Openings.ACCEPTED, """
            +9s ! abort-qp
            ! accept-failed timeout-mpa
            count mpa_timeouts 1
            ae reset-sent
            """);
    }

    @Test
    void ofTheClose() {
        String rejected = Openings.ASKED + """
            . reject
            > FP. 1:25(24) ack 29
            """;
        ends("close 9s", rejected, "+9s > R. 26:26(0) ack 29");
        ends("close 9s", rejected + "+3s < . 29:29(0) ack 26\n", "+6s > R. 26:26(0) ack 29");
        ends("close 9s", rejected + "+3s < F. 29:29(0) ack 1\n> . 26:26(0) ack 30\n", "+6s");
        ends("close 9s", Openings.PASSIVE + "< F. 1:1(0) ack 1\n> F. 1:1(0) ack 2\n", "+9s > R. 2:2(0) ack 2");
    }

    @Test
    void ofTheQueuePairsClose() {
        ends("close 9s", Openings.PASSIVE_UP + ". disconnect\n! close-qp\n", """
            +9s ! abort-qp
            ! disconnected timeout-peer
            ! closed timeout-peer
            """);
        ends("close 9s", Openings.PASSIVE_UP + ". abort\n! abort-qp\n", """
            +9s ! abort-qp
            ! disconnected local-abort
            ! closed local-abort
            """);
        ends("close 9s", Openings.ACTIVE_UP + "ae terminate-sent\n! disconnected protocol\n", """
            +9s ! abort-qp
            ! closed protocol
            """);
    }

    @Test
    void areNotMovedByWhatThePeerSends() {
        ends("mpa-request 9s", Openings.PASSIVE, """
            +4s < . 1:1(0) ack 1
            +4s < P. 1:2(1) ack 1 "M"
            > . 1:1(0) ack 2
            +1s > R. 1:1(0) ack 2
            """);
        ends("syn 9s", Openings.SYN_SENT, """
            +4s < . 77:77(0) ack 9999
            > R 9999:9999(0)
            +5s ! connect-reply timeout-syn
            """);
    }

    @Test
    @Tag("FC-31")
    @Tag("FC-67")
    void areGoneWhenTheirPhaseIs() {
        script(Openings.ACTIVE_UP, "+100h quiet\n");
        script(Openings.PASSIVE_UP, "+100h quiet\n");
        script(Openings.ASKED, "+100h quiet\n");
    }
}
