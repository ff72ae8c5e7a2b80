package io.iwcm.nic.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.testkit.FakeLink;
import io.iwcm.nic.testkit.FakeRnic;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BridgeTest {

    private static final Owner LEFT = new Owner(1);
    private static final Owner RIGHT = new Owner(2);
    private static final FlowKey FLOW = flow(40_000);

    private final ActorTestKit kit = ActorTestKit.create("bridge-test", ManualTime.config());
    private final ManualTime time = ManualTime.get(kit.system());
    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final FakeRnic rnic = new FakeRnic();
    private final FakeLink link = new FakeLink();
    private NicHost host = NicHost.start(kit.system(), link, rnic, options(4, 6));
    private final ActorRef<Bridge.Command> bridge = kit.spawn(Bridge.create(host));

    @AfterEach
    void end() {
        host.close();
        kit.shutdownTestKit();
    }

    @Test
    void passesARequestOnWithItsOwner() {
        NicRequest request = new NicRequest(FLOW, 0, 1, List.of(), Optional.empty());

        bridge.tell(new Bridge.Request(LEFT, request));

        assertThat(rnic.takeRequest()).isEqualTo(new FakeRnic.Requested(LEFT, request));
    }

    @Test
    void answersEachSenderUnderItsOwnId() {
        AtomicLong made = new AtomicLong();
        rnic.onControl((order, out) ->
                out.answer(new NicControl.QpCreated(order.id(), new QpId((int) made.incrementAndGet()))));
        TestProbe<NicControl.Answer> one = kit.createTestProbe();
        TestProbe<NicControl.Answer> other = kit.createTestProbe();

        bridge.tell(new Bridge.Control(new NicControl.CreateQp(7), one.ref()));
        bridge.tell(new Bridge.Control(new NicControl.CreateQp(7), other.ref()));

        one.expectMessage(new NicControl.QpCreated(7, new QpId(1)));
        other.expectMessage(new NicControl.QpCreated(7, new QpId(2)));
    }

    @Test
    void carriesFramesBothWays() {
        rnic.onFrames((batch, out) -> batch.forEach(frame -> out.transmit(new byte[] {frame[0], 1})));

        link.receive(new byte[] {5}, new byte[] {6});

        assertThat(link.takeSent()).containsExactly(5, 1);
        assertThat(link.takeSent()).containsExactly(6, 1);
        assertThat(host.counters().value(BridgeCounter.FRAMES_TO_NIC)).isEqualTo(2);
        assertThat(host.counters().value(BridgeCounter.FRAMES_TO_LINK)).isEqualTo(2);
    }

    @Test
    void tellsEachDispatcherOnceAndInOrder() {
        TestProbe<Bridge.Delivered> left = attached(LEFT);
        TestProbe<Bridge.Delivered> right = attached(RIGHT);
        Rnic.FlowEvent installed = new Rnic.FlowEvent(FLOW, 3, new NicEvent.SteeringInstalled());
        rnic.onFrames((_, out) -> {
            out.ilq(LEFT, known(1));
            out.ilq(RIGHT, known(2));
            out.event(LEFT, installed);
            out.ilq(LEFT, known(4));
        });

        link.receive(new byte[1]);

        left.expectMessage(new Bridge.Delivered(LEFT, List.of(known(1), installed, known(4))));
        right.expectMessage(new Bridge.Delivered(RIGHT, List.of(known(2))));
    }

    @Test
    void dropsSynsFirstWhenADispatcherFallsBehind() {
        TestProbe<Bridge.Delivered> probe = attached(LEFT);
        rnic.onFrames((_, out) -> {
            for (int i = 1; i <= 5; i++) out.ilq(LEFT, opening(i));
            out.ilq(LEFT, known(6));
            out.event(LEFT, new Rnic.FlowEvent(FLOW, 1, new NicEvent.SteeringInstalled()));
            out.ilq(LEFT, known(7));
            out.ilq(LEFT, known(8));
        });

        link.receive(new byte[1]);

        assertThat(probe.receiveMessage().deliveries())
                .containsExactly(
                        opening(1),
                        opening(2),
                        opening(3),
                        opening(4),
                        known(6),
                        new Rnic.FlowEvent(FLOW, 1, new NicEvent.SteeringInstalled()),
                        known(7));
        assertThat(host.counters().value(BridgeCounter.ILQ_FULL)).isEqualTo(2);
    }

    @Test
    void sendsSynsAgainAfterAGrant() {
        TestProbe<Bridge.Delivered> probe = attached(LEFT);
        rnic.onFrames((_, out) -> {
            for (int i = 1; i <= 6; i++) out.ilq(LEFT, opening(i));
        });
        link.receive(new byte[1]);
        assertThat(probe.receiveMessage().deliveries()).hasSize(4);

        bridge.tell(new Bridge.Grant(LEFT, 3));
        bridge.tell(new Bridge.Request(LEFT, new NicRequest(FLOW, 0, 1, List.of(), Optional.empty())));
        rnic.takeRequest(); // The grant is in.
        link.receive(new byte[1]);

        assertThat(probe.receiveMessage().deliveries()).hasSize(3);
        assertThat(host.counters().value(BridgeCounter.ILQ_FULL)).isEqualTo(2 + 3);
    }

    @Test
    void detachesADispatcherThatDies() {
        ActorRef<Bridge.Delivered> dispatcher = kit.spawn(Behaviors.receiveMessage(_ -> Behaviors.stopped()));
        TestProbe<NicControl.Answer> answers = kit.createTestProbe();
        bridge.tell(new Bridge.Attach(LEFT, Optional.empty(), dispatcher, answers.ref()));
        answers.expectMessageClass(NicControl.Done.class);

        dispatcher.tell(new Bridge.Delivered(LEFT, List.of(known(1))));

        NicControl.Detach detach = rnic.takeControl(NicControl.Detach.class);
        assertThat(detach.owner()).isEqualTo(LEFT);
        assertThat(detach.handsOn()).isTrue();
        rnic.onFrames((_, out) -> out.ilq(LEFT, known(1)));
        link.receive(new byte[1]);
        rnic.takeBatch();
        host.inspect(_ -> true).toCompletableFuture().join();
        assertThat(host.counters().value(BridgeCounter.UNDELIVERABLE)).isEqualTo(1);
    }

    @Test
    void handsOnTheFlowsOfADispatcherThatDiesOrIsReplacedButNotWhenItStopsItself() {
        attached(LEFT);
        TestProbe<Bridge.Delivered> again = kit.createTestProbe();
        TestProbe<NicControl.Answer> answers = kit.createTestProbe();
        rnic.takeControl(NicControl.Attach.class);
        Rnic.Adopt adopt = new Rnic.Adopt(FLOW, 4, new Checkpoint() {}, List.of());
        rnic.onControl((order, out) -> {
            out.answer(new NicControl.Done(order.id()));
            out.deliver(RIGHT, adopt);
            out.deliver(LEFT, adopt);
        });

        bridge.tell(new Bridge.Attach(RIGHT, Optional.of(LEFT), again.ref(), answers.ref()));

        assertThat(rnic.takeControl(NicControl.Attach.class).replaces()).contains(LEFT);
        again.expectMessage(new Bridge.Delivered(RIGHT, List.of(adopt)));
        answers.expectMessageClass(NicControl.Done.class);
        assertThat(host.counters().value(BridgeCounter.UNDELIVERABLE)).isEqualTo(1);
        bridge.tell(Bridge.Stop.INSTANCE);
        NicControl.Detach detach = rnic.takeControl(NicControl.Detach.class);
        assertThat(detach.owner()).isEqualTo(RIGHT);
        assertThat(detach.handsOn()).isFalse();
    }

    @Test
    void detachesAllWhenItStops() {
        attached(LEFT);
        attached(RIGHT);

        bridge.tell(Bridge.Stop.INSTANCE);

        assertThat(List.of(
                        rnic.takeControl(NicControl.Detach.class).owner(),
                        rnic.takeControl(NicControl.Detach.class).owner()))
                .containsExactlyInAnyOrder(LEFT, RIGHT);
    }

    @Test
    void ticksWhenTheRnicIsDue() {
        rnic.onRequest((_, _) -> rnic.dueAt(5_000_000));
        bridge.tell(new Bridge.Request(LEFT, new NicRequest(FLOW, 0, 1, List.of(), Optional.empty())));
        rnic.takeRequest();
        host.inspect(_ -> true).toCompletableFuture().join(); // The timer is armed.

        nowNs.set(5_000_000);
        time.timePasses(Duration.ofMillis(6));

        assertThat(rnic.takeTick()).isEqualTo(5_000_000);
    }

    @Test
    void bringsATickForwardWhenSomethingIsDueEarlier() {
        rnic.dueAt(3_600_000_000_000L);
        host.inspect(_ -> true).toCompletableFuture().join();
        rnic.dueAt(2_000_000);
        host.inspect(_ -> true).toCompletableFuture().join();

        nowNs.set(2_000_000);
        time.timePasses(Duration.ofMillis(3));

        assertThat(rnic.takeTick()).isEqualTo(2_000_000);
    }

    /** A device may say "at once" or "hardly ever" by any number there is. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void livesWithADeadlineOfAnySize(long atNs) {
        rnic.onFrames((batch, out) -> batch.forEach(out::transmit));
        rnic.dueAt(atNs);
        host.inspect(_ -> true).toCompletableFuture().join();

        link.receive(new byte[] {9});

        assertThat(link.takeSent()).containsExactly(9);
        if (atNs > 0) return;
        time.timePasses(Duration.ofMillis(2));
        assertThat(rnic.takeTick()).as("a tick that is overdue comes at once").isEqualTo(1_000);
    }

    @Test
    void goesOnWhenTheRnicThrows() {
        rnic.onFrames((batch, out) -> {
            if (batch.getFirst()[0] == 0) throw new IllegalStateException("on purpose");
            out.transmit(batch.getFirst());
        });

        link.receive(new byte[] {0});
        rnic.takeBatch();
        link.receive(new byte[] {9});

        assertThat(link.takeSent()).containsExactly(9);
        assertThat(host.counters().value(BridgeCounter.NIC_FAILURES)).isEqualTo(1);
    }

    @Test
    void doesNotTakeAnObserversFailureForItsOwn() {
        host.close();
        rnic.onFrames((batch, out) -> batch.forEach(out::transmit));
        FakeLink watched = new FakeLink();
        host = NicHost.start(kit.system(), watched, rnic, options(4, 8).withObserver(new BrokenObserver()));

        watched.receive(new byte[] {9});
        watched.receive(new byte[] {8});

        assertThat(watched.takeSent()).containsExactly(9);
        assertThat(watched.takeSent()).containsExactly(8);
        assertThat(host.counters().value(BridgeCounter.OBSERVER_FAILURES)).isEqualTo(4);
        assertThat(host.counters().value(BridgeCounter.NIC_FAILURES)).isZero();
    }

    @Test
    void countsFramesForWhichTheQueueHasNoRoom() {
        host.close();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        FakeRnic slow = new FakeRnic().onFrames((_, _) -> {
            busy.countDown();
            awaitOrFail(go);
        });
        FakeLink fast = new FakeLink();
        host = NicHost.start(
                kit.system(),
                fast,
                slow,
                new NicHost.Options(IlqLimits.DEFAULT, 3, NanoClock.SYSTEM, FrameObserver.NONE));
        fast.receive(new byte[] {1});
        awaitOrFail(busy);

        fast.receive(new byte[] {2}, new byte[] {3});
        fast.receive(new byte[] {4}, new byte[] {5});
        fast.receive(new byte[] {6});
        go.countDown();

        slow.takeBatch();
        assertThat(slow.takeBatch()).extracting(frame -> frame[0]).containsExactly((byte) 2, (byte) 3, (byte) 4);
        assertThat(host.counters().value(BridgeCounter.RECEIVE_QUEUE_DROPS)).isEqualTo(2);
    }

    @Test
    void sendsWhatWasAskedBeforeItCloses() {
        rnic.onRequest((_, out) -> out.transmit(new byte[] {7}));
        host.submit(new NicInput.Requested(LEFT, new NicRequest(FLOW, 0, 1, List.of(), Optional.empty())));

        host.close();

        assertThat(link.takeSent()).containsExactly(7);
        assertThat(link.isClosed()).isTrue();
        assertThat(host.inspect(_ -> true).toCompletableFuture()).isCompletedExceptionally();
    }

    private NicHost.Options options(int credits, int most) {
        return NicHost.Options.DEFAULT.withClock(nowNs::get).withIlq(new IlqLimits(credits, most));
    }

    private TestProbe<Bridge.Delivered> attached(Owner owner) {
        TestProbe<Bridge.Delivered> probe = kit.createTestProbe();
        TestProbe<NicControl.Answer> answers = kit.createTestProbe();
        bridge.tell(new Bridge.Attach(owner, Optional.empty(), probe.ref(), answers.ref()));
        answers.expectMessageClass(NicControl.Done.class);
        return probe;
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static final class BrokenObserver implements FrameObserver {
        @Override
        public void frameReceived(byte[] frame, long nowNs) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void frameSent(byte[] frame, long nowNs) {
            throw new IllegalStateException("on purpose");
        }
    }

    /** A frame of a flow in the quad hash. */
    private static Rnic.IlqEntry known(int remotePort) {
        return new Rnic.IlqEntry(frame(remotePort), Optional.empty());
    }

    /** A SYN that a SYN entry caught. */
    private static Rnic.IlqEntry opening(int remotePort) {
        return new Rnic.IlqEntry(frame(remotePort), Optional.of(ListenKey.of(FLOW)));
    }

    private static TcpFrame frame(int remotePort) {
        Segment segment = new Segment(new SeqNum(1), new SeqNum(0), Segment.SYN, 65_535, TcpOptions.NONE, Octets.EMPTY);
        return new TcpFrame(new TcpFrame.Addressing(MacAddress.ZERO, MacAddress.ZERO, flow(remotePort), 0, 0), segment);
    }

    private static FlowKey flow(int remotePort) {
        return new FlowKey(
                new Endpoint(IpAddress.parse("10.0.0.1"), 4420),
                new Endpoint(IpAddress.parse("10.0.0.2"), remotePort),
                0);
    }
}
