package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives and what does not belong: RFC 9293 §3.10.7.4 and RFC 5961, anywhere in the sequence space. */
@ParameterizedClass
@ValueSource(ints = {5000, -1, -10, -40, Integer.MAX_VALUE - 5})
class ReceivingTest {

    /** A zero-length Write's FPDU of 20 octets: harmless at any time. */
    private static final Octets FPDU = new FpduWriter(false, true, 1460)
            .frame(DdpSegment.tagged(DdpSegment.WRITE, 0, 0, Octets.EMPTY).octets());

    private static final int LENGTH = FPDU.length();

    private final Scene scene;

    ReceivingTest(int theirs) {
        Scene.Setup setup = Scene.Setup.responder();
        setup.theirs = theirs;
        setup.ours = theirs;
        scene = setup.takeOver();
        scene.peerAck(0, 24);
        scene.sent();
        scene.codes();
    }

    @Nested
    class Acknowledging {

        @Test
        void aLoneSegmentIsAcknowledgedWithinTheDelay() {
            scene.peerData(0, 24, FPDU);
            assertThat(scene.sent()).isEmpty();
            assertThat(scene.pass(39).sent()).isEmpty();
            assertThat(scene.pass(1).sent()).containsExactly("A 24(0) ack " + LENGTH);
            assertThat(scene.pass(1000).sent()).isEmpty();
        }

        @Test
        void theSecondSegmentIsAcknowledgedAtOnce() {
            scene.peerData(0, 24, FPDU).peerData(LENGTH, 24, FPDU);
            assertThat(scene.sent()).containsExactly("A 24(0) ack " + 2 * LENGTH);
            assertThat(scene.pass(1000).sent()).isEmpty();
        }

        @Test
        void theThirdSegmentWaitsAgain() {
            scene.peerData(0, 24, FPDU).peerData(LENGTH, 24, FPDU);
            scene.sent();
            scene.peerData(2 * LENGTH, 24, FPDU);
            assertThat(scene.sent()).isEmpty();
            assertThat(scene.pass(40).sent()).containsExactly("A 24(0) ack " + 3 * LENGTH);
        }

        @Test
        void aDuplicateIsAcknowledgedAtOnceAndNotDeliveredAgain() {
            scene.peerData(0, 24, FPDU).pass(100);
            scene.sent();
            scene.peerData(0, 24, FPDU);
            assertThat(scene.sent()).containsExactly("A 24(0) ack " + LENGTH);
            assertThat(scene.qp.count(QpCounter.FPDU)).isEqualTo(1);
            assertThat(scene.qp.count(QpCounter.UNACCEPTABLE)).isEqualTo(1);
        }

        @Test
        void retransmissionsAreAnsweredHoweverManyComeSinceEachMeansALostAnswer() {
            scene.peerData(0, 24, FPDU).pass(100);
            scene.sent();
            for (int i = 0; i < 50; i++) {
                scene.peerData(0, 24, FPDU);
            }
            assertThat(scene.sent()).hasSize(50);
        }

        @Test
        void aPartlyOldSegmentIsTrimmed() {
            scene.peerData(0, 24, FPDU.slice(0, 12)).peerData(4, 24, FPDU.from(4));
            assertThat(scene.sent()).containsExactly("A 24(0) ack " + LENGTH);
            assertThat(scene.qp.count(QpCounter.FPDU)).isEqualTo(1);
        }

        @Test
        void aGapIsReportedAtOnceAndFilledInOrder() {
            Octets stream = FPDU.concat(FPDU);
            scene.peerData(30, 24, stream.from(30)).peerData(10, 24, stream.slice(10, 15));
            assertThat(scene.sent()).containsExactly("A 24(0) ack 0", "A 24(0) ack 0");
            assertThat(scene.qp.count(QpCounter.FPDU)).isZero();
            scene.peerData(20, 24, stream.slice(20, 15));
            scene.sent();
            scene.peerData(0, 24, stream.slice(0, 12));
            assertThat(scene.sent()).containsExactly("A 24(0) ack 40");
            assertThat(scene.qp.count(QpCounter.FPDU)).isEqualTo(2);
        }

        @Test
        void dataBeyondTheWindowIsCutOff() {
            int window = scene.setup.receiveWindow;
            scene.peerData(window - 2, 24, Octets.ofHex("aabbccdd"));
            assertThat(scene.qp.count(QpCounter.OUT_OF_ORDER)).isEqualTo(1);
            scene.peerData(window, 24, FPDU);
            assertThat(scene.qp.count(QpCounter.UNACCEPTABLE)).isEqualTo(1);
            assertThat(scene.sent()).hasSize(2).containsOnly("A 24(0) ack 0");
        }

        @Test
        void theOutOfOrderQueueIsBounded() {
            for (int i = 0; i < 3 * Reassembly.RUNS_MAX; i++) {
                scene.peerData(100 + 2 * i, 24, Octets.ofHex("00"));
            }
            assertThat(scene.qp.count(QpCounter.OUT_OF_ORDER)).isEqualTo(Reassembly.RUNS_MAX);
            assertThat(scene.qp.count(QpCounter.OUT_OF_ORDER_DROPPED)).isEqualTo(2 * Reassembly.RUNS_MAX);
        }
    }

    @Nested
    class Suspecting {

        @BeforeEach
        void somethingWasReceived() {
            scene.peerData(0, 24, FPDU).pass(100);
            scene.sent();
            scene.codes();
        }

        @Test
        void anExactResetEndsIt() {
            scene.peer(LENGTH, 0, Segment.RST, Octets.EMPTY);
            assertThat(scene.sent()).isEmpty();
            assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_RESET);
            assertThat(scene.recorded.ended).isTrue();
            assertThat(scene.recorded.timeWait).isEmpty();
        }

        @Test
        void aResetInTheWindowIsChallengedAndOneOutsideIgnored() {
            scene.peer(LENGTH + 1, 24, Segment.RST, Octets.EMPTY);
            assertThat(scene.sent()).containsExactly("A 24(0) ack " + LENGTH);
            scene.peer(LENGTH - 1, 24, Segment.RST, Octets.EMPTY);
            scene.peer(LENGTH + scene.setup.receiveWindow, 24, Segment.RST | Segment.ACK, Octets.EMPTY);
            assertThat(scene.sent()).isEmpty();
            assertThat(scene.qp.ended()).isFalse();
        }

        @Test
        void aSynIsChallengedWhereverItIs() {
            scene.peer(LENGTH, 0, Segment.SYN, Octets.EMPTY);
            scene.peer(-100_000, 0, Segment.SYN, Octets.EMPTY);
            scene.peer(LENGTH + 5, 24, Segment.SYN | Segment.ACK, Octets.EMPTY);
            assertThat(scene.sent()).hasSize(3).containsOnly("A 24(0) ack " + LENGTH);
            assertThat(scene.qp.ended()).isFalse();
        }

        @Test
        void acknowledgementsOfTheUnsentAndOfTheLongGoneAreChallenged() {
            scene.peerData(LENGTH, 25, FPDU);
            scene.peerData(LENGTH, 24 - 65536, FPDU);
            assertThat(scene.sent()).hasSize(2).containsOnly("A 24(0) ack " + LENGTH);
            assertThat(scene.qp.count(QpCounter.FPDU)).isEqualTo(1);
            scene.peerData(LENGTH, 24 - 65535, FPDU);
            assertThat(scene.qp.count(QpCounter.FPDU))
                    .as("an old ACK's data count")
                    .isEqualTo(2);
        }

        @Test
        void aSegmentWithoutAckIsDropped() {
            scene.peer(LENGTH, 0, Segment.PSH, FPDU);
            scene.peer(LENGTH, 0, Segment.FIN, Octets.EMPTY);
            assertThat(scene.pass(1000).sent()).isEmpty();
            assertThat(scene.qp.count(QpCounter.WITHOUT_ACK)).isEqualTo(2);
        }

        @Test
        void challengesAreLimitedPerConnectionAndPeriod() {
            for (int i = 0; i < 100; i++) {
                scene.peer(LENGTH, 24, Segment.SYN, Octets.EMPTY);
                scene.peerAck(LENGTH - 1, 24);
            }
            assertThat(scene.sent()).hasSize(10);
            assertThat(scene.qp.count(QpCounter.CHALLENGE_SUPPRESSED)).isEqualTo(190);
            scene.pass(5000).peer(LENGTH, 24, Segment.SYN, Octets.EMPTY);
            assertThat(scene.sent()).hasSize(1);
        }
    }
}
