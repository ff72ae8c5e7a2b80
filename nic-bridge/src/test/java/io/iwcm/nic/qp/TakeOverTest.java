package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair takes TCP over byte for byte and gets the MPA reply through. */
class TakeOverTest {

    @ParameterizedTest
    @ValueSource(ints = {1000, 0, -1, -12, -24, -25, Integer.MAX_VALUE - 10, Integer.MIN_VALUE})
    void sendsTheMpaReplyFromTheNextNumberAndReportsItsAcknowledgement(int ours) {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ours = ours;
        setup.theirs = -ours;
        Scene scene = setup.takeOver();

        assertThat(scene.recorded.segments.getFirst().payload()).isEqualTo(Scene.LSMM);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0");
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED);

        scene.peerAck(0, 23);
        assertThat(scene.codes()).isEmpty();
        scene.peerAck(0, 24);
        assertThat(scene.codes()).containsExactly(Code.LSMM_ACKNOWLEDGED);
        assertThat(scene.pass(600_000).sent()).isEmpty();
        assertThat(scene.qp.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void carriesTheScaledWindowItWasGiven() {
        Scene scene = Scene.Setup.responder().takeOver();

        assertThat(scene.recorded.segments).singleElement().returns(65535, Segment::window);
    }

    @Test
    void splitsTheReplyByTheMss() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.mss = 10;

        assertThat(setup.takeOver().sent()).containsExactly("PA 0(10) ack 0", "PA 10(10) ack 0", "PA 20(4) ack 0");
    }

    @Test
    void retransmitsTheReplyWithGrowingTimeoutsUntilAcknowledged() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.sent();

        assertThat(scene.pass(999).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("PA 0(24) ack 0");
        assertThat(scene.pass(1999).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("PA 0(24) ack 0");
        scene.pass(4000);
        assertThat(scene.sent()).hasSize(1);
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LLP_DOUBT_REACHABILITY);

        scene.peerAck(0, 24);
        assertThat(scene.codes()).containsExactly(Code.LSMM_ACKNOWLEDGED);
        assertThat(scene.pass(600_000).sent()).isEmpty();
    }

    @Test
    void resetsAPeerThatNeverAcknowledges() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.sent();

        scene.pass(1000 * (1 + 2 + 4 + 8 + 16 + 32 + 60 + 60) + 59_999);
        assertThat(scene.sent()).hasSize(8).containsOnly("PA 0(24) ack 0");
        scene.codes();

        scene.pass(1);
        assertThat(scene.sent()).containsExactly("RA 24(0) ack 0");
        assertThat(scene.codes()).containsExactly(Code.LLP_TOO_MANY_RETRIES);
        assertThat(scene.recorded.ended).isTrue();
        assertThat(scene.recorded.timeWait).isEmpty();
    }

    @Test
    void goesOnRetransmittingWhatTheConnectionManagerHadSent() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.unacknowledged = Octets.ofHex("aabbccdd");
        Scene scene = setup.takeOver();

        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0");
        assertThat(scene.pass(1000).sent())
                .as("as much as one segment")
                .containsExactly("PA -4(4) ack 0", "PA 0(24) ack 0");
        scene.peerAck(0, 0);
        assertThat(scene.sent()).isEmpty();
        scene.peerAck(0, 24);
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED);
    }

    @Test
    void reportsAFinThatTheConnectionManagerHadSeen() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.peerFinished = true;
        Scene scene = setup.takeOver();

        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0");
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LLP_FIN_RECEIVED);

        scene.peerData(0, 24, Octets.ofHex("000ec1400000000100000000000000000000"));
        assertThat(scene.sent()).as("nothing follows a FIN").containsExactly("A 24(0) ack 0");
        assertThat(scene.codes()).containsExactly(Code.LSMM_ACKNOWLEDGED);
    }

    @Test
    void saysNothingAfterTheEnd() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.qp.abort(scene.nowNs, scene.recorded);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0", "RA 24(0) ack 0");
        assertThat(scene.codes()).isEqualTo(List.of(Code.LLP_CONNECTION_ESTABLISHED, Code.RESET_SENT));

        scene.peerAck(0, 24).pass(600_000);
        scene.qp.close(scene.nowNs, scene.recorded);
        scene.qp.abort(scene.nowNs, scene.recorded);
        assertThat(scene.sent()).isEmpty();
        assertThat(scene.codes()).isEmpty();
    }
}
