package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.B;
import static io.iwcm.nic.testkit.RnicRig.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What reaches an ILQ, and whose. */
class IlqTest {

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "fd00::1/64@100");

    /** Known, handed over, asked for, unknown, and damaged: tagged and untagged, IPv4 and IPv6. */
    @Test
    void everyFrameGoesToWhoseItIs() {
        rig.order(new NicControl.Attach(1, B));
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        FlowKey known = flow("[fd00::1]:5000", "[fd00::2]:33000", 100);
        rig.install(B, known, Optional.empty());
        FlowKey handedOver = flow("10.0.0.1:5000", "10.0.0.2:33000");
        handOver(handedOver);
        FlowKey unknown = flow("10.0.0.1:5000", "10.0.0.2:33001");
        byte[] damaged = frame(known, segment("PA", 201, 101, "data"), 0);
        damaged[damaged.length - 1] ^= 1;
        rig.take();

        rig.receive(frame(known, segment("PA", 201, 101, "data"), 5));
        rig.receive(damaged);
        rig.receive(handedOver, segment("PA", 301, 121, "data"));
        rig.receive(unknown, segment("A", 1, 1, ""));
        rig.receive(unknown, segment("SA", 1, 1, ""));
        rig.receive(unknown, syn(200));

        assertThat(rig.takeIlq())
                .extracting(entry -> entry.frame().addressing().flow())
                .containsExactly(known, unknown);
        assertThat(rig.take())
                .filteredOn(line -> line.startsWith("ilq"))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("ilq 2 " + known + " priority 5 PA 201 ack 101 +4"),
                        line -> assertThat(line).endsWith(" " + unknown + " S 200 listener"));
        assertThat(rig.drops(Drop.TCP_BAD_CHECKSUM)).isEqualTo(1);
        assertThat(rig.drops(Drop.NO_STEERING)).isEqualTo(2);
        assertThat(rig.count(NicCounter.QP_SEGMENTS_RECEIVED)).isEqualTo(1);
    }

    private void handOver(FlowKey flow) {
        QpId qp = ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(2))).qp();
        long epoch = rig.install(A, flow);
        rig.request(A, flow, epoch, 3, HandOverTest.modify(qp));
    }
}
