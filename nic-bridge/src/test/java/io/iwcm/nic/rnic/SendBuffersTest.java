package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.MoveInBacklog;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Eight transmit buffers and a link that takes nothing for a while (PROTOCOL §14). */
class SendBuffersTest {

    private static final FlowKey STRANGER = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final FlowKey STANDS = flow("10.0.0.1:5000", "10.0.0.2:33001");
    private static final Segment DATA = segment("PA", 101, 301, "data");

    private final FakeDevice device = new FakeDevice();
    private final RnicRig rig = new RnicRig(limited(), device);
    private long strangers;
    private long stands;
    private long lastId = 10;

    private static RnicConfig limited() {
        RnicConfig.Limits l = RnicConfig.Limits.DEFAULT;
        return RnicRig.limited(
                RnicRig.quiet("10.0.0.1/24"), new RnicConfig.Limits(8, 8, 8, 8, 8, 4, 8, l.neighbours()));
    }

    @BeforeEach
    void oneConnectionIsHalfOpenAndOneStands() {
        rig.order(new NicControl.Attach(0, A));
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        strangers = rig.install(A, STRANGER);
        stands = rig.install(A, STANDS);
        rig.request(A, STANDS, stands, 3, new MoveInBacklog(BacklogPlace.WAITING));
        rig.take();
    }

    @Test
    void strangersLeaveTheLastQuarterToConnectionsThatStand() {
        rig.linkIsBusy();
        for (int i = 0; i < 7; i++) synAck();
        assertThat(rig.take()).as("the seventh is dropped").hasSize(6);
        assertThat(rig.count(NicCounter.BUF_ALLOC_FAIL)).isEqualTo(1);
        rig.receive(flow("10.0.0.1:9", "10.0.0.2:9"), segment("S", 300, 0, ""));
        assertThat(rig.take()).as("nobody is reset either").isEmpty();
        for (int i = 0; i < 3; i++) data();
        assertThat(rig.take()).as("the ninth frame finds no buffer").hasSize(2);
        assertThat(rig.count(NicCounter.BUF_ALLOC_FAIL)).isEqualTo(3);
        assertThat(rig.held().underWay().buffers()).isEqualTo(8);
        rig.linkTakes();
        assertThat(rig.held().underWay().buffers()).isZero();
        synAck();
        data();
        assertThat(rig.take()).hasSize(2);
    }

    @Test
    void whoWaitsBehindOthersIsCountedAndOrderIsKept() {
        device.holdFrames();
        synAck();
        assertThat(rig.count(NicCounter.SENT_PKT_Q)).isZero();
        data();
        assertThat(rig.count(NicCounter.SENT_PKT_Q)).isEqualTo(1);
        assertThat(rig.take()).isEmpty();
        device.releaseFrames();
        rig.pass(0);
        assertThat(rig.take())
                .containsExactly(
                        "> " + PEER + " tcp " + STRANGER + " SA 100 ack 301",
                        "> " + PEER + " tcp " + STANDS + " PA 101 ack 301 +4");
        assertThat(rig.held().underWay().buffers()).isZero();
    }

    @Test
    void aFrameThatIsLostGivesItsBufferBack() {
        device.loseFrames(20);
        for (int i = 0; i < 20; i++) data();
        assertThat(rig.take()).isEmpty();
        data();
        assertThat(rig.take()).hasSize(1);
        assertThat(rig.count(NicCounter.BUF_ALLOC_FAIL)).isZero();
    }

    @Test
    void whatWasDroppedIsNotCountedAsSent() {
        rig.linkIsBusy();
        long before = rig.count(NicCounter.PKT_SENT);
        for (int i = 0; i < 20; i++) data();
        assertThat(rig.count(NicCounter.PKT_SENT) - before).isEqualTo(8);
        assertThat(rig.count(NicCounter.BUF_ALLOC_FAIL)).isEqualTo(12);
    }

    private void synAck() {
        rig.request(A, STRANGER, strangers, ++lastId, new Transmit(segment("SA", 100, 301, "")));
    }

    private void data() {
        rig.request(A, STANDS, stands, ++lastId, new Transmit(DATA));
    }
}
