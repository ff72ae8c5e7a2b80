package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.IsnSource;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A bucket with real nodes, where the test is the bridge, the listeners and the application; time stands still. */
final class BucketScene implements AutoCloseable {

    static final int OUR_ISN = 5_000;
    static final int PEER_ISN = 1_000;
    static final Owner OWNER = new Owner(1);
    static final NodeHome.Incarnation FIRST = new NodeHome.Incarnation(OWNER, Optional.empty());
    static final FlowKey PASSIVE = Flows.flow("10.0.0.1:4420", "10.0.0.2:50000");
    static final ListenKey KEY = ListenKey.of(PASSIVE);

    /** Revision 2, peer-to-peer, RTR by Write or Read, IRD 4, ORD 3, "ABCD". */
    private static final Octets MPA_REQUEST =
            Octets.ofHex("4d504120 49442052 65712046 72616d65 50 02 0008 8004 c003 41424344");

    final ActorTestKit kit = ActorTestKit.create("bucket-scene", ManualTime.config());
    final ManualTime time = ManualTime.get(kit.system());
    final AtomicLong nowNs = new AtomicLong();
    final CmCounters counters = new CmCounters();
    private final AtomicInteger lives = new AtomicInteger();
    final TestProbe<Bridge.Command> bridge = kit.createTestProbe("bridge", Bridge.Command.class);
    final TestProbe<Bridge.Command> grants = kit.createTestProbe("grants", Bridge.Command.class);
    final TestProbe<Listeners.Command> listeners = kit.createTestProbe("listeners", Listeners.Command.class);
    final TestProbe<IlqDispatcher.Up> ups = kit.createTestProbe("ups", IlqDispatcher.Up.class);
    final TestProbe<CmNotice> application = kit.createTestProbe("application", CmNotice.class);
    final ActorRef<IlqDispatcher.Command> bucket;
    final ActorRef<Bridge.Delivered> ilq;

    BucketScene() {
        this((_, _) -> new SeqNum(OUR_ISN));
    }

    BucketScene(IsnSource isn) {
        ActorRef<Bridge.Command> sorter = kit.spawn(Behaviors.receiveMessage(command -> {
            if (command instanceof Bridge.Tell tell) tell.announcement().send();
            else (command instanceof Bridge.Grant ? grants : bridge).ref().tell(command);
            return Behaviors.same();
        }));
        bucket = kit.spawn(Behaviors.supervise(IlqDispatcher.create(
                        self -> new NodeHome(
                                incarnation(),
                                self,
                                sorter,
                                nowNs::get,
                                TestParams.ordinary(isn),
                                counters,
                                CmObserver.NONE,
                                kit.system().ignoreRef()),
                        listeners.ref(),
                        ups.ref()))
                .onFailure(SupervisorStrategy.restart()));
        assertThat(listeners.expectMessageClass(Listeners.Joined.class).bucket())
                .isEqualTo(bucket);
        Bridge.Attach attach = bridge.expectMessageClass(Bridge.Attach.class);
        assertThat(attach.owner()).isEqualTo(OWNER);
        ilq = attach.to();
    }

    private NodeHome.Incarnation incarnation() {
        int life = lives.incrementAndGet();
        return life == 1 ? FIRST : new NodeHome.Incarnation(new Owner(life), Optional.of(new Owner(life - 1)));
    }

    @Override
    public void close() {
        kit.shutdownTestKit();
    }

    // What the test says

    BucketScene serve(CmConsumer consumer) {
        return serve(consumer, ListenOrder.Tos.DEFAULT);
    }

    BucketScene serve(CmConsumer consumer, ListenOrder.Tos tos) {
        ListenOrder order = new ListenOrder(
                KEY.local(),
                ListenOrder.ANY_VLAN,
                false,
                ListenOrder.Backlog.DEFAULT,
                tos,
                new ListenOrder.AnswerPolicy.Ask());
        bucket.tell(new IlqDispatcher.Serve(KEY, new Admission(7, order, consumer)));
        return this;
    }

    BucketScene serve() {
        return serve(CmConsumer.of(application.ref()));
    }

    void deliver(Rnic.Delivery... deliveries) {
        ilq.tell(new Bridge.Delivered(OWNER, List.of(deliveries)));
    }

    /** A segment of a flow in the quad hash. */
    static Rnic.IlqEntry known(FlowKey flow, Segment segment) {
        return entry(flow, segment, Optional.empty());
    }

    /** A segment that the listener's SYN entry caught. */
    static Rnic.IlqEntry caught(FlowKey flow, Segment segment) {
        return entry(flow, segment, Optional.of(KEY));
    }

    private static Rnic.IlqEntry entry(FlowKey flow, Segment segment, Optional<ListenKey> listener) {
        return new Rnic.IlqEntry(
                new TcpFrame(new TcpFrame.Addressing(MacAddress.ZERO, MacAddress.ZERO, flow, 0, 0x28), segment),
                listener);
    }

    static Segment syn() {
        return new Segment(
                new SeqNum(PEER_ISN), new SeqNum(0), Segment.SYN, 65_535, TcpOptions.ofSyn(1460, 7), Octets.EMPTY);
    }

    /** The handshake's last ACK with the MPA request. */
    static Segment mpaRequest() {
        return new Segment(
                new SeqNum(PEER_ISN + 1),
                new SeqNum(OUR_ISN + 1),
                Segment.ACK | Segment.PSH,
                500,
                TcpOptions.NONE,
                MPA_REQUEST);
    }

    void event(FlowKey flow, NicEvent event) {
        deliver(new Rnic.FlowEvent(flow, 9, event));
    }

    // What the bridge hears

    NicRequest request() {
        return bridge.expectMessageClass(Bridge.Request.class).request();
    }

    <T extends NicControl> T control(Class<T> kind) {
        Bridge.Control control = bridge.expectMessageClass(Bridge.Control.class);
        assertThat(control.order()).isInstanceOf(kind);
        return kind.cast(control.order());
    }

    /** Answers the next order. */
    void answer(Function<NicControl, NicControl.Answer> answer) {
        Bridge.Control control = bridge.expectMessageClass(Bridge.Control.class);
        control.replyTo().tell(answer.apply(control.order()));
    }

    void expectGrant(int entries) {
        assertThat(grants.expectMessageClass(Bridge.Grant.class).entries()).isEqualTo(entries);
    }

    /** The flags of what a request transmits, in order. */
    static List<Integer> flagsOf(NicRequest request) {
        return request.commands().stream()
                .filter(NicCommand.Transmit.class::isInstance)
                .map(command -> ((NicCommand.Transmit) command).segment().flags())
                .toList();
    }

    static boolean has(NicRequest request, Class<? extends NicCommand> kind) {
        return request.commands().stream().anyMatch(kind::isInstance);
    }

    /** The next event that the application is told of. */
    CmEvent told() {
        return application.expectMessageClass(CmNotice.Event.class).event();
    }

    /** Brings what came of a connect to a probe. */
    ActorRef<IlqDispatcher.Opened> opened(TestProbe<ConnectAnswer> probe) {
        return kit.spawn(Behaviors.receiveMessage(opened -> {
            probe.ref().tell(opened.answer());
            return Behaviors.same();
        }));
    }

    // Longer ways

    /** A passive open up to the connect request; the connection of it. */
    CmConnection requested() {
        return requested(PASSIVE);
    }

    CmConnection requested(FlowKey flow) {
        deliver(caught(flow, syn()));
        assertThat(request().commands()).hasAtLeastOneElementOfType(NicCommand.CreateAh.class);
        expectGrant(1);
        event(flow, new NicEvent.AddressHandleReady(1500));
        assertThat(request().commands()).hasAtLeastOneElementOfType(NicCommand.AddQuadHash.class);
        event(flow, new NicEvent.SteeringInstalled());
        assertThat(flagsOf(request())).containsExactly(Segment.SYN | Segment.ACK);
        deliver(known(flow, mpaRequest()));
        request();
        expectGrant(1);
        CmNotice.Event notice = application.expectMessageClass(CmNotice.Event.class);
        assertThat(notice.event()).isInstanceOf(CmEvent.ConnectRequest.class);
        return notice.connection();
    }

    /** An accepted connection that stands; its queue pair is 3. */
    CmConnection established() {
        CmConnection connection = requested();
        TestProbe<Cause> answer = kit.createTestProbe();
        connection.call(new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY), answer.ref());
        answer(order -> new NicControl.QpCreated(order.id(), new QpId(3)));
        assertThat(request().commands()).hasAtLeastOneElementOfType(NicCommand.ModifyQp.class);
        event(PASSIVE, qp(AsyncEvent.Code.LLP_CONNECTION_ESTABLISHED));
        request();
        answer.expectMessage(Cause.NONE);
        event(PASSIVE, qp(AsyncEvent.Code.RTR_RECEIVED));
        request();
        assertThat(told()).isInstanceOf(CmEvent.Established.class);
        return connection;
    }

    static NicEvent qp(AsyncEvent.Code code) {
        return new NicEvent.QpEvent(AsyncEvent.of(code));
    }

    static ConnectOrder toPeer() {
        return new ConnectOrder(
                Flows.end("10.0.0.1:0"),
                Flows.end("10.0.0.2:4420"),
                0,
                Optional.empty(),
                ListenOrder.Tos.DEFAULT,
                new Initiator.Wish(2, new ReadDepths(4, 3), true, Octets.EMPTY),
                true);
    }

    void pass(Duration duration) {
        nowNs.addAndGet(duration.toNanos());
        time.timePasses(duration);
    }

    /** Waits until the bucket's connections are in these states, and no others are there. */
    void awaitStates(StateName... states) {
        bridge.awaitAssert(() -> {
            assertThat(nodes()).extracting(CmSnapshot.Node::state).containsExactlyInAnyOrder(states);
            return true;
        });
    }

    List<CmSnapshot.Node> nodes() {
        TestProbe<IlqDispatcher.Reported> probe = kit.createTestProbe();
        bucket.tell(new IlqDispatcher.Report(probe.ref()));
        return probe.receiveMessage().nodes();
    }
}
