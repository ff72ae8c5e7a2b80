package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.listen;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.B;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteApbvt;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.EnterTimeWait;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.Failed;
import io.iwcm.nic.spi.NicControl.FlowOpened;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The local end of active opens: address, port, reservation, and the port table. */
class OpenFlowTest {

    private static final CreateAh CREATE_AH = new CreateAh(Path.DEFAULT);
    private static final AddQuadHash ADD = new AddQuadHash(Optional.empty());

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "10.1.0.1/24@100", "fd00::1/64");

    @Test
    void theRouteChoosesAddressAndVlanAndThePortIsFromTheRange() {
        FlowKey flow = rig.opened("0.0.0.0:0", "10.1.0.9:4420");
        assertThat(flow.local().address()).hasToString("10.1.0.1");
        assertThat(flow.vlan()).isEqualTo(100);
        assertThat(flow.local().port()).isBetween(49152, 65535);
        assertThat(rig.opened("[::]:0", "[fd00::9]:4420").local().address()).hasToString("fd00::1");
    }

    @Test
    void whatIsAskedForIsGivenIfItCanBe() {
        assertThat(rig.opened("10.0.0.1:7000", "10.0.0.9:4420")).isEqualTo(flow("10.0.0.1:7000", "10.0.0.9:4420"));
        assertThat(failure("10.0.0.7:7000", "10.0.0.9:4420", 0)).isEqualTo(Failure.NOT_LOCAL);
        assertThat(failure("10.1.0.1:7000", "10.1.0.9:4420", 0)).isEqualTo(Failure.NOT_LOCAL);
        assertThat(failure("10.0.0.1:7000", "192.168.1.1:4420", 0)).isEqualTo(Failure.NO_ROUTE);
        assertThat(failure("0.0.0.0:0", "192.168.1.1:4420", 0)).isEqualTo(Failure.NO_ROUTE);
        assertThat(failure("0.0.0.0:0", "0.0.0.0:4420", 0)).isEqualTo(Failure.NO_ROUTE);
        assertThat(failure("0.0.0.0:0", "224.0.0.1:4420", 0)).isEqualTo(Failure.NO_ROUTE);
        assertThat(failure("0.0.0.0:0", "10.0.0.9:0", 0)).isEqualTo(Failure.NO_ROUTE);
        assertThat(failure("10.0.0.1:7000", "[fd00::9]:4420", 0)).isEqualTo(Failure.NOT_LOCAL);
        assertThat(failure("127.0.0.1:7000", "10.0.0.9:4420", 0)).isEqualTo(Failure.NO_ROUTE);
        assertThat(failure("10.0.0.1:7000", "10.0.0.1:7000", 0)).isEqualTo(Failure.QUAD_TAKEN);
        assertThat(rig.held().flows()).isEqualTo(1);
    }

    @Test
    void aFlowIsPromisedOnce() {
        FlowKey flow = rig.opened("10.0.0.1:7000", "10.0.0.9:4420");
        assertThat(failure("10.0.0.1:7000", "10.0.0.9:4420", 0)).isEqualTo(Failure.QUAD_TAKEN);
        rig.request(A, flow, 0, 1, new FreeAh());
        assertThat(rig.opened("10.0.0.1:7000", "10.0.0.9:4420")).isEqualTo(flow);
    }

    @Test
    void aFlowInTimeWaitCannotBeHad() {
        FlowKey flow = rig.opened("10.0.0.1:7000", "10.0.0.9:4420");
        rig.request(A, flow, 0, 1, ADD);
        rig.request(A, flow, 0, 2, new EnterTimeWait(new TimeWaitRow(seq(1), seq(2), 3)));
        assertThat(failure("10.0.0.1:7000", "10.0.0.9:4420", 0)).isEqualTo(Failure.QUAD_TAKEN);
        rig.pass(61 * SECOND);
        assertThat(rig.opened("10.0.0.1:7000", "10.0.0.9:4420")).isEqualTo(flow);
    }

    @Test
    void aPromiseThatNobodyTakesUpIsGivenBackInTime() {
        RnicSnapshot.Held before = rig.held();
        rig.opened("0.0.0.0:0", "10.0.0.9:4420");
        rig.pass(61 * SECOND);
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.rnic().nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anActiveOpenHoldsItsPortUntilItTidiesUp() {
        RnicSnapshot.Held before = rig.held();
        FlowKey flow = rig.opened("0.0.0.0:0", "10.0.0.9:4420");
        rig.request(A, flow, 0, 1, CREATE_AH);
        rig.pass(5 * SECOND);
        assertThat(rig.take()).last().asString().endsWith("handle failed NEIGHBOUR_UNREACHABLE");
        assertThat(failure(flow.local().toString(), "10.0.0.9:4420", 0)).isEqualTo(Failure.QUAD_TAKEN);
        rig.request(A, flow, 0, 2, new FreeAh());
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void aPromiseIsForWhoAskedForIt() {
        rig.order(new NicControl.Attach(1, B));
        FlowKey flow = rig.opened("0.0.0.0:0", "10.0.0.9:4420");
        rig.request(B, flow, 0, 1, CREATE_AH);
        assertThat(rig.take()).endsWith("event 2 " + flow + " epoch 0 handle failed QUAD_TAKEN");
        rig.request(A, flow, 0, 1, CREATE_AH);
        assertThat(rig.take()).isNotEmpty().noneMatch(line -> line.contains("QUAD_TAKEN"));
    }

    @Test
    void aPromiseIsNotGivenToADispatcherThatIsGone() {
        rig.order(new NicControl.Attach(1, B, Optional.of(A)));
        assertThat(failure("0.0.0.0:0", "10.0.0.9:4420", 0)).isEqualTo(Failure.DEVICE);
    }

    /** FC-85: a quad that is taken costs another port, as long as there is one. */
    @Test
    void portsRunOutTowardOneRemoteEndAndNotTowardOthers() {
        RnicConfig config = RnicRig.quiet("10.0.0.1/24");
        RnicRig small = new RnicRig(new RnicConfig(
                config.mac(),
                config.addresses(),
                config.routes(),
                config.mtu(),
                config.behaviour(),
                config.limits(),
                new RnicConfig.PortRange(50000, 50009),
                config.qp()));
        small.order(new NicControl.Attach(0, A));
        small.listen("10.0.0.1:50003", 0, 1, 1);
        Set<FlowKey> flows = new HashSet<>();
        for (int i = 0; i < 9; i++) {
            flows.add(small.opened("0.0.0.0:0", "10.0.0.9:4420"));
        }
        assertThat(flows).hasSize(9).noneMatch(flow -> flow.local().port() == 50003);
        assertThat(small.open("0.0.0.0:0", "10.0.0.9:4420", 0))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failure.PORTS_EXHAUSTED));
        assertThat(small.count(NicCounter.PORTS_EXHAUSTED)).isEqualTo(1);
        assertThat(small.open("0.0.0.0:0", "10.0.0.9:4421", 0)).isInstanceOf(FlowOpened.class);
    }

    /** FC-14: one port, fifty connections; the port is ours until the last of them ends. */
    @Test
    void connectionsShareALocalPort() {
        RnicSnapshot.Held before = rig.held();
        List<FlowKey> flows = new ArrayList<>();
        for (int i = 2; i < 52; i++) {
            FlowKey flow = rig.opened("10.0.0.1:7000", "10.0.0." + i + ":4420");
            rig.request(A, flow, 0, 1, ADD, new AddApbvt());
            flows.add(flow);
        }
        FlowKey survivor = flows.remove(17);
        Collections.shuffle(flows, new Random(3));
        for (FlowKey flow : flows) {
            rig.request(A, flow, 0, 2, new DeleteApbvt(), new DeleteQuadHash(), new FreeAh());
            rig.take();
            rig.receive(survivor, segment("A", 1, 2, ""));
            assertThat(rig.take()).containsExactly("ilq 1 " + survivor + " A 1 ack 2");
        }
        assertThat(rig.count(NicCounter.APBVT_ADDS)).isEqualTo(1);
        assertThat(rig.count(NicCounter.APBVT_DELETES)).isZero();
        rig.request(A, survivor, 0, 2, new DeleteApbvt(), new DeleteQuadHash(), new FreeAh());
        assertThat(rig.count(NicCounter.APBVT_DELETES)).isEqualTo(1);
        assertThat(rig.held()).isEqualTo(before);
    }

    /** FC-15, second half. */
    @Test
    void aListenerAndAConnectionShareAPort() {
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        FlowKey flow = rig.opened("10.0.0.1:5000", "10.0.0.9:4420");
        rig.request(A, flow, 0, 1, ADD, new AddApbvt());
        rig.order(new NicControl.Unlisten(1, listen("10.0.0.1:5000", 0)));
        assertThat(rig.held().ports()).isEqualTo(1);
        rig.request(A, flow, 0, 2, new DeleteApbvt());
        assertThat(rig.held().ports()).isZero();
        assertThat(rig.count(NicCounter.APBVT_ADDS)).isEqualTo(1);
    }

    /** FC-16: a deletion and an addition of one port take effect in the order they were given. */
    @Test
    void aPortThatIsGivenBackAndTakenAgainIsOurs() {
        FlowKey first = rig.opened("10.0.0.1:7000", "10.0.0.8:4420");
        FlowKey second = rig.opened("10.0.0.1:7000", "10.0.0.9:4420");
        rig.request(A, first, 0, 1, ADD, new AddApbvt());
        rig.request(A, first, 0, 2, new DeleteApbvt());
        rig.request(A, second, 0, 1, ADD, new AddApbvt());
        rig.request(A, first, 0, 3, new DeleteApbvt(), new DeleteQuadHash());
        rig.request(A, first, 0, 3, new DeleteApbvt(), new DeleteQuadHash());
        assertThat(rig.held().ports()).isEqualTo(1);
        assertThat(rig.count(NicCounter.APBVT_ADDS)).isEqualTo(2);
        assertThat(rig.count(NicCounter.APBVT_DELETES)).isEqualTo(1);
    }

    @Test
    void aSynForAFlowThatIsPromisedWaitsForOurs() {
        rig.listen("10.0.0.1:7000", 0, 1, 1);
        FlowKey flow = rig.opened("10.0.0.1:7000", "10.0.0.2:4420");
        rig.take();
        rig.receive(flow, segment("S", 1, 0, ""));
        assertThat(rig.take()).isEmpty();
        rig.receive(flow, segment("A", 1, 9, ""));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + flow + " R 9");
    }

    private Failure failure(String local, String remote, int vlan) {
        return ((Failed) rig.open(local, remote, vlan)).why();
    }
}
