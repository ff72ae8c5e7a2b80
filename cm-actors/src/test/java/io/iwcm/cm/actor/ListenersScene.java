package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.testkit.Flows;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** All listeners of a connection manager that starts with the addresses {@link #ONE} and {@link #TWO}. */
final class ListenersScene implements AutoCloseable {

    static final LocalAddress ONE = Flows.address("10.0.0.1/24", 0);
    static final LocalAddress TWO = Flows.address("10.1.0.1/24", 100);
    static final LocalAddress THREE = Flows.address("10.0.0.3/24", 0);
    static final ListenKey KEY_ONE = Flows.listen("10.0.0.1:5000", 0);
    static final ListenKey KEY_TWO = Flows.listen("10.1.0.1:5000", 100);
    static final ListenKey KEY_THREE = Flows.listen("10.0.0.3:5000", 0);

    final ActorTestKit kit = ActorTestKit.create("listeners-scene");
    final CmCounters counters = new CmCounters();
    final TestProbe<Bridge.Command> bridge = kit.createTestProbe("bridge", Bridge.Command.class);
    final TestProbe<IlqDispatcher.Command> bucket = kit.createTestProbe("bucket", IlqDispatcher.Command.class);
    final TestProbe<ListenAnswer> answer = kit.createTestProbe("answer", ListenAnswer.class);
    final TestProbe<AddressAnswer> changed = kit.createTestProbe("changed", AddressAnswer.class);
    final TestProbe<CmNotice> application = kit.createTestProbe("application", CmNotice.class);
    final ActorRef<Listeners.Command> listeners = kit.spawn(
            Listeners.create(bridge.ref(), counters, List.of(ONE, TWO), new SynOffer(70_000, 3), CmObserver.NONE));

    ListenersScene() {
        listeners.tell(new Listeners.Joined(bucket.ref()));
    }

    @Override
    public void close() {
        kit.shutdownTestKit();
    }

    void change(AddressChange change) {
        listeners.tell(new Listeners.Change(change, changed.ref()));
    }

    void listen(String local) {
        ListenOrder order = new ListenOrder(
                Flows.end(local),
                ListenOrder.ANY_VLAN,
                false,
                new ListenOrder.Backlog(5, 3),
                ListenOrder.Tos.DEFAULT,
                new ListenOrder.AnswerPolicy.Ask());
        listeners.tell(new Listeners.Listen(order, CmConsumer.of(application.ref()), answer.ref()));
    }

    /** A listener whose SYN entries, so many, are all in. */
    ActorRef<Listener.Command> listening(String local, int entries) {
        listen(local);
        for (int i = 0; i < entries; i++) done(NicControl.Listen.class);
        return answer.expectMessageClass(ListenAnswer.Listening.class).listener();
    }

    ListenKey served() {
        return bucket.expectMessageClass(IlqDispatcher.Serve.class).key();
    }

    /** The next order must be of this kind; it is done. */
    <T extends NicControl> T done(Class<T> kind) {
        Bridge.Control control = bridge.expectMessageClass(Bridge.Control.class);
        assertThat(control.order()).isInstanceOf(kind);
        control.replyTo().tell(new NicControl.Done(control.order().id()));
        return kind.cast(control.order());
    }

    /** The next order cannot be done. */
    void fail(NicEvent.Failure why) {
        Bridge.Control control = bridge.expectMessageClass(Bridge.Control.class);
        control.replyTo().tell(new NicControl.Failed(control.order().id(), why));
    }

    List<ListenKey> children() {
        TestProbe<Listeners.Reported> probe = kit.createTestProbe();
        listeners.tell(new Listeners.Report(probe.ref()));
        return probe.receiveMessage().listeners().stream()
                .flatMap(listener -> listener.children().stream())
                .toList();
    }
}
