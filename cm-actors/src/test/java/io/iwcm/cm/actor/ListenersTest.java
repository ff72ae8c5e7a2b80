package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.testkit.Flows;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners as addresses, applications and other listeners come and go; the test is NIC, bucket and application. */
class ListenersTest {

    private static final LocalAddress ONE = Flows.address("10.0.0.1/24", 0);
    private static final LocalAddress TWO = Flows.address("10.1.0.1/24", 100);
    private static final ListenKey KEY_ONE = Flows.listen("10.0.0.1:5000", 0);
    private static final ListenKey KEY_TWO = Flows.listen("10.1.0.1:5000", 100);

    private final ActorTestKit kit = ActorTestKit.create();
    private final CmCounters counters = new CmCounters();
    private final TestProbe<Bridge.Command> bridge = kit.createTestProbe("bridge", Bridge.Command.class);
    private final TestProbe<IlqDispatcher.Command> bucket = kit.createTestProbe("bucket", IlqDispatcher.Command.class);
    private final TestProbe<ListenAnswer> answer = kit.createTestProbe("answer", ListenAnswer.class);
    private final TestProbe<CmNotice> application = kit.createTestProbe("application", CmNotice.class);
    private final ActorRef<Listeners.Command> listeners = kit.spawn(
            Listeners.create(bridge.ref(), counters, List.of(ONE, TWO), new SynOffer(70_000, 3), CmObserver.NONE));

    ListenersTest() {
        listeners.tell(new Listeners.Joined(bucket.ref()));
    }

    @AfterEach
    void end() {
        kit.shutdownTestKit();
    }

    @Test
    void listensWhenEverySynEntryIsIn() {
        listen("0.0.0.0:5000");

        assertThat(served()).isEqualTo(KEY_ONE);
        assertThat(served()).isEqualTo(KEY_TWO);
        NicControl.Listen first = done(NicControl.Listen.class);
        answer.expectNoMessage(Duration.ofMillis(50));
        NicControl.Listen second = done(NicControl.Listen.class);
        answer.expectMessageClass(ListenAnswer.Listening.class);

        assertThat(List.of(first.key(), second.key())).containsExactly(KEY_ONE, KEY_TWO);
        assertThat(first.synBacklog()).isEqualTo(5);
        assertThat(first.backlog()).isEqualTo(3);
        assertThat(first.offer()).isEqualTo(new SynOffer(70_000, 3));
        assertThat(counters.value(CmCounter.LISTEN_CREATED)).isEqualTo(1);
        assertThat(counters.value(CmCounter.LISTEN_NODES_CREATED)).isEqualTo(2);
    }

    @Test
    void undoesAllWhenOneSynEntryCannotBeSet() {
        listen("0.0.0.0:5000");
        done(NicControl.Listen.class);
        fail(NicEvent.Failure.RESOURCES);

        answer.expectMessage(new ListenAnswer.Refused(Cause.RESOURCES));
        assertThat(done(NicControl.Unlisten.class).key()).isEqualTo(KEY_ONE);
        assertThat(children()).isEmpty();
        assertThat(counters.value(CmCounter.LISTEN_DESTROYED)).isEqualTo(1);
        assertThat(counters.value(CmCounter.LISTEN_NODES_DESTROYED)).isEqualTo(2);
    }

    @Test
    void refusesTheSameEndpointTwice() {
        listening("10.0.0.1:5000", 1);

        listen("10.0.0.1:5000");

        answer.expectMessage(new ListenAnswer.Refused(Cause.ADDRESS_IN_USE));
        bridge.expectNoMessage(Duration.ofMillis(50));
    }

    @Test
    void refusesAnAddressThatIsNotOurs() {
        listen("10.0.0.77:5000");

        answer.expectMessage(new ListenAnswer.Refused(Cause.ADDRESS_NOT_AVAILABLE));
        bridge.expectNoMessage(Duration.ofMillis(50));
    }

    @Test
    void answersADestroyWhenNoSynCanComeAnyMore() {
        ActorRef<Listener.Command> listener = listening("0.0.0.0:5000", 2);
        TestProbe<Listener.Destroyed> destroyed = kit.createTestProbe();

        listener.tell(new Listener.Destroy(destroyed.ref()));

        done(NicControl.Unlisten.class);
        destroyed.expectNoMessage(Duration.ofMillis(50));
        done(NicControl.Unlisten.class);
        destroyed.expectMessageClass(Listener.Destroyed.class);
        bucket.fishForMessage(
                Duration.ofSeconds(30),
                command -> command instanceof IlqDispatcher.ListenerGone
                        ? FishingOutcomes.complete()
                        : FishingOutcomes.continueAndIgnore());
    }

    @Test
    void endsWithItsApplication() {
        ActorRef<CmNotice> mortal = kit.spawn(Behaviors.receiveMessage(_ -> Behaviors.stopped()));
        listeners.tell(new Listeners.Listen(order("10.0.0.1:5000"), CmConsumer.of(mortal), answer.ref()));
        done(NicControl.Listen.class);
        answer.expectMessageClass(ListenAnswer.Listening.class);

        kit.stop(mortal);

        assertThat(done(NicControl.Unlisten.class).key()).isEqualTo(KEY_ONE);
    }

    @Test
    void givesWayToAMoreSpecificListenerAndTakesOverAgain() {
        listening("0.0.0.0:5000", 2);
        listen("10.0.0.1:5000");
        assertThat(done(NicControl.Unlisten.class).key()).isEqualTo(KEY_ONE);
        assertThat(done(NicControl.Listen.class).key()).isEqualTo(KEY_ONE);
        ActorRef<Listener.Command> specific =
                answer.expectMessageClass(ListenAnswer.Listening.class).listener();

        specific.tell(
                new Listener.Destroy(kit.<Listener.Destroyed>createTestProbe().ref()));

        assertThat(done(NicControl.Unlisten.class).key()).isEqualTo(KEY_ONE);
        assertThat(done(NicControl.Listen.class).key()).isEqualTo(KEY_ONE);
        assertThat(children()).containsExactlyInAnyOrder(KEY_ONE, KEY_TWO);
    }

    @Test
    void tellsABucketThatComesBackAllItServes() {
        listening("10.0.0.1:5000", 1);
        TestProbe<IlqDispatcher.Command> again = kit.createTestProbe();

        listeners.tell(new Listeners.Joined(again.ref()));

        assertThat(again.expectMessageClass(IlqDispatcher.Serve.class).key()).isEqualTo(KEY_ONE);
    }

    @Test
    void takesNothingNewOnceItCloses() {
        listening("10.0.0.1:5000", 1);
        TestProbe<Listeners.Closed> closed = kit.createTestProbe();

        listeners.tell(new Listeners.Close(closed.ref()));
        listen("10.0.0.1:5001");

        answer.expectMessage(new ListenAnswer.Refused(Cause.SHUTDOWN));
        done(NicControl.Unlisten.class);
        closed.expectMessageClass(Listeners.Closed.class);
    }

    private void listen(String local) {
        listeners.tell(new Listeners.Listen(order(local), CmConsumer.of(application.ref()), answer.ref()));
    }

    private ActorRef<Listener.Command> listening(String local, int entries) {
        listen(local);
        for (int i = 0; i < entries; i++) done(NicControl.Listen.class);
        return answer.expectMessageClass(ListenAnswer.Listening.class).listener();
    }

    private static ListenOrder order(String local) {
        return new ListenOrder(
                Flows.end(local),
                ListenOrder.ANY_VLAN,
                false,
                new ListenOrder.Backlog(5, 3),
                ListenOrder.Tos.DEFAULT,
                new ListenOrder.AnswerPolicy.Ask());
    }

    private ListenKey served() {
        return bucket.expectMessageClass(IlqDispatcher.Serve.class).key();
    }

    private <T extends NicControl> T done(Class<T> kind) {
        Bridge.Control control = bridge.expectMessageClass(Bridge.Control.class);
        assertThat(control.order()).isInstanceOf(kind);
        control.replyTo().tell(new NicControl.Done(control.order().id()));
        return kind.cast(control.order());
    }

    private void fail(NicEvent.Failure why) {
        Bridge.Control control = bridge.expectMessageClass(Bridge.Control.class);
        control.replyTo().tell(new NicControl.Failed(control.order().id(), why));
    }

    private List<ListenKey> children() {
        TestProbe<Listeners.Reported> probe = kit.createTestProbe();
        listeners.tell(new Listeners.Report(probe.ref()));
        return probe.receiveMessage().listeners().stream()
                .flatMap(listener -> listener.children().stream())
                .toList();
    }
}
