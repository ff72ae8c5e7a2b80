package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What RFC 9293 and RFC 5961 ask of both ends while an MPA frame is awaited. The opening defines {@code $here} (an empty segment
 * at SND.NXT), {@code $snd} (SND.NXT) and {@code $frame} (28 octets of what the peer is to send); RCV.NXT is 1.
 */
abstract class SynchronizedRules {

    /** A script up to the state in which the peer's MPA frame is awaited. */
    abstract String opening();

    /** What must come when the whole frame has arrived: the last acknowledged octet is 29. */
    abstract String whole();

    /** What must come when the connection is lost: after the segment, if any. */
    abstract String lost(String cause);

    private void rule(String... parts) {
        String[] all = new String[parts.length + 1];
        all[0] = opening();
        System.arraycopy(parts, 0, all, 1, parts.length);
        script(all);
    }

    @Test
    @Tag("FC-18")
    void ignoresAResetOutsideTheWindow() {
        rule("""
            <     R   300000:300000(0)
            <     R   0:0(0)
            <     R.  -1000:-1000(0) ack $snd
            count segments_unacceptable 3
            count challenge_acks 0
            """);
    }

    @Test
    @Tag("FC-18")
    void challengesAResetInTheWindow() {
        rule("""
            <     R   2:2(0)
            >     .   $here ack 1
            <     R.  1000:1000(0) ack $snd
            >     .   $here ack 1
            <     R   262140:262140(0)
            >     .   $here ack 1
            count challenge_acks 3
            <     R   262141:262141(0)
            """);
    }

    @Test
    @Tag("FC-18")
    void endsOnAnExactReset() {
        rule("<     R   1:1(0)\n", lost("reset"), "ends\n");
        rule("<     R.  1:1(0) ack $snd\n", lost("reset"), "ends\n");
        rule("<     R.  1:1(0) ack 77777\n", lost("reset"), "ends\n");
    }

    @Test
    @Tag("FC-40")
    void challengesASynWhateverItsNumber() {
        rule("""
            <     S   0:0(0)
            >     .   $here ack 1
            <     S   500:500(0)
            >     .   $here ack 1
            <     S   900000:900000(0)
            >     .   $here ack 1
            state $state
            <     R   1:1(0)
            """, lost("reset"), "ends\n");
    }

    @Test
    @Tag("FC-40")
    void challengesNoMoreOftenThanTheLimitAllows() {
        rule("""
            ~     challenges 3
            <     S   500:500(0)
            >     .   $here ack 1
            <     S   500:500(0)
            >     .   $here ack 1
            <     S   500:500(0)
            >     .   $here ack 1
            <     S   500:500(0)
            <     R   2:2(0)
            count challenge_acks 3
            count challenge_acks_limited 2
            """, refreshed(), """
            <     S   500:500(0)
            >     .   $here ack 1
            """);
    }

    /** Five seconds later, with nothing of ours outstanding. */
    abstract String refreshed();

    @Test
    @Tag("FC-87")
    void acknowledgesAndDropsDataWhoseAckIsBeyondWhatWeSent() {
        rule("""
            <     P.  1:29(28) ack 100000  $frame
            >     .   $here ack 1
            <     P.  1:29(28) ack 1000000000  $frame
            >     .   $here ack 1
            state $state
            """);
    }

    @Test
    @Tag("FC-87")
    void acknowledgesAndDropsDataWhoseAckIsFarTooOld() {
        rule("""
            <     P.  1:29(28) ack -100000000  $frame
            >     .   $here ack 1
            state $state
            """);
    }

    @Test
    @Tag("FC-22")
    void takesDataWhoseAckIsOldOrADuplicate() {
        for (int ack = 0; ack <= 1; ack++) {
            rule("""
                <     P.  1:11(10) ack %d       $frame bytes 0..10
                >     .   $here ack 11
                <     P.  11:29(18) ack $snd   $frame bytes 10..28
                """.formatted(ack), whole());
        }
    }

    @Test
    @Tag("FC-22")
    void takesWhatLiesInTheWindowWhateverItsAckAndAcknowledgesWhatDoesNot() {
        rule("""
            <     P.  262141:262151(10) ack $snd  $frame bytes 0..10
            >     .   $here ack 1
            <     P.  -10:0(10) ack $snd         $frame bytes 0..10
            >     .   $here ack 1
            count segments_unacceptable 2
            count segments_out_of_order 0
            <     P.  -1:11(12) ack 0             hex 0000 + $frame bytes 0..12
            >     .   $here ack 11
            count segments_unacceptable 2
            <     P.  11:29(18) ack $snd          $frame bytes 10..28
            """, whole());
    }

    @Test
    @Tag("FC-22")
    void keepsDataThatIsAheadOfItsTurn() {
        rule("""
            <     P.  11:29(18) ack $snd  $frame bytes 10..28
            >     .   $here ack 1
            count segments_out_of_order 1
            <     P.  1:11(10) ack $snd   $frame bytes 0..10
            """, whole());
    }

    @Test
    @Tag("FC-22")
    void takesPiecesInAnyOrderAndOverlapping() {
        rule("""
            <     P.  21:29(8) ack $snd   $frame bytes 20..28
            >     .   $here ack 1
            <     P.  5:15(10) ack $snd   $frame bytes 4..14
            >     .   $here ack 1
            <     P.  9:25(16) ack $snd   $frame bytes 8..24
            >     .   $here ack 1
            <     P.  1:9(8) ack $snd     $frame bytes 0..8
            """, whole());
    }

    @Test
    @Tag("FC-22")
    void cutsOffWhatItKnowsAlready() {
        rule("""
            <     P.  1:6(5) ack $snd     $frame bytes 0..5
            >     .   $here ack 6
            <     P.  1:29(28) ack $snd   $frame
            """, whole());
        rule("<     P.  -4:29(33) ack $snd   hex 0102030405 + $frame\n", whole());
    }

    @Test
    @Tag("FC-22")
    @Tag("FC-23")
    void acknowledgesARepeatedSegmentAndUsesItOnce() {
        rule("""
            <     P.  1:11(10) ack $snd   $frame bytes 0..10
            >     .   $here ack 11
            <     P.  1:11(10) ack $snd   $frame bytes 0..10
            >     .   $here ack 11
            <     P.  11:29(18) ack $snd  $frame bytes 10..28
            """, whole());
    }

    @Test
    void doesNotAnswerASegmentWithoutAck() {
        rule("""
            <     -   1:11(10)  $frame bytes 0..10
            <     P   1:29(28)  $frame
            state $state
            """);
    }

    @Test
    void acknowledgesAKeepAliveProbe() {
        rule("""
            <     .   0:0(0) ack $snd
            >     .   $here ack 1
            <     .   0:1(1) ack $snd  hex 00
            >     .   $here ack 1
            """);
    }

    @Test
    void doesNotAnswerABareAck() {
        rule("""
            <     .   1:1(0) ack $snd
            <     .   1:1(0) ack $snd win 100
            """);
    }

    @Test
    void endsInSilenceWhenSomebodyElseHasTheFlow() {
        rule("""
            nic   say superseded
            ends
            """);
    }

    @Test
    void resetsThePeerWhenTheAddressGoes() {
        rule("""
            .     address-down
            >     R.  $here ack 1
            """, lost("local-down"), "ends\n");
    }

    @Test
    void resetsThePeerWhenTheManagerStops() {
        rule("""
            .     shutdown
            >     R.  $here ack 1
            """, lost("shutdown"), "ends\n");
    }

    @Test
    @Tag("FC-67")
    void ignoresStaleTicks() {
        rule("""
            .     stale-tick retransmit
            .     stale-tick deadline
            state $state
            """);
    }

    @Test
    void answersCallsThatDoNotFit() {
        rule("""
            .     accept qp 7 = invalid
            .     reject = invalid
            state $state
            """);
    }

    @Test
    void ignoresWhatTheNicSaysTooLate() {
        rule("""
            nic   say ah-ready
            nic   say ah-failed neighbour-unreachable
            nic   say quad-ready
            nic   say quad-failed resources
            nic   say modify-qp-failed device
            ae    connection-established
            ae    fin-received
            state $state
            """);
    }

    @Test
    @Tag("FC-77")
    void takesTheFrameInTwoPiecesWhereverItIsCut() {
        for (int cut = 1; cut < 28; cut++) {
            rule("""
                <     P.  1:%d(%d) ack $snd   $frame bytes 0..%d
                >     .   $here ack %d
                +1    <   P.  %d:29(%d) ack $snd  $frame bytes %d..28
                """.formatted(cut + 1, cut, cut, cut + 1, cut + 1, 28 - cut, cut), whole());
        }
    }

    @Test
    @Tag("FC-01")
    @Tag("FC-02")
    void takesTheFrameOctetByOctet() {
        StringBuilder octets = new StringBuilder();
        for (int at = 0; at < 28; at++) {
            octets.append("+1 < P. %d:%d(1) ack $snd  $frame bytes %d..%d%n".formatted(at + 1, at + 2, at, at + 1));
            if (at < 27) {
                octets.append("> . $here ack %d%n".formatted(at + 2));
            }
        }
        rule(octets.toString(), whole());
    }
}
