package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ICMP errors, which anybody can write (PROTOCOL §7.15, RFC 9293 §3.9.2.2, RFC 5927). */
@DisplayName("ICMP errors")
class IcmpTest {

    private static final String SYN_RCVD = """
        .     listen 4420
        <     S   0:0(0)
        >     S.  0:0(0) ack 1
        """;

    /** A rejecting reply of 532 octets is out: with its headers a packet of 572. */
    private static final String LONG_REJECT = Openings.PASSIVE + """
        <     P.  1:21(20) ack 1   mpa-req rev 1
        >     .   1:1(0)   ack 21
        !     connect-request rev 1
        .     reject pd fill 512
        >     FP. 1:533(532) ack 21
        """;

    @Test
    void ofThePortEndAConnectAsARefusal() {
        script(Openings.SYN_SENT, """
            icmp  port-unreachable seq 0
            !     connect-reply refused-tcp
            ends
            count icmp_believed 1
            """);
    }

    @Test
    void ofTheProtocolEndAConnectAsUnreachable() {
        script(Openings.SYN_SENT, """
            icmp  protocol-unreachable seq 0
            !     connect-reply unreachable
            ends
            """);
    }

    @Test
    void thatAreSoftNeverEndAConnectButAreTheReasonWhenNobodyAnswers() {
        script("~ syn 2s\n", Openings.SYN_SENT, """
            icmp  soft seq 0
            state SYN_SENT
            count icmp_believed 1
            +1s   >   S   0:0(0)
            +1s   !   connect-reply unreachable
            ends
            """);
        script("~ retries 0\n", Openings.SYN_SENT, """
            icmp  soft seq 0
            +1s   !   connect-reply unreachable
            ends
            """);
    }

    @Test
    void thatAreSoftAreForgottenWhenThePeerAnswers() {
        script("~ retries 0\n", Openings.SYN_SENT, """
            icmp  soft seq 0
            <     S.  0:0(0)   ack 1
            >     P.  1:25(24) ack 1
            +1s   >   R.  25:25(0) ack 1
            !     connect-reply timeout-mpa
            """);
    }

    @Test
    void areRememberedAcrossASimultaneousOpen() {
        for (String retries : new String[] {"~ retries 0\n", "~ rto 5s\n~ syn 1s\n"}) {
            script(retries, Openings.SYN_SENT, """
                icmp  soft seq 0
                <     S   0:0(0)
                >     S.  0:0(0) ack 1
                +1s   !   connect-reply unreachable
                ends
                """);
        }
        script("~ retries 0\n", Openings.SYN_SENT, """
            <     S   0:0(0)
            >     S.  0:0(0) ack 1
            icmp  soft seq 0
            +1s   !   connect-reply unreachable
            ends
            """);
        script(Openings.SYN_SENT, """
            <     S   0:0(0)
            >     S.  0:0(0) ack 1
            icmp  port-unreachable seq 0
            !     connect-reply refused-tcp
            ends
            """);
    }

    @Test
    void areWorthNothingUnlessTheyQuoteWhatIsInFlight() {
        for (String problem : new String[] {"port-unreachable", "protocol-unreachable", "soft", "packet-too-big"}) {
            for (int seq : new int[] {-1, 1, 5_000}) {
                script("~ retries 0\n", Openings.SYN_SENT, """
                    icmp  %s seq %d
                    state SYN_SENT
                    count icmp_believed 0
                    count icmp_ignored 1
                    +1s   !   connect-reply timeout-syn
                    """.formatted(problem, seq));
                script("~ retries 0\n", SYN_RCVD, """
                    icmp  %s seq %d
                    state SYN_RCVD
                    count icmp_ignored 1
                    +1s   ends
                    """.formatted(problem, seq));
            }
        }
    }

    @Test
    void thatAreHardEndAHalfOpenConnectionInSilence() {
        for (String problem : new String[] {"port-unreachable", "protocol-unreachable"}) {
            script(SYN_RCVD, """
                icmp  %s seq 0
                ends
                count passive_errs 1
                """.formatted(problem));
        }
        script(SYN_RCVD, """
            icmp  soft seq 0
            state SYN_RCVD
            <     .   1:1(0) ack 1
            state ESTABLISHED
            """);
    }

    @Test
    void neverEndAConnectionWhoseTcpStands() {
        for (String problem : new String[] {"port-unreachable", "protocol-unreachable", "soft"}) {
            script(Openings.ACTIVE, """
                icmp  %s seq 1
                icmp  %1$s seq 24
                state MPAREQ_SENT
                count icmp_believed 2
                """.formatted(problem));
            script(Openings.PASSIVE, """
                icmp  %s seq 0
                icmp  %1$s seq 1
                state ESTABLISHED
                count icmp_ignored 2
                """.formatted(problem));
            script(Openings.ASKED, """
                icmp  %s seq 0
                icmp  %1$s seq 1
                state MPAREQ_RCVD
                count icmp_ignored 2
                """.formatted(problem));
            script(LONG_REJECT, """
                icmp  %s seq 1
                icmp  %1$s seq 533
                state FIN_WAIT1
                count icmp_believed 2
                """.formatted(problem));
            script(Openings.ACTIVE_UP, """
                icmp  %s seq 1
                icmp  %1$s seq 25
                state OFFLOADED
                count icmp_ignored 2
                """.formatted(problem));
        }
    }

    /** 20 octets of request and 512 of private data are a packet of 572. */
    @Test
    void ofTooBigAPacketMakeOurSegmentsSmallerButNotSmallerThanTheFloor() {
        for (int mtu : new int[] {0, 68, 552, 571}) {
            script("""
                .     connect v1 pd fill 512
                >     S   0:0(0) mss 1460
                <     S.  0:0(0)     ack 1  mss 1460
                >     P.  1:533(532) ack 1
                icmp  packet-too-big seq 1 mtu %d
                count icmp_believed 1
                icmp  packet-too-big seq 1 mtu %1$d
                count icmp_believed 1
                count icmp_ignored 1
                +1s   >   P.  1:533(532) ack 1
                <     P.  1:21(20)   ack 533  mpa-rep rev 1 crc
                >     .   533:533(0) ack 21
                !     hand-over qp 7 mss 536
                !     connect-reply ok
                """.formatted(mtu));
        }
    }

    /** No honest router complains of a packet that fits. */
    @Test
    void ofTooBigAPacketAreNotBelievedWhenWhatIsInFlightFits() {
        script("""
            .     connect v1 pd fill 512
            >     S   0:0(0)
            <     S.  0:0(0)     ack 1  mss 1460
            >     P.  1:533(532) ack 1
            icmp  packet-too-big seq 1 mtu 572
            icmp  packet-too-big seq 1 mtu 1400
            icmp  packet-too-big seq 533 mtu 68
            icmp  packet-too-big seq 0 mtu 68
            count icmp_believed 0
            count icmp_ignored 4
            <     P.  1:21(20)   ack 533  mpa-rep rev 1 crc
            >     .   533:533(0) ack 21
            !     hand-over qp 7 mss 1460
            !     connect-reply ok
            """);
    }

    @Test
    void ofTooBigAPacketStopAtTheLeastMtuOfIpv6() {
        script("""
            ~     family v6
            .     connect v1 pd fill 512
            >     S   0:0(0) mss 1440
            <     S.  0:0(0)     ack 1  mss 1440
            >     P.  1:533(532) ack 1
            icmp  packet-too-big seq 1 mtu 500
            count icmp_believed 1
            <     P.  1:21(20)   ack 533  mpa-rep rev 1 crc
            >     .   533:533(0) ack 21
            !     hand-over qp 7 mss 1220
            !     connect-reply ok
            """);
    }

    @Test
    void beforeAnythingIsSentAreIgnored() {
        script("""
            nic   hold ah
            .     connect
            icmp  port-unreachable seq 0
            state INITED
            count icmp_ignored 1
            """);
    }
}
