package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.BucketScene.PASSIVE;
import static io.iwcm.cm.actor.BucketScene.PEER_ISN;
import static io.iwcm.cm.actor.BucketScene.caught;
import static io.iwcm.cm.actor.BucketScene.flagsOf;
import static io.iwcm.cm.actor.BucketScene.has;
import static io.iwcm.cm.actor.BucketScene.known;
import static io.iwcm.cm.actor.BucketScene.syn;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a bucket and its nodes do with frames, calls and deaths. */
class BucketTest {

    private final BucketScene scene = new BucketScene();
    private final TestProbe<Cause> answer = scene.kit.createTestProbe("answer", Cause.class);
    private final TestProbe<ConnectAnswer> connectAnswer = scene.kit.createTestProbe();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void makesANodeForASynThatAListenerAdmits() {
        scene.serve();

        scene.deliver(caught(PASSIVE, syn()));

        NicRequest first = scene.request();
        assertThat(first.flow()).isEqualTo(PASSIVE);
        assertThat(first.id()).isEqualTo(1);
        assertThat(first.commands()).containsExactly(new NicCommand.CreateAh(new NicCommand.Path(1, 0x28)));
        assertThat(((NodeCheckpoint) first.checkpoint().orElseThrow()).state()).isInstanceOf(CmState.Inited.class);
        scene.expectGrant(1);
        assertThat(scene.nodes()).extracting(CmSnapshot.Node::flow).containsExactly(PASSIVE);
        assertThat(scene.counters.value(CmCounter.NODES_CREATED)).isEqualTo(1);
    }

    @Test
    void dropsAndCountsWhatNobodyWants() {
        scene.serve();
        FlowKey stranger = Flows.flow("10.0.0.1:4420", "10.0.0.9:9");

        scene.deliver(
                known(stranger, Flows.segment("A", 1, 1, "data")),
                caught(stranger, Flows.segment("SA", 1, 1, "")),
                caught(stranger, Flows.segment("SR", 1, 1, "")));

        scene.expectGrant(3);
        scene.awaitStates();
        assertThat(scene.counters.value(CmCounter.ILQ_UNKNOWN_FLOW)).isEqualTo(3);
    }

    @Test
    void dropsASynForAListenerThatIsGone() {
        scene.serve();
        scene.bucket.tell(new IlqDispatcher.ListenerGone(7));

        scene.deliver(caught(PASSIVE, syn()));

        scene.expectGrant(1);
        scene.awaitStates();
        assertThat(scene.counters.value(CmCounter.ILQ_UNKNOWN_FLOW)).isEqualTo(1);
    }

    @Test
    void sendsARepeatedSynToTheNodeThatIsThere() {
        scene.serve();

        scene.deliver(caught(PASSIVE, syn()), caught(PASSIVE, syn()));

        scene.request();
        scene.expectGrant(2);
        assertThat(scene.nodes()).hasSize(1);
    }

    @Test
    void asksTheApplicationAndHandsOverWhenItAccepts() {
        scene.serve();

        CmConnection connection = scene.established();

        scene.awaitStates(StateName.OFFLOADED);
        assertThat(connection.flow()).isEqualTo(PASSIVE);
        assertThat(connection.role()).isEqualTo(Role.PASSIVE);
        assertThat(scene.counters.value(CmCounter.ACCEPTS)).isEqualTo(1);
        assertThat(scene.counters.value(CmCounter.HAND_OVERS)).isEqualTo(1);
    }

    @Test
    void numbersRequestsUpwardsUnderTheEpochOfTheEntry() {
        scene.serve();
        scene.deliver(caught(PASSIVE, syn()));
        scene.request();
        scene.expectGrant(1);
        scene.event(PASSIVE, new NicEvent.AddressHandleReady(1500));
        NicRequest second = scene.request();
        scene.event(PASSIVE, new NicEvent.SteeringInstalled());
        NicRequest third = scene.request();

        assertThat(List.of(second.id(), third.id())).containsExactly(2L, 3L);
        assertThat(third.epoch()).isEqualTo(9);
    }

    @Test
    void retransmitsWhenItsTimerFires() {
        scene.serve();
        scene.deliver(caught(PASSIVE, syn()));
        scene.request();
        scene.expectGrant(1);
        scene.event(PASSIVE, new NicEvent.AddressHandleReady(1500));
        scene.request();
        scene.event(PASSIVE, new NicEvent.SteeringInstalled());
        scene.request();

        scene.pass(Duration.ofMillis(999));
        scene.bridge.expectNoMessage(Duration.ZERO);
        scene.pass(Duration.ofMillis(1));

        assertThat(flagsOf(scene.request())).containsExactly(Segment.SYN | Segment.ACK);
        assertThat(scene.counters.value(CmCounter.PKT_RETRANS)).isEqualTo(1);
    }

    @Test
    void givesEverythingBackWhenASilentPeersTimeIsOver() {
        scene.serve();
        scene.deliver(caught(PASSIVE, syn()));
        scene.request();
        scene.expectGrant(1);

        scene.pass(Duration.ofSeconds(10));

        assertThat(has(scene.request(), NicCommand.FreeAh.class)).isTrue();
        scene.application.expectNoMessage(Duration.ZERO);
        scene.awaitStates();
        assertThat(scene.counters.value(CmCounter.PASSIVE_ERRS)).isEqualTo(1);
        assertThat(scene.counters.value(CmCounter.NODES_DESTROYED)).isEqualTo(1);
    }

    @Test
    void endsTheQueuePairItMadeWithTheConnection() {
        scene.serve();
        scene.established();

        scene.event(PASSIVE, BucketScene.qp(AsyncEvent.Code.LLP_CONNECTION_RESET));

        assertThat(scene.told()).isEqualTo(new CmEvent.Disconnected(Cause.RESET));
        assertThat(scene.told()).isEqualTo(new CmEvent.Closed(Cause.RESET));
        assertThat(scene.request().checkpoint()).isEmpty();
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(3));
        scene.awaitStates();
    }

    @Test
    void endsTheQueuePairItMadeForAnAcceptThatFails() {
        scene.serve();
        CmConnection connection = scene.requested();
        scene.deliver(known(PASSIVE, Flows.segment("R", PEER_ISN + 29, 0, "")));
        scene.expectGrant(1);
        assertThat(has(scene.request(), NicCommand.DeleteQuadHash.class)).isTrue();

        connection.call(new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY), answer.ref());
        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(4)));

        answer.expectMessage(Cause.RESET);
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(4));
        scene.application.expectNoMessage(Duration.ZERO);
    }

    @Test
    void answersCallsOnAConnectionThatIsGone() {
        CmConnection gone = new CmConnection(new ConnectionId(77), PASSIVE, Role.PASSIVE, scene.bucket);

        gone.call(new CmConnection.Disconnect(), answer.ref());
        scene.answer(order -> new NicControl.Failed(order.id(), NicEvent.Failure.NO_FLOW));
        answer.expectMessage(Cause.NONE);
        gone.call(new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY), answer.ref());
        scene.answer(order -> new NicControl.Failed(order.id(), NicEvent.Failure.NO_FLOW));
        answer.expectMessage(Cause.RESET);
    }

    @Test
    void refusesAnAcceptForWhichThereIsNoQueuePair() {
        scene.serve();
        CmConnection connection = scene.requested();

        connection.call(new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY), answer.ref());
        scene.answer(order -> new NicControl.Failed(order.id(), NicEvent.Failure.RESOURCES));

        answer.expectMessage(Cause.RESOURCES);
        scene.awaitStates(StateName.MPAREQ_RCVD);
    }

    @Test
    void opensAConnectionOnceQueuePairAndLocalEndAreThere() {
        FlowKey flow = Flows.flow("10.0.0.1:49152", "10.0.0.2:4420");
        scene.bucket.tell(new IlqDispatcher.Connect(
                1, BucketScene.toPeer(), CmConsumer.of(scene.application.ref()), scene.opened(connectAnswer)));

        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(6)));
        scene.answer(order -> new NicControl.FlowOpened(order.id(), flow, false));

        assertThat(scene.request().commands()).hasAtLeastOneElementOfType(NicCommand.CreateAh.class);
        CmConnection connection =
                connectAnswer.expectMessageClass(ConnectAnswer.Started.class).connection();
        assertThat(connection.flow()).isEqualTo(flow);
        assertThat(connection.role()).isEqualTo(Role.ACTIVE);
    }

    @Test
    void undoesTheQueuePairWhenThereIsNoLocalEnd() {
        scene.bucket.tell(new IlqDispatcher.Connect(
                1, BucketScene.toPeer(), CmConsumer.of(scene.application.ref()), scene.opened(connectAnswer)));

        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(6)));
        scene.answer(order -> new NicControl.Failed(order.id(), NicEvent.Failure.NO_ROUTE));

        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(6));
        connectAnswer.expectMessage(new ConnectAnswer.Refused(Cause.UNREACHABLE));
        scene.application.expectNoMessage(Duration.ZERO);
    }

    @Test
    void tellsAFailedConnectExactlyOnce() {
        FlowKey flow = Flows.flow("10.0.0.1:49152", "10.0.0.2:4420");
        scene.bucket.tell(new IlqDispatcher.Connect(
                1, BucketScene.toPeer(), CmConsumer.of(scene.application.ref()), scene.opened(connectAnswer)));
        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(6)));
        scene.answer(order -> new NicControl.FlowOpened(order.id(), flow, false));
        scene.request();

        scene.event(flow, new NicEvent.AddressHandleFailed(NicEvent.Failure.NEIGHBOUR_UNREACHABLE));

        assertThat(((CmEvent.ConnectReply) scene.told()).outcome()).isEqualTo(Cause.UNREACHABLE);
        scene.request();
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(6));
        scene.awaitStates();
        scene.application.expectNoMessage(Duration.ZERO);
    }

    @Test
    void rejectsForAnApplicationThatDied() {
        ActorRef<CmNotice> mortal = scene.kit.spawn(Behaviors.receiveMessage(_ -> Behaviors.stopped()));
        scene.serve(new MortalConsumer(mortal, scene.application.ref()));
        scene.requested();

        scene.kit.stop(mortal);

        NicRequest reject = scene.request();
        assertThat(flagsOf(reject)).containsExactly(Segment.ACK | Segment.PSH | Segment.FIN);
        scene.awaitStates(StateName.FIN_WAIT1);
    }

    @Test
    @Tag("FC-35")
    void resetsThePeerWhenTheCodeOfAConsumerThrows() {
        scene.serve(new ThrowingConsumer());
        scene.deliver(caught(PASSIVE, syn()));
        scene.request();
        scene.expectGrant(1);
        scene.event(PASSIVE, new NicEvent.AddressHandleReady(1500));
        scene.request();
        scene.event(PASSIVE, new NicEvent.SteeringInstalled());
        scene.request();

        scene.deliver(known(PASSIVE, BucketScene.mpaRequest()));

        scene.request();
        scene.expectGrant(1);
        NicRequest last = scene.request();
        assertThat(flagsOf(last)).containsExactly(Segment.RST | Segment.ACK);
        assertThat(has(last, NicCommand.DeleteQuadHash.class)).isTrue();
        assertThat(has(last, NicCommand.FreeAh.class)).isTrue();
        scene.awaitStates();
        assertThat(scene.counters.value(CmCounter.NODES_DESTROYED)).isEqualTo(1);
        assertThat(scene.counters.value(CmCounter.CONSUMER_FAILURES)).isEqualTo(1);
    }

    @Test
    void resetsHalfOpenConnectionsOfAListenerThatGoes() {
        scene.serve();
        CmConnection connection = scene.requested();

        scene.bucket.tell(new IlqDispatcher.ListenerGone(7));

        NicRequest last = scene.request();
        assertThat(flagsOf(last)).containsExactly(Segment.RST | Segment.ACK);
        scene.awaitStates(StateName.LISTENER_DESTROYED);
        connection.call(
                new CmConnection.Accept(Optional.of(new QpId(1)), Optional.empty(), Octets.EMPTY), answer.ref());
        answer.expectMessage(Cause.INVALID);
        scene.awaitStates();
    }

    @Test
    void closesWhatIsOpenAndResetsWhatIsHalfOpenWhenItDrains() {
        scene.serve();
        scene.established();
        FlowKey halfOpen = Flows.flow("10.0.0.1:4420", "10.0.0.2:50001");
        scene.deliver(caught(halfOpen, syn()));
        scene.request();
        scene.expectGrant(1);
        TestProbe<IlqDispatcher.Drained> drained = scene.kit.createTestProbe();

        scene.bucket.tell(new IlqDispatcher.Drain(1, Duration.ofSeconds(5), drained.ref()));

        List<NicRequest> both = List.of(scene.request(), scene.request());
        assertThat(both).anyMatch(request -> request.flow().equals(PASSIVE) && has(request, NicCommand.CloseQp.class));
        assertThat(both).anyMatch(request -> request.flow().equals(halfOpen) && has(request, NicCommand.FreeAh.class));
        drained.expectNoMessage(Duration.ZERO);
        scene.deliver(caught(Flows.flow("10.0.0.1:4420", "10.0.0.2:50002"), syn()));
        scene.expectGrant(1);
        scene.bucket.tell(new IlqDispatcher.Connect(
                1, BucketScene.toPeer(), CmConsumer.of(scene.application.ref()), scene.opened(connectAnswer)));
        connectAnswer.expectMessage(new ConnectAnswer.Refused(Cause.SHUTDOWN));

        scene.event(PASSIVE, BucketScene.qp(AsyncEvent.Code.LLP_CLOSE_COMPLETE));
        assertThat(scene.request().checkpoint()).isEmpty();
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(3));
        drained.expectMessage(new IlqDispatcher.Drained(scene.bucket, 1));
    }

    @Test
    void waitsForAPeerThatDoesNotCloseOnlyUntilTheGraceIsOver() {
        scene.serve();
        scene.established();
        TestProbe<IlqDispatcher.Drained> drained = scene.kit.createTestProbe();
        scene.bucket.tell(new IlqDispatcher.Drain(1, Duration.ofSeconds(5), drained.ref()));
        scene.request();

        scene.pass(Duration.ofSeconds(5));

        assertThat(scene.request().checkpoint()).isEmpty();
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(3));
        drained.expectMessage(new IlqDispatcher.Drained(scene.bucket, 1));
        assertThat(scene.told()).isEqualTo(new CmEvent.Disconnected(Cause.SHUTDOWN));
        assertThat(scene.told()).isEqualTo(new CmEvent.Closed(Cause.SHUTDOWN));
    }

    private record MortalConsumer(ActorRef<CmNotice> life, ActorRef<CmNotice> application) implements CmConsumer {
        @Override
        public Announcement<?> telling(CmNotice notice) {
            return new Announcement<>(application, notice);
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.of(life);
        }
    }

    private static final class ThrowingConsumer implements CmConsumer {
        @Override
        public Announcement<?> telling(CmNotice notice) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.empty();
        }
    }
}
