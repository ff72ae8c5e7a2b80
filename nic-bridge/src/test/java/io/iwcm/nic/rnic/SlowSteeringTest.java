package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.DeviceCommand.AddPort;
import io.iwcm.nic.spi.DeviceCommand.AddQuad;
import io.iwcm.nic.spi.DeviceCommand.CreateHandle;
import io.iwcm.nic.spi.DeviceCommand.DeletePort;
import io.iwcm.nic.spi.DeviceCommand.DeleteQuad;
import io.iwcm.nic.spi.DeviceCommand.FreeHandle;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteApbvt;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quad hash, ports and address handles of a device that takes its time and refuses (PROTOCOL §15, §16, §18). */
class SlowSteeringTest {

    private static final FlowKey PASSIVE = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final FlowKey ACTIVE = flow("10.0.0.1:7000", "10.0.0.2:4420");
    private static final NicCommand[] END = {new DeleteApbvt(), new DeleteQuadHash(), new FreeAh()};

    private final FakeDevice device = new FakeDevice();
    private final RnicRig rig = RnicRig.over(device, "10.0.0.1/24", "10.0.0.3/24", "fd00::1/64");

    @AfterEach
    void theContractIsKeptAndNothingIsLeft() {
        device.behave();
        device.releaseAll(false);
        rig.pass(100 * SECOND);
        assertThat(device.violations()).isEmpty();
        assertThat(device.entries()).isEmpty();
        rig.checkLeakFree();
    }

    /** FC-14. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void connectionsThatShareAPortAddItOnceAndTheLastDeletesIt(long seed) {
        List<FlowKey> flows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            FlowKey flow = flow("10.0.0.1:7000", "10.0.0.2:" + (4420 + i));
            flows.add(flow);
            open(flow);
        }
        assertThat(of(AddPort.class, DeletePort.class)).containsExactly(new AddPort(7000));
        Collections.shuffle(flows, new Random(seed));
        FlowKey survivor = flows.removeLast();
        for (FlowKey flow : flows) {
            end(flow, 3);
            rig.takeIlq();
            rig.receive(survivor, segment("SA", 300, 101, ""));
            assertThat(rig.takeIlq()).hasSize(1);
        }
        assertThat(of(AddPort.class, DeletePort.class)).isEmpty();
        end(survivor, 3);
        assertThat(of(AddPort.class, DeletePort.class)).containsExactly(new DeletePort(7000));
    }

    /** FC-15. */
    @Test
    void listenersAndAConnectionOnOnePortShareIt() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        rig.listen("10.0.0.3:5000", 0, 4, 4);
        FlowKey out = flow("10.0.0.1:5000", "10.0.0.2:4420");
        open(out);
        rig.order(new NicControl.Unlisten(7, Flows.listen("10.0.0.1:5000", 0)));
        FlowKey second = flow("10.0.0.3:5000", "10.0.0.2:33000");
        rig.take();
        rig.receive(second, segment("S", 300, 0, ""));
        assertThat(rig.take()).containsExactly("ilq 1 " + second + " S 300 listener");
        rig.order(new NicControl.Unlisten(8, Flows.listen("10.0.0.3:5000", 0)));
        assertThat(of(AddPort.class, DeletePort.class))
                .as("the connection has it")
                .containsExactly(new AddPort(5000));
        end(out, 3);
        assertThat(of(AddPort.class, DeletePort.class)).containsExactly(new DeletePort(5000));
    }

    /** FC-16: the device is slow to clear the bit, and meanwhile somebody wants it set. */
    @Test
    void aPortIsSetAgainBehindTheDeletionThatWasUnderWay() {
        open(ACTIVE);
        device.hold(DeletePort.class);
        end(ACTIVE, 3);
        FlowKey next = flow("10.0.0.1:7000", "10.0.0.2:4421");
        rig.take();
        start(next);
        assertThat(rig.take()).as("it waits").noneMatch(line -> line.contains("installed"));
        device.release(DeletePort.class, 1);
        rig.pass(0);
        assertThat(rig.take()).containsExactly("event 1 " + next + " epoch 2 installed");
        assertThat(of(AddPort.class, DeletePort.class))
                .containsExactly(new AddPort(7000), new DeletePort(7000), new AddPort(7000));
        assertThat(device.entries()).contains("port 7000");
        device.behave();
        end(next, 3);
    }

    /** PROTOCOL §16 (b) and (c). */
    @Test
    void whoSharesAPortWithAFailedAdditionFailsWithIt() {
        device.hold(AddPort.class).fail(AddPort.class, 1, Failure.DEVICE);
        FlowKey other = flow("10.0.0.1:7000", "10.0.0.2:4421");
        start(ACTIVE);
        start(other);
        assertThat(rig.take()).noneMatch(line -> line.contains("installed"));
        device.release(AddPort.class, 1);
        rig.pass(0);
        assertThat(rig.take())
                .containsExactly(
                        "event 1 " + ACTIVE + " epoch 0 steering failed DEVICE",
                        "event 1 " + other + " epoch 0 steering failed DEVICE");
        assertThat(of(AddPort.class, DeletePort.class)).containsExactly(new AddPort(7000));
        rig.receive(ACTIVE, segment("SA", 300, 101, ""));
        assertThat(rig.takeIlq()).as("it is caught no more").isEmpty();
        rig.request(A, ACTIVE, 0, 3, new DeleteApbvt(), new FreeAh());
        rig.request(A, other, 0, 3, new DeleteApbvt(), new FreeAh());
        device.behave();
        FlowKey third = flow("10.0.0.1:7000", "10.0.0.2:4422");
        open(third);
        end(third, 3);
    }

    /** FC-59: the address handle fails. */
    @Test
    void aFailedHandleIsToldAndItsNumberIsFree() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        resolved();
        device.fail(CreateHandle.class, 1, Failure.DEVICE);
        rig.request(A, PASSIVE, 0, 1, new CreateAh(Path.DEFAULT));
        assertThat(rig.take()).containsExactly("event 1 " + PASSIVE + " epoch 0 handle failed DEVICE");
        FlowKey next = flow("10.0.0.1:5000", "10.0.0.2:33001");
        rig.request(A, next, 0, 1, new CreateAh(Path.DEFAULT));
        assertThat(of(CreateHandle.class))
                .extracting(command -> ((CreateHandle) command).index())
                .containsExactly(0, 0);
        rig.request(A, next, 0, 2, new FreeAh());
        unlisten();
    }

    /** FC-59: the peer resets, or the listener goes, while a command is under way; what comes of it concerns nobody. */
    @ParameterizedTest(name = "failing: {0}")
    @ValueSource(booleans = {false, true})
    void aHandleThatComesTooLateIsFreedAgain(boolean failing) {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        resolved();
        device.hold(CreateHandle.class);
        if (failing) device.fail(CreateHandle.class, 1, Failure.DEVICE);
        rig.request(A, PASSIVE, 0, 1, new CreateAh(Path.DEFAULT));
        unlisten();
        rig.request(A, PASSIVE, 0, 2, new FreeAh());
        assertThat(rig.held().flows()).as("the flow is gone").isZero();
        assertThat(rig.held().handles()).as("the number is not").isEqualTo(1);
        rig.take();
        device.release(CreateHandle.class, 1);
        rig.pass(0);
        assertThat(rig.take()).isEmpty();
        assertThat(of(FreeHandle.class)).hasSize(failing ? 0 : 1);
        assertThat(rig.held().handles()).isZero();
    }

    /** FC-59: the quad hash fails; the half-open place is back. */
    @Test
    void aFailedQuadEntryGivesItsPlaceBack() {
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        resolved();
        device.hold(AddQuad.class).fail(AddQuad.class, 1, Failure.DEVICE);
        rig.request(A, PASSIVE, 0, 1, new CreateAh(Path.DEFAULT));
        rig.request(A, PASSIVE, 0, 2, add());
        rig.take();
        assertThat(rig.held().halfOpen()).as("it has a place while it waits").isEqualTo(1);
        device.release(AddQuad.class, 1);
        rig.pass(0);
        assertThat(rig.take()).containsExactly("event 1 " + PASSIVE + " epoch 0 steering failed DEVICE");
        rig.request(A, PASSIVE, 0, 2, add());
        assertThat(rig.take())
                .as("told again")
                .containsExactly("event 1 " + PASSIVE + " epoch 0 steering failed DEVICE");
        assertThat(rig.held().halfOpen()).isZero();
        rig.request(A, PASSIVE, 0, 3, new FreeAh());
        unlisten();
    }

    /** FC-59, FC-67: an entry of a flow that is gone is deleted, and does not become the next one's. */
    @Test
    void aQuadEntryThatComesTooLateIsDeletedBeforeTheSameFlowIsEnteredAgain() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        resolved();
        device.hold(AddQuad.class);
        rig.request(A, PASSIVE, 0, 1, new CreateAh(Path.DEFAULT));
        rig.request(A, PASSIVE, 0, 2, add());
        rig.request(A, PASSIVE, 0, 3, new DeleteQuadHash(), new FreeAh());
        assertThat(rig.held().halfOpen()).isZero();
        rig.request(A, PASSIVE, 0, 4, new CreateAh(Path.DEFAULT));
        rig.request(A, PASSIVE, 0, 5, add());
        rig.take();
        rig.receive(PASSIVE, segment("A", 301, 101, ""));
        assertThat(rig.takeIlq()).as("not caught yet").isEmpty();
        rig.take();
        device.release(AddQuad.class, 1);
        rig.pass(0);
        assertThat(rig.take()).containsExactly("event 1 " + PASSIVE + " epoch 1 installed");
        device.behave();
        rig.request(A, PASSIVE, 1, 6, new DeleteQuadHash(), new FreeAh());
        assertThat(of(DeleteQuad.class)).hasSize(1);
        unlisten();
    }

    @Test
    void steeringIsToldWhenTheDeviceHasSaidSoAndAnsweredAgainOnlyThen() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        resolved();
        device.hold(AddQuad.class);
        rig.request(A, PASSIVE, 0, 1, new CreateAh(Path.DEFAULT));
        rig.take();
        rig.request(A, PASSIVE, 0, 2, add());
        rig.request(A, PASSIVE, 0, 2, add());
        assertThat(rig.take()).isEmpty();
        device.release(AddQuad.class, 1);
        rig.pass(0);
        rig.request(A, PASSIVE, 0, 2, add());
        String installed = "event 1 " + PASSIVE + " epoch 1 installed";
        assertThat(rig.take()).containsExactly(installed, installed);
        rig.request(A, PASSIVE, 1, 3, new DeleteQuadHash(), new FreeAh());
        unlisten();
    }

    /** FC-91: the entry, or the port, of an IPv6 listener fails after the other was set. */
    @Test
    void anEntryThatTheDeviceWillNotDeleteIsDeletedASecondLater() {
        device.fail(DeleteQuad.class, 1, Failure.DEVICE).fail(DeletePort.class, 1, Failure.DEVICE);
        open(ACTIVE);
        end(ACTIVE, 3);
        assertThat(rig.held().underWay().stuck()).isEqualTo(2);
        rig.pass(2 * SECOND);
        assertThat(rig.held().underWay().stuck()).isZero();
        assertThat(of(DeleteQuad.class)).hasSize(2);
    }

    @Test
    void nothingIsSentToAPeerWhoseHandleIsNotMadeYet() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        resolved();
        device.hold(CreateHandle.class);
        rig.request(A, PASSIVE, 0, 1, new CreateAh(Path.DEFAULT));
        rig.request(A, PASSIVE, 0, 2, add(), new Transmit(segment("SA", 100, 301, "")));
        assertThat(rig.take()).containsExactly("event 1 " + PASSIVE + " epoch 1 installed");
        device.release(CreateHandle.class, 1);
        rig.pass(0);
        rig.request(A, PASSIVE, 1, 3, new Transmit(segment("SA", 100, 301, "")));
        assertThat(rig.take())
                .containsExactly(
                        "event 1 " + PASSIVE + " epoch 1 handle ready 1500",
                        "> " + PEER + " tcp " + PASSIVE + " SA 100 ack 301");
        rig.request(A, PASSIVE, 1, 4, new DeleteQuadHash(), new FreeAh());
        unlisten();
    }

    private static AddQuadHash add() {
        return new AddQuadHash(Optional.of(ListenKey.of(PASSIVE)));
    }

    /** The peer's MAC address is known from here on. */
    private void resolved() {
        FlowKey first = flow("10.0.0.1:1", "10.0.0.2:1");
        rig.request(A, first, 0, 1, new CreateAh(Path.DEFAULT));
        rig.resolve("10.0.0.2", PEER, 0);
        rig.request(A, first, 0, 2, new FreeAh());
        rig.take();
        device.take();
    }

    /** An active open as far as it gets: the flow, its handle, then steering with its port. */
    private void start(FlowKey flow) {
        assertThat(rig.open(flow.local().toString(), flow.remote().toString(), 0))
                .isInstanceOf(NicControl.FlowOpened.class);
        rig.request(A, flow, 0, 1, new CreateAh(Path.DEFAULT));
        if (rig.held().underWay().waiters() > 0) rig.resolve("10.0.0.2", PEER, 0);
        rig.take();
        rig.request(A, flow, 0, 2, new AddQuadHash(Optional.empty()), new AddApbvt());
    }

    private void open(FlowKey flow) {
        start(flow);
        assertThat(rig.rnic().epochOf(flow)).isPresent();
    }

    private void end(FlowKey flow, long id) {
        rig.request(A, flow, rig.rnic().epochOf(flow).orElse(0L), id, END);
    }

    private void unlisten() {
        rig.order(new NicControl.Unlisten(99, ListenKey.of(PASSIVE)));
    }

    /** The device's commands of these kinds since the last time. */
    private List<DeviceCommand> of(Class<?>... kinds) {
        return device.take().stream()
                .filter(command -> List.of(kinds).contains(command.getClass()))
                .toList();
    }
}
