package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.DeviceCommand.AddPort;
import io.iwcm.nic.spi.DeviceCommand.AddQuad;
import io.iwcm.nic.spi.DeviceCommand.AddSyn;
import io.iwcm.nic.spi.DeviceCommand.DeleteSyn;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners and active opens over a device that takes its time and refuses. */
class SlowEndpointsTest {

    private static final FlowKey PASSIVE = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final FlowKey ACTIVE = flow("10.0.0.1:7000", "10.0.0.2:4420");

    private final FakeDevice device = new FakeDevice();
    private final RnicRig rig = RnicRig.over(device, "10.0.0.1/24", "fd00::1/64");
    private final RnicSnapshot.Held before = rig.held();

    @AfterEach
    void theContractIsKeptAndNothingIsLeft() {
        device.behave();
        device.releaseAll(false);
        rig.pass(100 * SECOND);
        assertThat(device.violations()).isEmpty();
        assertThat(device.entries()).isEmpty();
        rig.checkLeakFree();
    }

    /** FC-16 for a SYN entry: destroyed and listened on again while the device is slow. */
    @Test
    void aListenerIsEnteredAgainBehindItsDeletion() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        device.hold(DeleteSyn.class);
        rig.order(new NicControl.Unlisten(7, ListenKey.of(PASSIVE)));
        rig.start(new NicControl.Listen(8, ListenKey.of(PASSIVE), 4, 4, SynOffer.DEFAULT));
        rig.receive(PASSIVE, segment("S", 300, 0, ""));
        assertThat(rig.takeAnswers()).as("it does not listen yet").isEmpty();
        assertThat(rig.takeIlq()).isEmpty();
        device.release(DeleteSyn.class, 1);
        rig.pass(0);
        assertThat(rig.takeAnswers()).containsExactly(new NicControl.Done(8));
        rig.receive(PASSIVE, segment("S", 300, 0, ""));
        assertThat(rig.takeIlq()).hasSize(1);
        assertThat(of(AddSyn.class, DeleteSyn.class)).hasSize(3);
        device.behave();
        rig.order(new NicControl.Unlisten(9, ListenKey.of(PASSIVE)));
    }

    /** FC-85. */
    @Test
    void aQuadThatTheDeviceHasCostsAnotherPort() {
        device.fail(AddQuad.class, 1, Failure.QUAD_TAKEN);
        FlowKey flow = rig.opened("0.0.0.0:0", "10.0.0.2:4420");
        List<DeviceCommand> adds = of(AddQuad.class);
        assertThat(adds).hasSize(2).doesNotHaveDuplicates().endsWith(new AddQuad(flow));
        rig.request(A, flow, 0, 1, new DeleteQuadHash());
    }

    /** FC-85: two more ports, no more. */
    @Test
    void whenTheDeviceHasEveryQuadTheAddressIsInUse() {
        device.failAll(AddQuad.class, Failure.QUAD_TAKEN);
        assertThat(rig.open("0.0.0.0:0", "10.0.0.2:4420", 0)).isEqualTo(new NicControl.Failed(1, Failure.QUAD_TAKEN));
        assertThat(of(AddQuad.class)).hasSize(3).doesNotHaveDuplicates();
        assertThat(rig.open("10.0.0.1:7000", "10.0.0.2:4420", 0))
                .as("a named port is not changed")
                .isEqualTo(new NicControl.Failed(2, Failure.QUAD_TAKEN));
        assertThat(of(AddQuad.class)).hasSize(1);
    }

    @Test
    void anOpenIsAnsweredWhenTheDeviceHasItsEntryAndNobodyElseGetsTheFlowBefore() {
        device.hold(AddQuad.class);
        rig.start(new NicControl.OpenFlow(5, A, ACTIVE.local(), ACTIVE.remote(), 0));
        assertThat(rig.takeAnswers()).isEmpty();
        rig.request(A, ACTIVE, 0, 1, new DeleteQuadHash());
        rig.request(A, ACTIVE, 0, 1, new CreateAh(Path.DEFAULT));
        assertThat(rig.take()).containsExactly("event 1 " + ACTIVE + " epoch 0 handle failed QUAD_TAKEN");
        device.release(AddQuad.class, 1);
        rig.pass(0);
        assertThat(rig.takeAnswers()).containsExactly(new NicControl.FlowOpened(5, ACTIVE, false));
        rig.request(A, ACTIVE, 0, 2, new DeleteQuadHash());
    }

    /** FC-91: the entry, or the port, of an IPv6 listener fails after the other was set. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(classes = {AddSyn.class, AddPort.class})
    void aListenerThatFailsHalfwayGivesTheOtherHalfBack(Class<? extends DeviceCommand> failing) {
        ListenKey key = Flows.listen("[fd00::1]:5000", 0);
        device.fail(failing, 1, Failure.DEVICE);
        assertThat(rig.order(new NicControl.Listen(5, key, 4, 4, SynOffer.DEFAULT)))
                .isEqualTo(new NicControl.Failed(5, Failure.DEVICE));
        assertThat(rig.held()).isEqualTo(before);
        assertThat(device.entries()).isEmpty();
        assertThat(rig.order(new NicControl.Listen(6, key, 4, 4, SynOffer.DEFAULT)))
                .isEqualTo(new NicControl.Done(6));
        rig.order(new NicControl.Unlisten(7, key));
    }

    @Test
    void whoDestroysAListenerThatIsStillBeingMadeRefusesWhoMadeIt() {
        device.hold(AddSyn.class);
        rig.start(new NicControl.Listen(5, ListenKey.of(PASSIVE), 4, 4, SynOffer.DEFAULT));
        rig.start(new NicControl.Listen(6, ListenKey.of(PASSIVE), 2, 2, SynOffer.DEFAULT));
        rig.start(new NicControl.Unlisten(7, ListenKey.of(PASSIVE)));
        assertThat(rig.takeAnswers())
                .containsExactly(
                        new NicControl.Failed(5, Failure.NOT_LISTENING),
                        new NicControl.Failed(6, Failure.NOT_LISTENING),
                        new NicControl.Done(7));
        device.release(AddSyn.class, 1);
        rig.pass(0);
        assertThat(rig.takeAnswers()).isEmpty();
    }

    /** The device's commands of these kinds since the last time. */
    private List<DeviceCommand> of(Class<?>... kinds) {
        return device.take().stream()
                .filter(command -> List.of(kinds).contains(command.getClass()))
                .toList();
    }
}
