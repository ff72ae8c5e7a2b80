package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way for a connection to end, and that each ends once and in bounded time (FC-76, FC-98). */
@ParameterizedClass
@ValueSource(ints = {1000, -24, -25, Integer.MAX_VALUE - 24})
class ClosingTest {

    private static final int FIN_ACK = Segment.FIN | Segment.ACK;
    private static final Octets FPDU = new FpduWriter(false, true, 1460)
            .frame(DdpSegment.tagged(DdpSegment.WRITE, 0, 0, Octets.EMPTY).octets());

    private final int start;
    private final Scene scene;

    ClosingTest(int start) {
        this.start = start;
        Scene.Setup setup = Scene.Setup.responder();
        setup.ours = start;
        setup.theirs = start;
        scene = setup.takeOver();
    }

    private ClosingTest established() {
        scene.peerAck(0, 24);
        scene.sent();
        scene.codes();
        return this;
    }

    private void close() {
        scene.qp.close(scene.nowNs, scene.recorded);
    }

    @Test
    void weCloseFirst() {
        established().close();
        close();
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 0");

        scene.peerAck(0, 25);
        assertThat(scene.codes()).isEmpty();
        assertThat(scene.pass(30_000).sent()).isEmpty();

        scene.peer(0, 25, FIN_ACK, Octets.EMPTY);
        assertThat(scene.sent()).containsExactly("A 25(0) ack 1");
        assertThat(scene.codes()).containsExactly(Code.LLP_FIN_RECEIVED, Code.LLP_CLOSE_COMPLETE);
        assertThat(scene.recorded.timeWait)
                .contains(new TimeWaitRow(new SeqNum(start + 25), new SeqNum(start + 1), 65535));
    }

    @Test
    void thePeerClosesFirst() {
        established().scene.peer(0, 24, FIN_ACK, Octets.EMPTY);
        assertThat(scene.sent()).containsExactly("A 24(0) ack 1");
        assertThat(scene.codes()).containsExactly(Code.LLP_FIN_RECEIVED);

        close();
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 1");
        scene.peerAck(1, 25);
        assertThat(scene.codes()).containsExactly(Code.LLP_CLOSE_COMPLETE);
        assertThat(scene.recorded.ended).isTrue();
        assertThat(scene.recorded.timeWait).isEmpty();
    }

    @Test
    void bothCloseAtOnce() {
        established().close();
        scene.peer(0, 24, FIN_ACK, Octets.EMPTY);
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 0", "A 25(0) ack 1");
        assertThat(scene.codes()).containsExactly(Code.LLP_FIN_RECEIVED);

        scene.peerAck(1, 25);
        assertThat(scene.codes()).containsExactly(Code.LLP_CLOSE_COMPLETE);
        assertThat(scene.recorded.timeWait).isPresent();
    }

    @Test
    void theFinGoesAfterWhatIsOutstanding() {
        close();
        assertThat(scene.sent()).as("the reply, then FIN").containsExactly("PA 0(24) ack 0", "FA 24(0) ack 0");
        scene.peerAck(0, 24);
        assertThat(scene.codes()).contains(Code.LSMM_ACKNOWLEDGED);
        assertThat(scene.pass(1000).sent()).containsExactly("FA 24(0) ack 0");
        scene.peer(0, 25, FIN_ACK, Octets.EMPTY);
        assertThat(scene.recorded.ended).isTrue();
    }

    @Test
    void replyAndFinAreRetransmittedTogether() {
        close();
        scene.sent();
        assertThat(scene.pass(1000).sent()).containsExactly("FPA 0(24) ack 0");
    }

    @Test
    void dataBeforeAFinIsTakenFirst() {
        established().scene.peer(0, 24, FIN_ACK | Segment.PSH, FPDU);
        assertThat(scene.sent()).containsExactly("A 24(0) ack 21");
        assertThat(scene.codes()).containsExactly(Code.RTR_RECEIVED, Code.LLP_FIN_RECEIVED);
    }

    @Test
    void aFinThatOvertakesItsDataWaits() {
        established().scene.peer(20, 24, FIN_ACK, Octets.EMPTY);
        assertThat(scene.sent()).containsExactly("A 24(0) ack 0");
        assertThat(scene.codes()).isEmpty();
        scene.peerData(0, 24, FPDU.concat(FPDU)); // What lies beyond the FIN is not the peer's.
        assertThat(scene.sent()).containsExactly("A 24(0) ack 21");
        assertThat(scene.codes()).containsExactly(Code.RTR_RECEIVED, Code.LLP_FIN_RECEIVED);
        assertThat(scene.qp.count(QpCounter.FPDU)).isEqualTo(1);
    }

    @Test
    void aRepeatedFinIsAcknowledgedAgain() {
        established().scene.peer(0, 24, FIN_ACK, Octets.EMPTY).peer(0, 24, FIN_ACK, Octets.EMPTY);
        assertThat(scene.sent()).containsExactly("A 24(0) ack 1", "A 24(0) ack 1");
        assertThat(scene.codes()).containsExactly(Code.LLP_FIN_RECEIVED);
    }

    @Test
    void closesOfItsOwnAccordWhenNobodyOrdersItAfterAFin() {
        established().scene.peer(0, 24, FIN_ACK, Octets.EMPTY);
        scene.sent();
        assertThat(scene.pass(999).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("FA 24(0) ack 1");
    }

    @Test
    void aFinInTheMiddleOfAnFpduIsABadClose() {
        established().scene.peer(0, 24, FIN_ACK, FPDU.slice(0, 19));
        assertThat(scene.codes()).containsExactly(Code.BAD_CLOSE);
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 20");
        scene.peerAck(20, 25);
        assertThat(scene.codes()).containsExactly(Code.LLP_CLOSE_COMPLETE);
    }

    @Test
    void aPeerSilentInFinWait1IsReset() {
        established().close();
        scene.sent();
        scene.pass(59_999);
        assertThat(scene.sent()).hasSize(5).containsOnly("FA 24(0) ack 0");
        assertThat(scene.pass(1).sent()).containsExactly("RA 25(0) ack 0");
        assertThat(scene.codes()).containsExactly(Code.LLP_DOUBT_REACHABILITY, Code.RESET_SENT);
        assertThat(scene.recorded.ended).isTrue();
    }

    @Test
    void aPeerSilentInFinWait2IsReset() {
        established().close();
        scene.pass(10_000).peerAck(0, 25);
        scene.sent();
        scene.codes();
        assertThat(scene.pass(59_999).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("RA 25(0) ack 0");
        assertThat(scene.codes()).containsExactly(Code.RESET_SENT);
    }

    @Test
    void aPeerSilentInLastAckIsReset() {
        established().scene.peer(0, 24, FIN_ACK, Octets.EMPTY).pass(200_000);
        assertThat(scene.codes()).containsExactly(Code.LLP_FIN_RECEIVED, Code.LLP_DOUBT_REACHABILITY, Code.RESET_SENT);
        assertThat(scene.recorded.ended).isTrue();
    }

    @Test
    void aPeerThatTricklesInFinWait2IsResetAllTheSame() {
        established().close();
        scene.peerAck(0, 25);
        for (int second = 0; second < 61; second++) {
            scene.peerData(20 * second, 25, FPDU).pass(1000);
        }
        assertThat(scene.recorded.ended).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, RA 24(0) ack 0", "1, RA 25(0) ack 0"})
    void anAbortResetsAtTheNextNumber(int fins, String reset) {
        established();
        if (fins == 1) {
            close();
            scene.sent();
        }
        scene.qp.abort(scene.nowNs, scene.recorded);
        assertThat(scene.sent()).containsExactly(reset);
        assertThat(scene.codes()).containsExactly(Code.RESET_SENT);
        assertThat(scene.recorded.ended).isTrue();
        assertThat(scene.qp.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aResetBetweenTheReplyAndTheRtrTellsOfNoRtr() {
        scene.peer(0, 0, Segment.RST, Octets.EMPTY);
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LLP_CONNECTION_RESET);
        assertThat(scene.recorded.ended).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 24})
    void aFinBetweenTheReplyAndTheRtrTellsOfNoRtr(int acknowledged) {
        scene.peer(0, acknowledged, FIN_ACK, Octets.EMPTY);
        close();
        scene.peerAck(1, 25);
        assertThat(scene.codes())
                .doesNotContain(Code.RTR_RECEIVED)
                .startsWith(Code.LLP_CONNECTION_ESTABLISHED)
                .endsWith(Code.LLP_CLOSE_COMPLETE)
                .contains(Code.LSMM_ACKNOWLEDGED, Code.LLP_FIN_RECEIVED);
        assertThat(scene.recorded.timeWait).isEmpty();
    }

    @Test
    void aTerminateOfOursIsFollowedByOurFinAndBounded() {
        established().scene.peerData(0, 24, FPDU);
        scene.pass(100).sent();
        scene.codes();
        scene.qp.terminate(TermCode.MPA_LOCAL_ERROR, scene.nowNs, scene.recorded);

        // Length 22, DDP/RDMAP header of queue 2, MSN 1, then 20 05 00 00 and its CRC: 28 octets.
        assertThat(scene.recorded.segments.getFirst().payload().slice(0, 24).toHex())
                .isEqualTo("0016" + "4147" + "00000000" + "00000002" + "00000001" + "00000000" + "20050000");
        assertThat(scene.sent()).containsExactly("FPA 24(28) ack 20");
        assertThat(scene.recorded.events).singleElement().satisfies(event -> {
            assertThat(event.code()).isEqualTo(Code.TERMINATE_SENT);
            assertThat(event.terminate()).contains(TermCode.MPA_LOCAL_ERROR);
        });
        scene.codes();

        scene.pass(500).peerAck(20, 53);
        scene.sent();
        assertThat(scene.pass(499).sent()).isEmpty();
        assertThat(scene.pass(1).sent()).containsExactly("RA 53(0) ack 20");
        assertThat(scene.codes()).containsExactly(Code.RESET_SENT);
    }

    @Test
    void aTerminateOfOursEndsOrderlyWhenThePeerCloses() {
        established().scene.peerData(0, 24, FPDU);
        scene.qp.terminate(TermCode.MPA_LOCAL_ERROR, scene.nowNs, scene.recorded);
        scene.peer(20, 53, FIN_ACK, Octets.EMPTY);
        assertThat(scene.codes())
                .containsExactly(
                        Code.RTR_RECEIVED, Code.TERMINATE_SENT, Code.LLP_FIN_RECEIVED, Code.LLP_CLOSE_COMPLETE);
        assertThat(scene.recorded.timeWait).isPresent();
    }

    @Test
    void aResponderThatHasHeardNoFpduResetsInsteadOfTerminating() {
        established();
        scene.qp.terminate(TermCode.MPA_LOCAL_ERROR, scene.nowNs, scene.recorded);
        assertThat(scene.sent()).containsExactly("RA 24(0) ack 0");
        assertThat(scene.codes()).containsExactly(Code.RESET_SENT);
    }

    @Test
    void aTerminateOfThePeerIsToldAndClosedNotAnswered() {
        Octets terminate = new FpduWriter(false, true, 1460)
                .frame(Terminate.of(TermCode.MPA_LOCAL_ERROR).octets());
        established().scene.peerData(0, 24, terminate.concat(FPDU));
        assertThat(scene.sent()).containsExactly("FA 24(0) ack 48");
        assertThat(scene.recorded.events).singleElement().satisfies(event -> {
            assertThat(event.code()).isEqualTo(Code.LLP_TERMINATE_RECEIVED);
            assertThat(event.terminate()).contains(TermCode.MPA_LOCAL_ERROR);
        });
        scene.codes();
        scene.peer(48, 25, FIN_ACK, Octets.EMPTY);
        assertThat(scene.codes()).containsExactly(Code.LLP_FIN_RECEIVED, Code.LLP_CLOSE_COMPLETE);
    }

    @Test
    void aBadCrcIsToldTerminatedAndClosed() {
        byte[] bad = FPDU.toBytes();
        bad[5] ^= 1;
        established().scene.peerData(0, 24, FPDU.concat(Octets.wrap(bad)));
        assertThat(scene.recorded.segments).singleElement().satisfies(segment -> {
            assertThat(segment.fin()).isTrue();
            assertThat(segment.payload().slice(20, 4).toHex()).isEqualTo("20020000");
        });
        assertThat(scene.codes()).containsExactly(Code.RTR_RECEIVED, Code.MPA_CRC_ERROR, Code.TERMINATE_SENT);
    }

    @Test
    void aBadFirstFpduAtTheResponderIsToldAndReset() {
        byte[] bad = FPDU.toBytes();
        bad[5] ^= 1;
        established().scene.peerData(0, 24, Octets.wrap(bad));
        assertThat(scene.sent()).containsExactly("RA 24(0) ack 20");
        assertThat(scene.codes()).containsExactly(Code.MPA_CRC_ERROR, Code.RESET_SENT);
    }
}
