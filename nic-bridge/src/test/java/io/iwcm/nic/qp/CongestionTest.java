package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RFC 5681, 6582, 6928 and 3042, with segments of 1,000 octets and a peer that a test plays by hand. */
class CongestionTest {

    private static final int MSS = 1000;
    private static final long MS = 1_000_000;

    private final QpCounters counters = new QpCounters();
    private final List<Integer> sent = new ArrayList<>();
    private long nowNs = 1000 * MS;
    private TcpEngine tcp = engine(10);
    private int written;

    private TcpEngine engine(int initialWindow) {
        TcpHandOver tcp = new TcpHandOver(
                new TcpHandOver.SendSide(new SeqNum(0), new SeqNum(0), 60_000 << 4, 60_000 << 4, 4),
                new TcpHandOver.ReceiveSide(new SeqNum(0), 65535, 0),
                MSS,
                Octets.EMPTY,
                Octets.EMPTY,
                false);
        QpParams.Tcp usual = QpParams.Tcp.DEFAULT;
        QpParams.Tcp params = new QpParams.Tcp(
                usual.retransmission(),
                new QpParams.Buffers(1 << 20, 1),
                initialWindow,
                usual.delayedAckNs(),
                usual.closeTimeoutNs(),
                usual.finWait2TimeoutNs(),
                usual.challengeAcksMax());
        return new TcpEngine(tcp, params, counters, nowNs);
    }

    private void write(int segments) {
        for (int i = 0; i < segments; i++) {
            tcp.write(Octets.wrap(new byte[MSS]));
        }
        written += segments;
        tcp.send(nowNs, segment -> sent.add(segment.seq().value() / MSS));
    }

    /** The peer acknowledges all segments before this one. */
    private void ack(int segment) {
        tcp.segment(
                new Segment(
                        new SeqNum(0), new SeqNum(segment * MSS), Segment.ACK, 60_000, TcpOptions.NONE, Octets.EMPTY),
                nowNs);
        tcp.send(nowNs, out -> sent.add(out.seq().value() / MSS));
    }

    private void pass(long ms) {
        nowNs += ms * MS;
        if (tcp.deadlineNs() <= nowNs) {
            tcp.tick(nowNs, out -> sent.add(out.seq().value() / MSS));
            tcp.send(nowNs, out -> sent.add(out.seq().value() / MSS));
        }
    }

    /** The numbers of the segments sent since the last call. */
    private List<Integer> sent() {
        List<Integer> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    private static List<Integer> range(int from, int to) {
        return java.util.stream.IntStream.range(from, to).boxed().toList();
    }

    @Test
    void rfc6928BeginsWithTenSegmentsAndRfc5681IfAskedForWithFewer() {
        write(100);
        assertThat(sent()).isEqualTo(range(0, 10));
        tcp = engine(3);
        write(100);
        assertThat(sent()).isEqualTo(range(0, 3));
    }

    /** RFC 6928 §2: ten, but no more than 14,600 octets unless that is less than two. */
    @Test
    void largeSegmentsBeginWithFewer() {
        assertThat(new Congestion(1460, 10).window()).isEqualTo(14_600);
        assertThat(new Congestion(4000, 10).window()).isEqualTo(14_600);
        assertThat(new Congestion(9000, 10).window()).isEqualTo(18_000);
        assertThat(new Congestion(536, 10).window()).isEqualTo(5_360);
    }

    /** RFC 5681 §3.1: a segment for each acknowledgement, however much it acknowledges. */
    @Test
    void slowStartGrowsByASegmentForEachAcknowledgement() {
        write(100);
        sent();
        pass(10);
        ack(1);
        assertThat(sent()).containsExactly(10, 11);
        ack(5);
        assertThat(sent()).as("four left, one more").containsExactly(12, 13, 14, 15, 16);
        assertThat(tcp.congestionWindow()).isEqualTo(12 * MSS);
    }

    /** RFC 5681 §3.1: one segment for a whole window acknowledged. */
    @Test
    void congestionAvoidanceGrowsByASegmentInARound() {
        write(200);
        timeOut();
        int next = 1;
        while (tcp.congestionWindow() < 5 * MSS) { // Half of ten: the threshold.
            ack(next++);
        }
        for (int i = 0; i < 4; i++) {
            ack(next++);
            assertThat(tcp.congestionWindow()).isEqualTo(5 * MSS);
        }
        ack(next++);
        assertThat(tcp.congestionWindow()).isEqualTo(6 * MSS);
        for (int i = 0; i < 5; i++) {
            ack(next++);
        }
        assertThat(tcp.congestionWindow()).isEqualTo(6 * MSS);
        ack(next);
        assertThat(tcp.congestionWindow()).isEqualTo(7 * MSS);
    }

    private void timeOut() {
        sent();
        pass(1000);
        assertThat(sent()).as("one segment after a timeout").containsExactly(0);
        assertThat(tcp.congestionWindow()).isEqualTo(MSS);
    }

    /** RFC 5681 §3.1: only what is used can prove that the path carries it. */
    @Test
    void aWindowThatIsNotUsedDoesNotGrow() {
        for (int i = 1; i < 50; i++) {
            write(1);
            pass(10);
            ack(i);
        }
        assertThat(tcp.congestionWindow()).isEqualTo(10 * MSS);
    }

    /** RFC 5681 §3.1: the threshold is not halved again for what is sent again. */
    @Test
    void aSecondTimeoutOfTheSameLossLeavesTheThreshold() {
        write(100);
        ack(0);
        ack(0); // Two more by limited transmit: no part of what is halved.
        timeOut();
        pass(2000);
        pass(4000);
        assertThat(sent()).containsExactly(0, 0);
        int next = 1;
        while (next < 6) {
            ack(next++);
        }
        assertThat(tcp.congestionWindow()).as("slow start to five").isEqualTo(5 * MSS);
        assertThat(counters.of(QpCounter.TIMED_OUT)).isEqualTo(3);
    }

    /** RFC 3042: each of the first two brings out a new segment, and the window stays. */
    @Test
    void limitedTransmitSendsNewSegmentsForTheFirstTwoRepeats() {
        write(100);
        sent();
        ack(0);
        assertThat(sent()).containsExactly(10);
        ack(0);
        assertThat(sent()).containsExactly(11);
        assertThat(tcp.congestionWindow()).isEqualTo(10 * MSS);
    }

    /** RFC 5681 §3.2: steps 2 to 6. */
    @Test
    void theThirdRepeatRetransmitsAndHalvesAndTheFullAcknowledgementDeflates() {
        write(100);
        sent();
        ack(0);
        ack(0);
        sent();
        ack(0);
        assertThat(sent()).containsExactly(0);
        assertThat(tcp.congestionWindow())
                .as("half of ten, not of the twelve with limited transmit, and three")
                .isEqualTo(8 * MSS);
        for (int i = 0; i < 4; i++) {
            ack(0);
        }
        assertThat(sent()).as("twelve are in flight, and twelve may be").isEmpty();
        ack(0);
        assertThat(sent()).containsExactly(12);
        ack(12);
        assertThat(tcp.congestionWindow()).as("one in flight, and one").isEqualTo(2 * MSS);
        assertThat(counters.of(QpCounter.FAST_RETRANSMITTED)).isEqualTo(1);
        assertThat(counters.of(QpCounter.TIMED_OUT)).isZero();
    }

    /** RFC 6582 §3.2: a partial acknowledgement tells of the next loss at once. */
    @Test
    void aPartialAcknowledgementRetransmitsTheNextHole() {
        write(100);
        sent();
        for (int i = 0; i < 3; i++) {
            ack(0);
        }
        assertThat(sent()).endsWith(0);
        ack(4);
        assertThat(sent()).containsExactly(4);
        assertThat(tcp.congestionWindow()).as("eight, less four, and one").isEqualTo(5 * MSS);
        ack(7);
        assertThat(sent()).first().isEqualTo(7);
        assertThat(counters.of(QpCounter.FAST_RETRANSMITTED)).isEqualTo(1);
    }

    /** RFC 6582 §3.2: the timer is set back by the first partial acknowledgement only. */
    @Test
    void manyHolesAreLeftToTheTimer() {
        write(100);
        pass(100);
        for (int i = 0; i < 3; i++) {
            ack(0);
        }
        pass(500);
        ack(2);
        pass(600);
        ack(4);
        assertThat(counters.of(QpCounter.TIMED_OUT)).isZero();
        pass(400);
        assertThat(counters.of(QpCounter.TIMED_OUT)).isEqualTo(1);
    }

    /** RFC 6582 §3.2, step 2: what a timeout sent again in vain repeats acknowledgements, too. */
    @Test
    void repeatsAfterATimeoutTellOfNoLoss() {
        write(100);
        timeOut();
        ack(3);
        sent();
        for (int i = 0; i < 10; i++) {
            ack(3);
        }
        assertThat(sent()).isEmpty();
        assertThat(counters.of(QpCounter.FAST_RETRANSMITTED)).isZero();
    }

    /** After a timeout all that was in flight goes again as the window grows, and nothing that was acknowledged since. */
    @Test
    void aTimeoutGoesBack() {
        write(100);
        timeOut();
        ack(1);
        assertThat(sent()).containsExactly(1, 2);
        ack(9);
        assertThat(sent()).containsExactly(9, 10, 11);
    }

    /** RFC 5681 §4.1. */
    @Test
    void aPauseEndsWhatTheWindowHadGrownTo() {
        write(40);
        for (int i = 1; i <= 40; i++) {
            pass(10);
            ack(i);
        }
        assertThat(tcp.congestionWindow()).isGreaterThan(20 * MSS);
        sent();
        pass(600);
        write(12);
        assertThat(sent()).as("not yet").hasSize(12);
        ack(written);
        pass(1100);
        write(100);
        assertThat(sent()).hasSize(10);
    }

    /** Repeats are cheap to make up: they open the window by what was in flight and no more. */
    @Test
    void moreRepeatsThanThereWereSegmentsOpenNothing() {
        write(500);
        for (int i = 0; i < 1000; i++) {
            ack(0);
        }
        assertThat(tcp.congestionWindow()).isEqualTo(15 * MSS);
    }

    /** RFC 6298 §5.3 and Karn. */
    @Test
    void anAcknowledgementOfNewOctetsSetsTheTimerBack() {
        write(3);
        pass(900);
        ack(1);
        sent();
        pass(900);
        assertThat(sent()).isEmpty();
    }

    /** Two ends that took each other's probe of a closed window, and lost the answers, would never hear each other again. */
    @Test
    void anAcknowledgementFromJustBeforeTheWindowCounts() {
        write(3);
        for (int before : new int[] {2, 1}) {
            assertThat(tcp.acknowledgedTo(new SeqNum(3 * MSS))).isFalse();
            tcp.segment(
                    new Segment(
                            new SeqNum(-before),
                            new SeqNum(3 * MSS),
                            Segment.ACK,
                            60_000,
                            TcpOptions.NONE,
                            Octets.EMPTY),
                    nowNs);
        }
        assertThat(tcp.acknowledgedTo(new SeqNum(3 * MSS))).isTrue();
    }

    /** RFC 9293 §3.8.6.2.1: a tiny window is used after a while, without backing off, as it is not lost but small. */
    @Test
    void aTinyWindowIsUsedAfterTheOverrideTime() {
        write(1);
        tcp.segment(new Segment(new SeqNum(0), new SeqNum(MSS), Segment.ACK, 10, TcpOptions.NONE, Octets.EMPTY), nowNs);
        sent();
        write(1);
        for (int i = 1; i <= 5; i++) {
            assertThat(sent()).isEmpty();
            pass(199);
            assertThat(sent()).isEmpty();
            pass(1);
            assertThat(sent()).hasSize(1);
            tcp.segment(
                    new Segment(
                            new SeqNum(0), new SeqNum(MSS + 160 * i), Segment.ACK, 10, TcpOptions.NONE, Octets.EMPTY),
                    nowNs);
            tcp.send(nowNs, out -> sent.add(out.seq().value() / MSS));
        }
        assertThat(counters.of(QpCounter.TIMED_OUT)).isZero();
    }
}
