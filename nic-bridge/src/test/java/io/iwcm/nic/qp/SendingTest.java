package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import org.junit.jupiter.api.Test;

/** Whatever window the peer offers, what is owed goes out, and no more. */
class SendingTest {

    private static Scene withWindow(int window, int maxWindow) {
        Scene.Setup setup = Scene.Setup.responder();
        setup.window = window;
        setup.maxWindow = maxWindow;
        return setup.takeOver();
    }

    @Test
    void probesAClosedWindowWithOneOctetUntilItOpens() {
        Scene scene = withWindow(0, 65535);
        assertThat(scene.sent()).isEmpty();

        assertThat(scene.pass(1000).sent()).containsExactly("PA 0(1) ack 0");
        scene.peer(0, 0, Segment.ACK, Octets.EMPTY, 0);
        assertThat(scene.pass(2000).sent()).containsExactly("PA 0(1) ack 0");
        scene.peer(0, 1, Segment.ACK, Octets.EMPTY, 0);
        assertThat(scene.sent()).isEmpty();

        scene.peer(0, 1, Segment.ACK, Octets.EMPTY, 100);
        assertThat(scene.sent()).containsExactly("PA 1(23) ack 0");
        scene.peer(0, 24, Segment.ACK, Octets.EMPTY, 100);
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED);
    }

    @Test
    void sendsARefusedProbeAgainAsSoonAsTheWindowOpens() {
        Scene scene = withWindow(0, 65535);
        scene.pass(1000).sent();

        scene.peer(0, 0, Segment.ACK, Octets.EMPTY, 65535);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0");
    }

    @Test
    void aPeerThatKeepsItsWindowClosedButAnswersIsNotGivenUp() {
        Scene scene = withWindow(0, 65535);
        for (int minute = 0; minute < 60; minute++) {
            scene.pass(60_000).peer(0, 0, Segment.ACK, Octets.EMPTY, 0);
        }
        assertThat(scene.qp.ended()).isFalse();
        assertThat(scene.sent()).hasSizeBetween(60, 70).containsOnly("PA 0(1) ack 0");
    }

    @Test
    void aPeerThatAnswersNoProbeIsGivenUpWithAResetItAccepts() {
        Scene scene = withWindow(0, 65535);
        scene.pass(1_000_000);
        assertThat(scene.codes()).contains(Code.LLP_TOO_MANY_RETRIES);
        assertThat(scene.sent()).last().isEqualTo("RA 0(0) ack 0");
    }

    @Test
    void respectsASmallWindowAndGoesOnAsItMoves() {
        Scene scene = withWindow(10, 10);
        assertThat(scene.sent()).containsExactly("PA 0(10) ack 0");
        scene.peer(0, 10, Segment.ACK, Octets.EMPTY, 10);
        assertThat(scene.sent()).containsExactly("PA 10(10) ack 0");
        scene.peer(0, 20, Segment.ACK, Octets.EMPTY, 10);
        assertThat(scene.sent()).containsExactly("PA 20(4) ack 0");
    }

    @Test
    void doesNotFeedASillyWindowButDoesNotWaitForEver() {
        Scene scene = withWindow(3, 65535);
        assertThat(scene.sent()).isEmpty();
        assertThat(scene.pass(1000).sent()).containsExactly("PA 0(3) ack 0");
    }

    @Test
    void theFinNeedsRoomInTheWindowAndProbesForIt() {
        Scene scene = withWindow(24, 24);
        scene.qp.close(scene.nowNs, scene.recorded);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0");
        scene.peer(0, 24, Segment.ACK, Octets.EMPTY, 0);
        assertThat(scene.sent()).isEmpty();
        assertThat(scene.pass(1000).sent()).containsExactly("FA 24(0) ack 0");
        scene.peer(0, 24, Segment.ACK, Octets.EMPTY, 1);
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 0");
    }

    @Test
    void scalesTheWindowField() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.window = 0;
        setup.maxWindow = 65535;
        setup.scale = 3;
        Scene scene = setup.takeOver();
        scene.peer(0, 0, Segment.ACK, Octets.EMPTY, 3);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0");
    }

    @Test
    void takesNoWindowFromAnOlderSegment() {
        Scene scene = withWindow(0, 65535);
        Octets fpdu = new FpduWriter(false, true, 1460)
                .frame(DdpSegment.tagged(DdpSegment.WRITE, 0, 0, Octets.EMPTY).octets());
        scene.peer(10, 0, Segment.ACK, fpdu.from(10), 0);
        scene.sent();
        scene.peer(0, 0, Segment.ACK, fpdu.slice(0, 10), 65535);
        assertThat(scene.sent())
                .as("sent before, arrived after: its window is stale")
                .containsExactly("A 0(0) ack 20");
        scene.peer(20, 0, Segment.ACK, Octets.EMPTY, 65535);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 20");
    }

    @Test
    void measuresRoundTripsButNoneOfASegmentSentTwice() {
        QpParams.Tcp fast =
                QpParams.Tcp.DEFAULT.with(new QpParams.Retransmission(1000 * Scene.MS, Scene.MS, 60_000 * Scene.MS, 8));
        Scene.Setup setup = Scene.Setup.responder();
        setup.params = new QpParams(fast, 1000 * Scene.MS, 1000 * Scene.MS);
        Scene scene = setup.takeOver();
        scene.pass(100).peerAck(0, 24);
        scene.sent();
        scene.codes();

        // SRTT 100 ms, RTTVAR 50 ms: RTO 300 ms (RFC 6298 §2.2).
        scene.qp.close(scene.nowNs, scene.recorded);
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 0");
        assertThat(scene.pass(299).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("FA 24(0) ack 0");
        assertThat(scene.pass(599).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("FA 24(0) ack 0");
    }

    @Test
    void threeRepeatedAcknowledgementsBringTheLossBackAtOnce() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.mss = 8;
        Scene scene = setup.takeOver();
        scene.sent();
        scene.peerAck(0, 0).peerAck(0, 0);
        assertThat(scene.sent()).isEmpty();
        scene.peerAck(0, 0);
        assertThat(scene.sent()).containsExactly("PA 0(8) ack 0");
        scene.peerAck(0, 0).peerAck(0, 0).peerAck(0, 0);
        assertThat(scene.sent()).as("once").isEmpty();
        scene.peerAck(0, 8);
        assertThat(scene.sent()).as("the next that was lost with it").containsExactly("PA 8(8) ack 0");
        scene.peerAck(0, 24).peerAck(0, 24).peerAck(0, 24).peerAck(0, 24);
        assertThat(scene.pass(100_000).sent()).as("nothing outstanding").isEmpty();
    }

    @Test
    void aWindowUpdateIsNoRepeatedAcknowledgement() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.sent();
        for (int i = 1; i < 10; i++) {
            scene.peer(0, 0, Segment.ACK, Octets.EMPTY, 65535 - i);
        }
        assertThat(scene.sent()).isEmpty();
    }

    @Test
    void theTimeoutFollowsRfc6298() {
        Rto rto = new Rto(QpParams.Retransmission.DEFAULT);
        assertThat(rto.timeoutNs()).isEqualTo(1000 * Scene.MS);
        rto.sample(800 * Scene.MS);
        assertThat(rto.timeoutNs()).as("SRTT 800, RTTVAR 400").isEqualTo(2400 * Scene.MS);
        rto.sample(1600 * Scene.MS);
        assertThat(rto.timeoutNs()).as("SRTT 900, RTTVAR 500").isEqualTo(2900 * Scene.MS);
        for (int i = 0; i < 100; i++) {
            rto.backOff();
            assertThat(rto.timeoutNs()).isLessThanOrEqualTo(60_000 * Scene.MS).isPositive();
        }
        assertThat(rto.timeoutNs()).isEqualTo(60_000 * Scene.MS);
        for (int i = 0; i < 100; i++) {
            rto.sample(Scene.MS);
        }
        assertThat(rto.timeoutNs()).as("not under the least").isEqualTo(1000 * Scene.MS);
        rto.sample(0);
        assertThat(rto.timeoutNs()).isEqualTo(1000 * Scene.MS);
    }
}
