package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.DeviceCommand.QpToClosing;
import io.iwcm.nic.spi.DeviceCommand.QpToError;
import io.iwcm.nic.spi.DeviceCommand.QpToRts;
import io.iwcm.nic.spi.NicCommand.AbortQp;
import io.iwcm.nic.spi.NicCommand.CloseQp;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Reinject;
import io.iwcm.nic.spi.NicCommand.TerminateQp;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From ModifyQp to the device's answer. Our SYN-ACK was 100, the peer's next number is 301. */
class SlowHandOverTest {

    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");

    private final FakeDevice device = new FakeDevice();
    private final RnicRig rig = RnicRig.over(device, "10.0.0.1/24");
    private QpId qp = new QpId(1);
    private long epoch;

    @BeforeEach
    void acceptOneConnection() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        qp = ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(1, java.util.Optional.empty()))).qp();
        epoch = rig.install(A, FLOW);
        rig.request(A, FLOW, epoch, 3, new Transmit(segment("SA", 100, 301, "")));
        rig.take();
        device.hold(QpToRts.class);
    }

    @AfterEach
    void everythingIsGivenBack() {
        rig.order(new NicControl.Unlisten(90, ListenKey.of(FLOW)));
        rig.request(A, FLOW, epoch, 150, new AbortQp(qp), new DeleteQuadHash(), new FreeAh());
        rig.order(new NicControl.DestroyQp(91, qp));
        device.behave();
        device.releaseAll(false);
        rig.pass(100 * SECOND);
        rig.checkLeakFree();
        assertThat(device.entries()).isEmpty();
        assertThat(device.violations()).isEmpty();
    }

    /** FC-30, at the device: the queue pair says nothing before it is in RTS. */
    @Test
    void theQueuePairSpeaksWhenTheDeviceHasItInRts() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.pass(2 * SECOND);
        assertThat(rig.take()).isEmpty();
        assertThat(rig.held().halfOpen())
                .as("the application does not have it yet")
                .isEqualTo(1);
        answered();
        assertThat(rig.take()).containsExactly(event("qp LLP_CONNECTION_ESTABLISHED"), tcp("PA 101 ack 301 +20"));
    }

    @Test
    void whatArrivesMeanwhileGoesToItsOwnerAndIsKeptForTheQueuePairsFirstStep() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.receive(FLOW, segment("A", 301, 101, ""));
        assertThat(rig.takeIlq()).hasSize(1);
        rig.request(A, FLOW, epoch, 5, new Reinject(segment("A", 301, 101, "")));
        rig.take();
        answered();
        assertThat(rig.take()).hasSize(2);
    }

    /** A reset comes only once. */
    @Test
    void aResetInTheGapEndsTheConnectionOnce() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.receive(FLOW, segment("R", 301, 0, ""));
        assertThat(rig.takeIlq()).hasSize(1);
        rig.request(A, FLOW, epoch, 5, new Reinject(segment("R", 301, 0, "")));
        rig.request(A, FLOW, epoch, 5, new Reinject(segment("R", 301, 0, ""))); // The bridge heard it twice.
        rig.take();
        answered();
        assertThat(rig.take())
                .containsExactly(
                        event("qp LLP_CONNECTION_ESTABLISHED"),
                        tcp("PA 101 ack 301 +20"),
                        event("qp LLP_CONNECTION_RESET"));
        rig.pass(5 * SECOND);
        assertThat(rig.take()).as("nothing is sent again").isEmpty();
    }

    @Test
    void dataAndTheFinInTheGapAreTakenOnceThoughTheyComeAgainByEveryWay() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.request(A, FLOW, epoch, 5, new Reinject(segment("FA", 305, 101, ""))); // Before its data.
        rig.request(A, FLOW, epoch, 6, new Reinject(segment("PA", 301, 101, "abcd")));
        rig.request(A, FLOW, epoch, 7, new Reinject(segment("PA", 301, 101, "abcd")));
        answered();
        assertThat(rig.take())
                .filteredOn(line -> line.contains("qp "))
                .as("part of an FPDU, and the end")
                .containsExactly(event("qp LLP_CONNECTION_ESTABLISHED"), event("qp BAD_CLOSE"));
        rig.receive(FLOW, segment("FPA", 301, 101, "abcd"));
        rig.request(A, FLOW, epoch, 8, new Reinject(segment("FA", 305, 101, "")));
        assertThat(rig.take()).hasSize(2).allMatch(line -> line.contains("ack 306"));
    }

    @Test
    void anMpaRequestThatIsRepeatedInTheGapIsOldAndAcknowledged() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.request(A, FLOW, epoch, 5, new Reinject(segment("PA", 281, 101, "MPA ID Req Frame....")));
        answered();
        assertThat(rig.take())
                .containsExactly(
                        event("qp LLP_CONNECTION_ESTABLISHED"), tcp("PA 101 ack 301 +20"), tcp("A 121 ack 301"));
    }

    @Test
    void whatIsKeptHasALimitAndGoesWhenTheConnectionDoes() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        for (int i = 0; i < 100; i++) {
            rig.request(A, FLOW, epoch, 5 + i, new Reinject(segment("A", 301, 101, "")));
        }
        assertThat(rig.rnic().snapshot().drops(Drop.NO_STEERING)).isEqualTo(36);
        rig.request(A, FLOW, epoch, 105, new AbortQp(qp));
        rig.request(A, FLOW, epoch, 106, new Reinject(segment("R", 301, 0, "")));
        rig.take();
        answered();
        assertThat(rig.take()).isEmpty();
        assertThat(rig.rnic().snapshot().drops(Drop.NO_STEERING)).isEqualTo(37);
    }

    /** FC-30: a device that refuses. */
    @Test
    void aRefusalLeavesTheConnectionWithItsOwnerAndTheQueuePairFree() {
        device.fail(QpToRts.class, 1, Failure.DEVICE);
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        answered();
        assertThat(rig.take()).containsExactly(event("qp failed DEVICE"));
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        assertThat(rig.take()).as("told again").containsExactly(event("qp failed DEVICE"));
        rig.request(A, FLOW, epoch, 5, new Transmit(segment("RA", 101, 301, "")));
        assertThat(rig.take()).as("its owner resets the peer").containsExactly(tcp("RA 101 ack 301"));
        rig.request(A, FLOW, epoch, 6, HandOverTest.modify(qp));
        answered();
        assertThat(rig.take()).first().isEqualTo(event("qp LLP_CONNECTION_ESTABLISHED"));
    }

    @Test
    void anAbortOnTheWayResetsThePeerAndWhatTheDeviceSaysThenIsUndone() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.request(A, FLOW, epoch, 5, new AbortQp(qp));
        rig.request(A, FLOW, epoch, 6, new CloseQp(qp));
        assertThat(rig.take()).containsExactly(tcp("RA 101 ack 301"), event("qp RESET_SENT"));
        rig.request(A, FLOW, epoch, 7, new DeleteQuadHash(), new FreeAh());
        device.take();
        answered();
        assertThat(rig.take()).as("nobody is told of a connection that is gone").isEmpty();
        assertThat(device.take()).containsExactly(new QpToError(qp));
    }

    @Test
    void aLateRefusalOfAConnectionThatIsGoneConcernsNobody() {
        device.fail(QpToRts.class, 1, Failure.DEVICE);
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.request(A, FLOW, epoch, 5, new DeleteQuadHash(), new FreeAh());
        answered();
        assertThat(rig.take()).isEmpty();
    }

    /** FC-65: the queue pair is destroyed while it is being modified. */
    @Test
    void whoDestroysTheQueuePairOnTheWayRefusesTheConnection() {
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.order(new NicControl.DestroyQp(7, qp));
        assertThat(rig.take()).containsExactly(event("qp failed BAD_QP"));
        answered();
        assertThat(rig.take()).isEmpty();
        assertThat(device.take()).contains(new QpToError(qp));
    }

    @Test
    void aTerminateOnTheWayIsTheQueuePairsFirstWord() {
        rig.request(
                A,
                FLOW,
                epoch,
                4,
                HandOverTest.modify(qp, io.iwcm.nic.wire.Octets.EMPTY),
                new TerminateQp(qp, TermCode.MPA_LOCAL_ERROR));
        assertThat(rig.take()).isEmpty();
        answered();
        assertThat(rig.take()).contains(event("qp LLP_CONNECTION_ESTABLISHED"), event("qp TERMINATE_SENT"));
    }

    /** FC-76: modify to CLOSING fails: there is no orderly end, but there is one. */
    @Test
    void aQueuePairThatTheDeviceWillNotCloseIsReset() {
        device.behave().fail(QpToClosing.class, 1, Failure.DEVICE);
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.take();
        rig.request(A, FLOW, epoch, 5, new CloseQp(qp));
        assertThat(rig.take()).hasSize(2).last().isEqualTo(event("qp RESET_SENT"));
        assertThat(device.take()).contains(new QpToClosing(qp), new QpToError(qp));
    }

    @Test
    void aQueuePairClosesWhenTheDeviceLetsIt() {
        device.behave().hold(QpToClosing.class);
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.receive(FLOW, segment("A", 301, 121, ""));
        rig.take();
        rig.request(A, FLOW, epoch, 5, new CloseQp(qp));
        assertThat(rig.take()).isEmpty();
        device.release(QpToClosing.class, 1);
        rig.pass(0);
        assertThat(rig.take()).containsExactly(tcp("FA 121 ack 301"));
    }

    @Test
    void aCloseThatComesAfterThePeersResetClosesNothing() {
        device.behave().hold(QpToClosing.class);
        rig.request(A, FLOW, epoch, 4, HandOverTest.modify(qp));
        rig.request(A, FLOW, epoch, 5, new CloseQp(qp));
        rig.receive(FLOW, segment("R", 301, 0, ""));
        rig.take();
        device.release(QpToClosing.class, 1);
        rig.pass(0);
        assertThat(rig.take()).isEmpty();
    }

    private void answered() {
        device.release(QpToRts.class, 1);
        rig.pass(0);
    }

    private String event(String text) {
        return "event 1 " + FLOW + " epoch " + epoch + " " + text;
    }

    private static String tcp(String text) {
        return "> " + PEER + " tcp " + FLOW + " " + text;
    }
}
