package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.DeviceCommand.AddPort;
import io.iwcm.nic.spi.DeviceCommand.AddQuad;
import io.iwcm.nic.spi.DeviceCommand.AddSyn;
import io.iwcm.nic.spi.DeviceCommand.CreateHandle;
import io.iwcm.nic.spi.DeviceCommand.QpToClosing;
import io.iwcm.nic.spi.DeviceCommand.QpToError;
import io.iwcm.nic.spi.DeviceCommand.QpToRts;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole connection managers over devices that take their time and refuse. */
class SlowDeviceTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final FakeDevice ours = new FakeDevice();
    private final FakeDevice theirs = new FakeDevice();
    private final Lab lab = new Lab();
    private final Station active = lab.stationOver(ours, "10.0.0.2/24");
    private final Station passive = lab.stationOver(theirs, "10.0.0.1/24");
    private final Events activeEvents = new Events();
    private final Events passiveEvents = new Events();

    @AfterEach
    void end() {
        ours.behave().releaseAll(false);
        theirs.behave().releaseAll(false);
        active.awaitNothingHeld();
        lab.close();
        assertThat(ours.violations()).isEmpty();
        assertThat(theirs.violations()).isEmpty();
        await("our device is empty", () -> ours.entries().isEmpty());
    }

    /** FC-30: the application that closes on ESTABLISHED closes a queue pair that can. */
    @Test
    void isEstablishedWhenTheQueuePairIsInRtsAndNotBefore() {
        theirs.hold(QpToRts.class);
        listen();
        CompletionStage<ConnectResult> result = connect();
        Connection accepted = passiveEvents.take().connection();
        CompletionStage<Cause> accept = accepted.accept();
        await("the device is told", () -> theirs.isUnderWay(QpToRts.class));
        assertThat(accept.toCompletableFuture()).isNotDone();
        assertThat(passiveEvents.all()).hasSize(1);

        theirs.release(QpToRts.class, 1);

        assertThat(within(accept)).isEqualTo(Cause.NONE);
        passiveEvents.take(CmEvent.Established.class);
        assertThat(within(accepted.disconnect())).isEqualTo(Cause.NONE);
        passiveEvents.take(CmEvent.Disconnected.class);
        passiveEvents.take(CmEvent.Closed.class);
        assertThat(within(result)).isInstanceOf(ConnectResult.Connected.class);
        activeEvents.take(CmEvent.ConnectReply.class);
    }

    /** FC-30: the device refuses RTS. */
    @Test
    void failsTheAcceptAndResetsThePeerWhenTheDeviceRefusesRts() {
        theirs.failAll(QpToRts.class, Failure.DEVICE);
        listen();
        CompletionStage<ConnectResult> result = connect(options().fallBack(false));
        Connection accepted = passiveEvents.take().connection();

        assertThat(within(accepted.accept())).isEqualTo(Cause.RESOURCES);

        assertThat(outcome(result)).isEqualTo(Cause.RESET);
        await("it is gone", () -> nodes(passive).isEmpty());
        assertThat(passiveEvents.all()).hasSize(1);
    }

    /** FC-65: each step of a connect fails in turn. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(classes = {AddQuad.class, CreateHandle.class, AddPort.class, QpToRts.class})
    void tellsOneFailureWhicheverStepOfAConnectFails(Class<? extends DeviceCommand> step) {
        ours.failAll(step, Failure.DEVICE);
        listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT));

        assertThat(outcome(connect())).isEqualTo(Cause.RESOURCES);

        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSizeLessThanOrEqualTo(1).allMatch(CmEvent.ConnectReply.class::isInstance);
        assertThat(count(QpToError.class)).as("its queue pair is flushed once").isEqualTo(1);
    }

    /** FC-65: the queue pair is destroyed while a step of the connect is under way. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(classes = {AddQuad.class, CreateHandle.class, AddPort.class, QpToRts.class})
    void tellsOneFailureWhereverTheQueuePairIsDestroyed(Class<? extends DeviceCommand> step) {
        ours.hold(step);
        listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT));
        QpId qp = within(active.cm().createQueuePair());
        CompletionStage<ConnectResult> result = connect(options().queuePair(qp));
        await("the step is under way", () -> ours.isUnderWay(step));
        within(active.cm().destroyQueuePair(qp));
        ours.release(step, 1);

        assertThat(outcome(result)).isEqualTo(Cause.RESOURCES);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(1);
    }

    /** FC-59: the first try of a passive handshake fails at the device; its place is back, and the next SYN is answered. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(classes = {CreateHandle.class, AddQuad.class})
    void dropsAHalfOpenConnectionThatTheDeviceFailsAndAnswersTheNextSyn(Class<? extends DeviceCommand> step) {
        theirs.fail(step, 1, Failure.DEVICE);
        listen(ListenOptions.on(PEER).backlog(1, 1).accepting(AcceptOptions.DEFAULT));

        within(within(connect()).orElseThrow().disconnect());

        CmCounter counter = step == CreateHandle.class ? CmCounter.AH_FAILURES : CmCounter.STEERING_FAILURES;
        assertThat(passive.cm().counters().value(counter)).isEqualTo(1);
        passiveEvents.take(CmEvent.Established.class);
    }

    /** FC-59: the listener goes while a handshake waits for the device. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(classes = {CreateHandle.class, AddQuad.class})
    void forgetsAHandshakeWhoseListenerGoesWhileTheDeviceIsSlow(Class<? extends DeviceCommand> step) {
        theirs.hold(step);
        ListenHandle listener = listen();
        CompletionStage<ConnectResult> result = connect();
        await("the step is under way", () -> theirs.isUnderWay(step));
        within(listener.close());
        await("the node is gone", () -> nodes(passive).isEmpty());

        theirs.release(step, 1);

        passive.awaitNothingHeld();
        assertThat(outcome(result)).isEqualTo(Cause.REFUSED_TCP);
        assertThat(passiveEvents.all()).isEmpty();
    }

    /** FC-76: modify to CLOSING fails. */
    @Test
    void endsOnceWhenTheDeviceWillNotClose() {
        ours.failAll(QpToClosing.class, Failure.DEVICE);
        listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT));
        Connection connection = within(connect()).orElseThrow();
        activeEvents.take(CmEvent.ConnectReply.class);

        within(connection.disconnect());

        activeEvents.take(CmEvent.Disconnected.class);
        activeEvents.take(CmEvent.Closed.class);
        passiveEvents.take(CmEvent.Established.class);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.RESET);
        passiveEvents.take(CmEvent.Closed.class);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(3);
    }

    /** FC-68: a connect that fails has its queue pair flushed once, and no RTR was ever under way. */
    @Test
    void flushesTheQueuePairOfARejectedConnectOnce() {
        listen(ListenOptions.on(PEER).rejecting(Octets.EMPTY));

        assertThat(outcome(connect())).isEqualTo(Cause.REJECTED_ULP);

        active.awaitNothingHeld();
        List<DeviceCommand> commands = ours.take();
        assertThat(commands).filteredOn(QpToError.class::isInstance).hasSize(1);
        assertThat(commands).noneMatch(QpToRts.class::isInstance);
    }

    /** FC-68 for a queue pair of the application: it is flushed when that destroys it, and only then. */
    @Test
    void leavesAnApplicationsQueuePairAloneUntilItIsDestroyed() {
        listen(ListenOptions.on(PEER).rejecting(Octets.EMPTY));
        QpId qp = within(active.cm().createQueuePair());

        assertThat(outcome(connect(options().queuePair(qp)))).isEqualTo(Cause.REJECTED_ULP);

        assertThat(count(QpToError.class)).isZero();
        within(active.cm().destroyQueuePair(qp));
        assertThat(count(QpToError.class)).isEqualTo(1);
    }

    /** FC-85, end to end. */
    @Test
    void takesAnotherPortWhenTheDeviceHasTheQuadAndGivesUpAfterThree() {
        listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT));
        ours.fail(AddQuad.class, 1, Failure.QUAD_TAKEN).fail(AddQuad.class, 2, Failure.QUAD_TAKEN);
        within(within(connect()).orElseThrow().disconnect());
        assertThat(count(AddQuad.class)).isEqualTo(3);

        ours.failAll(AddQuad.class, Failure.QUAD_TAKEN);
        assertThat(outcome(connect())).isEqualTo(Cause.ADDRESS_IN_USE);
        assertThat(count(AddQuad.class)).isEqualTo(3);
    }

    @Test
    void listensWhenTheDeviceHasTheEntryAndIsRefusedWhenItWillNot() {
        theirs.hold(AddSyn.class);
        CompletionStage<ListenHandle> listening = passive.cm().listen(ListenOptions.on(PEER), passiveEvents);
        await("the device is told", () -> theirs.isUnderWay(AddSyn.class));
        assertThat(listening.toCompletableFuture()).isNotDone();
        theirs.release(AddSyn.class, 1);
        within(within(listening).close());

        theirs.behave().failAll(AddSyn.class, Failure.DEVICE);
        assertThat(listening(passive.cm().listen(ListenOptions.on(PEER), passiveEvents)))
                .isEqualTo(Cause.RESOURCES);
        passive.awaitNothingHeld();
    }

    private static Cause listening(CompletionStage<ListenHandle> refused) {
        try {
            within(refused);
            return Cause.NONE;
        } catch (CmException e) {
            return e.why();
        }
    }

    private ListenHandle listen() {
        return listen(ListenOptions.on(PEER));
    }

    private ListenHandle listen(ListenOptions options) {
        return within(passive.cm().listen(options, passiveEvents));
    }

    private static ConnectOptions options() {
        return ConnectOptions.to(PEER).depths(new ReadDepths(4, 4));
    }

    private CompletionStage<ConnectResult> connect() {
        return connect(options());
    }

    private CompletionStage<ConnectResult> connect(ConnectOptions options) {
        return active.cm().connect(options, activeEvents);
    }

    private static Cause outcome(CompletionStage<ConnectResult> result) {
        return ((ConnectResult.Failed) within(result)).cause();
    }

    private static List<CmSnapshot.Node> nodes(Station station) {
        return within(station.cm().snapshot()).nodes();
    }

    private long count(Class<? extends DeviceCommand> kind) {
        return ours.take().stream().filter(kind::isInstance).count();
    }
}
