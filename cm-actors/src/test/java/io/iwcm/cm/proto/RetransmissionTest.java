package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent again, when, how often, and what is not. */
class RetransmissionTest {

    @Test
    void sendsTheSynAgainTwiceAsLateEachTime() {
        script("~ retries 6\n", Openings.SYN_SENT, """
            +1s   >   S   0:0(0) mss 1460 ws 2
            +2s   >   S   0:0(0) mss 1460 ws 2
            +4s   >   S   0:0(0) mss 1460 ws 2
            +8s   >   S   0:0(0) mss 1460 ws 2
            +16s  >   S   0:0(0) mss 1460 ws 2
            +32s  >   S   0:0(0) mss 1460 ws 2
            count pkt_retrans 6
            +60s  !   connect-reply timeout-syn
            ends
            """);
    }

    @Test
    void backsOffToItsCapAndNoFurther() {
        script("~ rto-max 12s\n", Openings.SYN_SENT, """
            +1s   >   S   0:0(0)
            +2s   >   S   0:0(0)
            +4s   >   S   0:0(0)
            +8s   >   S   0:0(0)
            +12s  >   S   0:0(0)
            +12s  >   S   0:0(0)
            +12s  !   connect-reply timeout-syn
            ends
            """);
    }

    @Test
    @Tag("FC-31")
    void givesUpTheSynAtItsDeadlineWhateverTriesAreLeft() {
        script("""
            ~     retries 100
            ~     syn 5s
            """, Openings.SYN_SENT, """
            +1s   >   S   0:0(0)
            +2s   >   S   0:0(0)
            +2s   !   connect-reply timeout-syn
            ends
            count connect_errs 1
            """);
    }

    @Test
    void sendsTheSynAckAgainAndThenGivesUpInSilence() {
        script("""
            ~     retries 3
            .     listen 4420
            <     S   0:0(0) mss 1460 ws 7
            >     S.  0:0(0) ack 1 mss 1460 ws 2
            +1s   >   S.  0:0(0) ack 1 mss 1460 ws 2
            +2s   >   S.  0:0(0) ack 1
            +4s   >   S.  0:0(0) ack 1
            count pkt_retrans 3
            +8s   ends
            count passive_errs 1
            """);
    }

    @Test
    void answersARepeatedSynWithTheSameSynAck() {
        script("""
            .     listen 4420
            <     S   0:0(0) mss 1460 ws 7
            >     S.  0:0(0) ack 1 mss 1460 ws 2
            +500  <   S   0:0(0) mss 1460 ws 7
            >     S.  0:0(0) ack 1 mss 1460 ws 2
            +500  >   S.  0:0(0) ack 1 mss 1460 ws 2
            +10   <   .   1:1(0) ack 1
            state ESTABLISHED
            """);
    }

    @Test
    @Tag("FC-23")
    void acknowledgesARepeatedSynAckAgain() {
        script(Openings.ACTIVE, """
            +500  <   S.  0:0(0)   ack 1  mss 1460 ws 7
            >     .   25:25(0) ack 1
            +500  >   P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     .   25:25(0) ack 25
            !     hand-over qp 7 snd 25 rcv 25
            !     connect-reply ok peer ird 3 ord 4
            """);
    }

    @Test
    @Tag("FC-23")
    void acknowledgesARepeatedRequestAgain() {
        script(Openings.ASKED, """
            +1s   <   P.  1:29(28) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "ABCD"
            >     .   1:1(0)   ack 29
            +2s   <   P.  1:29(28) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "ABCD"
            >     .   1:1(0)   ack 29
            state MPAREQ_RCVD
            """);
    }

    @Test
    void sendsTheRequestAgainUntilItIsAcknowledged() {
        script("""
            ~     retries 3
            let   req = mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """, Openings.ACTIVE, """
            +1s   >   P.  1:25(24) ack 1  $req
            +2s   >   P.  1:25(24) ack 1  $req
            +4s   >   P.  1:25(24) ack 1  $req
            count pkt_retrans 3
            +8s   >   R.  25:25(0) ack 1
            !     connect-reply timeout-mpa
            ends
            """);
    }

    @Test
    @Tag("FC-26")
    void neverSendsTheRequestAgainOnceItIsAcknowledged() {
        script(Openings.ACTIVE, """
            +10   <   .   1:1(0)   ack 25
            +59s  quiet
            count pkt_retrans 0
            +990  >   R.  25:25(0) ack 1
            !     connect-reply timeout-mpa
            ends
            """);
    }

    @Test
    void sendsOnlyWhatIsNotAcknowledged() {
        script(Openings.ACTIVE, """
            +10   <   .   1:1(0)   ack 11
            +1s   >   P.  11:25(14) ack 1  mpa-req rev 2 ird 4 ord 3 rtr write,read crc bytes 10..24
            """);
    }

    @Test
    void startsItsTimerAnewWithEveryNewAck() {
        script(Openings.ACTIVE, """
            +900  <   .   1:1(0)   ack 11
            +1s   >   P.  11:25(14) ack 1  mpa-req rev 2 ird 4 ord 3 rtr write,read crc bytes 10..24
            +1900 <   .   1:1(0)   ack 12
            +1s   >   P.  12:25(13) ack 1  mpa-req rev 2 ird 4 ord 3 rtr write,read crc bytes 11..24
            """);
    }

    @Test
    void doesNotStartItsTimerAnewWithADuplicateAck() {
        script(Openings.ACTIVE, """
            +900  <   .   1:1(0)   ack 1
            +100  >   P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """);
    }

    @Test
    void repeatsWithTheAcknowledgementOfToday() {
        script(Openings.ACTIVE, """
            +10   <   P.  1:11(10) ack 1   mpa-rep rev 2 ird 3 ord 4 rtr read crc bytes 0..10
            >     .   25:25(0) ack 11
            +990  >   P.  1:25(24) ack 11  mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """);
    }

    @Test
    void waitsThreeSecondsForDataAfterALostSyn() {
        script(Openings.SYN_SENT, """
            +1s   >   S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            +3s   >   P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
            """);
    }

    @Test
    void sendsARejectAgainUntilItIsAcknowledged() {
        script("""
            ~     retries 2
            let   rep = mpa-rep rev 2 ird 32 ord 4 rtr read reject crc pd "NO"
            """, Openings.ASKED, """
            .     reject pd "NO"
            >     FP. 1:27(26) ack 29  $rep
            +1s   >   FP. 1:27(26) ack 29  $rep
            +2s   >   FP. 1:27(26) ack 29  $rep
            count pkt_retrans 2
            +4s   >   R.  28:28(0) ack 29
            ends
            """);
    }

    @Test
    void sendsOnlyTheFinAgainWhenTheRejectIsAcknowledged() {
        script(Openings.ASKED, """
            .     reject
            >     FP. 1:25(24) ack 29  mpa-rep rev 2 ird 32 ord 4 rtr read reject crc
            +10   <   .   29:29(0) ack 25
            +1s   >   F.  25:25(0) ack 29
            +10   <   .   29:29(0) ack 26
            state FIN_WAIT2
            """);
    }

    @Test
    void forgetsARetransmissionAtHandOver() {
        script(Openings.ACTIVE_UP, "+1h quiet\n");
    }
}
