package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.SeqNum;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Much data both ways over wires of any kind: every octet once, in order, and both ends close. */
class BulkTest {

    private static final long SECOND = 1000 * TcpPair.MS;

    static LongStream seeds() {
        return Long.getLong("iwcm.seed") == null ? LongStream.range(0, 300) : LongStream.of(Long.getLong("iwcm.seed"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyOctetArrivesOnceAndInOrderWhateverTheWireDoes(long seed) {
        TcpPair pair = new TcpPair(seed);
        for (TcpPair.End end : List.of(pair.left, pair.right)) {
            end.mss = List.of(5, 100, 536, 1460, 9000).get(pair.random.nextInt(5));
            end.scale = pair.random.nextInt(4);
            end.window = List.of(16, 200, 3000, 65535).get(pair.random.nextInt(4)) << end.scale;
            end.messageOctetsMax = 1 + pair.random.nextInt(2 * end.mss);
            end.sendOctets = end.messageOctetsMax + pair.random.nextInt(100_000);
            end.readPausePercent = pair.random.nextInt(3) * 10;
            end.readPauseNsMax = pair.random.nextInt(2000) * TcpPair.MS;
        }
        for (TcpPair.End end : List.of(pair.left, pair.right)) { // A tiny window takes its time.
            int segments = pair.random.nextInt(150);
            end.sends = pair.bytes(segments * Math.min(end.mss, Math.min(1460, pair.other(end).window)));
        }
        pair.rtoMinNs = (pair.random.nextBoolean() ? 200 : 1000) * TcpPair.MS;
        pair.lossPercent = pair.random.nextInt(30);
        pair.repeatPercent = pair.random.nextInt(20);
        pair.delayNs = (1 + pair.random.nextInt(60)) * TcpPair.MS;
        pair.jitterNs = pair.random.nextInt(60) * TcpPair.MS;
        pair.begin();
        if (!pair.closesWithin(120 * SECOND)) {
            pair.lossPercent = 0;
            assertThat(pair.closesWithin(1500 * SECOND)).as(pair::trace).isTrue();
        }
        complete(pair);
    }

    private static void complete(TcpPair pair) {
        assertThat(TcpPair.same(pair.left.sends, pair.right.got()))
                .as(pair::trace)
                .isTrue();
        assertThat(TcpPair.same(pair.right.sends, pair.left.got()))
                .as(pair::trace)
                .isTrue();
        assertThat(pair.left.tcp.timeWait().isPresent()
                        || pair.right.tcp.timeWait().isPresent())
                .isTrue();
    }

    @Test
    void aGoodWireIsFilledWithoutRetransmission() {
        TcpPair pair = new TcpPair(1);
        pair.left.window = 1 << 20;
        pair.right.window = 60_000 << 4;
        pair.right.scale = 4;
        pair.left.scale = 5;
        pair.left.sendOctets = 1 << 20;
        pair.left.sends = pair.bytes(8 << 20);
        pair.begin();
        long beganNs = pair.nowNs;
        assertThat(pair.closesWithin(60 * SECOND)).as(pair::trace).isTrue();
        complete(pair);
        assertThat(pair.left.counters.of(QpCounter.RETRANSMITTED)).isZero();
        assertThat(pair.nowNs - beganNs).as("20 ms and 940 KiB a round").isLessThan(SECOND / 2);
        assertThat(pair.right.counters.of(QpCounter.SEGMENTS_OUT))
                .as("every second is acknowledged, and seldom more")
                .isLessThan(pair.left.counters.of(QpCounter.SEGMENTS_OUT) * 6 / 10);
    }

    /** One loss in a hundred is repaired without waiting for the timer almost always. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lossesAreRepairedByRepeatedAcknowledgements(long seed) {
        TcpPair pair = new TcpPair(seed);
        pair.left.sends = pair.bytes(4 << 20);
        pair.lossPercent = 1;
        pair.begin();
        assertThat(pair.closesWithin(120 * SECOND)).as(pair::trace).isTrue();
        complete(pair);
        long fast = pair.left.counters.of(QpCounter.FAST_RETRANSMITTED);
        long slow = pair.left.counters.of(QpCounter.TIMED_OUT);
        assertThat(fast).isGreaterThan(10);
        assertThat(slow).isLessThan(fast / 3);
    }

    /** RFC 9293 §3.8.6.1: the peer may keep its window closed for as long as it answers. */
    @Test
    void aReaderThatSleepsForMinutesLosesNothing() {
        TcpPair pair = new TcpPair(9);
        pair.left.sends = pair.bytes(400_000);
        pair.right.readAtNs = pair.nowNs + 1200 * SECOND;
        pair.begin();
        assertThat(pair.closesWithin(1199 * SECOND)).isFalse();
        assertThat(pair.left.counters.of(QpCounter.PROBED)).isBetween(20L, 40L);
        assertThat(pair.left.counters.of(QpCounter.PEER_WINDOW_CLOSED)).isEqualTo(1);
        assertThat(pair.right.counters.of(QpCounter.OUR_WINDOW_CLOSED)).isEqualTo(1);
        assertThat(pair.right.tcp.unread()).isEqualTo(65535);
        assertThat(pair.closesWithin(10 * SECOND)).as(pair::trace).isTrue();
        complete(pair);
    }

    /** Both ends probe a closed window; who opens first must be heard behind its own probe. */
    @Test
    void bothWindowsClosedOpenAgain() {
        TcpPair pair = new TcpPair(10);
        pair.left.sends = pair.bytes(200_000);
        pair.right.sends = pair.bytes(200_000);
        pair.right.readAtNs = pair.nowNs + 100 * SECOND;
        pair.left.readAtNs = pair.nowNs + 200 * SECOND;
        pair.begin();
        assertThat(pair.closesWithin(99 * SECOND)).isFalse();
        assertThat(pair.closesWithin(2 * SECOND)).isFalse();
        assertThat(pair.right.got().length())
                .as("told at once, though both of them probe")
                .isEqualTo(200_000);
        assertThat(pair.closesWithin(102 * SECOND)).as(pair::trace).isTrue();
        complete(pair);
    }

    @Test
    void theNumbersWrapInTheMiddle() {
        TcpPair pair = new TcpPair(11);
        pair.left.first = new SeqNum(-1_000_000);
        pair.right.first = new SeqNum(Integer.MAX_VALUE - 1_000_000);
        pair.left.sends = pair.bytes(2_000_000);
        pair.right.sends = pair.bytes(2_000_000);
        pair.lossPercent = 2;
        pair.begin();
        assertThat(pair.closesWithin(300 * SECOND)).as(pair::trace).isTrue();
        complete(pair);
    }
}
