package io.iwcm.nic.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.QpConsumer;
import io.iwcm.nic.verbs.VerbsOrder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an application asks of the NIC and does not get: refused, counted, and nothing else has changed. */
class VerbsOrdersTest {

    private static final QpId NOT_THERE = new QpId(4711);

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");
    private final ProtectionDomain domain = new ProtectionDomain("test");
    private final List<QpConsumer> gone = new ArrayList<>();

    @Test
    void refusesARegionTooManyUntilAnotherIsGivenBack() {
        int most = QpParams.Work.DEFAULT.regionsMax();
        MemoryRegion first = register().orElseThrow();
        for (int i = 1; i < most; i++) assertThat(register()).isPresent();

        assertThat(register()).isEmpty();
        assertThat(rig.count(NicCounter.REGIONS_REFUSED)).isEqualTo(1);

        rig.rnic().verbs(new VerbsOrder.Deregister(first, () -> {}), rig.nowNs(), rig);
        assertThat(register()).isPresent();
        assertThat(rig.count(NicCounter.REGIONS_REFUSED)).isEqualTo(1);
    }

    @Test
    void refusesAQueuePairThatIsNotThereOrInUseOrTooDeep() {
        QpId qp = ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(1))).qp();

        assertThat(open(NOT_THERE, 1)).isFalse();
        assertThat(open(qp, QpParams.Work.DEFAULT.depthMax() + 1)).isFalse();
        assertThat(rig.count(NicCounter.QUEUES_REFUSED)).isEqualTo(2);

        assertThat(open(qp, QpParams.Work.DEFAULT.depthMax())).isTrue();
        assertThat(open(qp, 1)).isFalse();
        assertThat(rig.count(NicCounter.QUEUES_REFUSED)).isEqualTo(3);

        assertThat(gone).isEmpty();
        rig.order(new NicControl.DestroyQp(2, qp));
        assertThat(gone).as("only who had it hears that it is gone").hasSize(1);
    }

    private Optional<MemoryRegion> register() {
        List<Optional<MemoryRegion>> answer = new ArrayList<>();
        MemorySegment memory = MemorySegment.ofArray(new byte[1]);
        rig.rnic().verbs(new VerbsOrder.Register(domain, memory, 0, Access.LOCAL_WRITE, answer::add), rig.nowNs(), rig);
        return answer.getFirst();
    }

    private boolean open(QpId qp, int depth) {
        List<Boolean> answer = new ArrayList<>();
        rig.rnic().verbs(new VerbsOrder.Open(qp, domain, depth, new Consumer(), answer::add), rig.nowNs(), rig);
        return answer.getFirst();
    }

    private final class Consumer implements QpConsumer {
        @Override
        public void completed(Completion completion, boolean told) {
            throw new AssertionError("nothing was posted");
        }

        @Override
        public void event(AsyncEvent event) {
            throw new AssertionError("there is no connection");
        }

        @Override
        public void gone() {
            gone.add(this);
        }
    }
}
