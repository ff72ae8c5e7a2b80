package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.testkit.FakeLink;
import io.iwcm.nic.testkit.FakeRnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.SeqNum;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection manager as an actor, on a NIC that says yes to every order. */
class GuardianTest {

    private static final int BUCKETS = 3;

    private final ActorTestKit kit = ActorTestKit.create();
    private final FakeRnic rnic = new FakeRnic();
    private final FakeLink link = new FakeLink();
    private final NicHost host = NicHost.start(kit.system(), link, rnic, NicHost.Options.DEFAULT);
    private final TestProbe<CmGuardian.Stopped> stopped = kit.createTestProbe();
    private final TestProbe<ListenAnswer> listenAnswer = kit.createTestProbe();
    private final TestProbe<ConnectAnswer> connectAnswer = kit.createTestProbe();
    private final TestProbe<CmNotice> application = kit.createTestProbe();
    private final ActorRef<CmGuardian.Command> guardian =
            kit.spawn(CmGuardian.create(host, options(), new CmCounters()));

    @AfterEach
    void end() {
        host.close();
        kit.shutdownTestKit();
    }

    @Test
    void attachesEveryBucketUnderANameOfItsOwn() {
        Set<Object> owners = new HashSet<>();
        for (int i = 0; i < BUCKETS; i++) {
            owners.add(rnic.takeControl(NicControl.Attach.class).owner());
        }
        assertThat(owners).hasSize(BUCKETS);
    }

    /** A SYN that comes while there is no bucket yet would be lost. */
    @Test
    void listensOnlyWhenItsBucketsAreThere() {
        List<Runnable> attach = new CopyOnWriteArrayList<>();
        FakeRnic slow = new FakeRnic().onControl((order, out) -> {
            Runnable answer = () -> out.answer(new NicControl.Done(order.id()));
            if (order instanceof NicControl.Attach) attach.add(answer);
            else answer.run();
        });
        try (NicHost other = NicHost.start(kit.system(), new FakeLink(), slow, NicHost.Options.DEFAULT)) {
            ActorRef<CmGuardian.Command> late = kit.spawn(CmGuardian.create(other, options(), new CmCounters()));
            TestProbe<CmSnapshot> snapshot = kit.createTestProbe();
            for (int i = 0; i < BUCKETS; i++) slow.takeControl(NicControl.Attach.class);

            late.tell(new CmGuardian.Listen(order(), CmConsumer.of(application.ref()), listenAnswer.ref()));
            late.tell(new CmGuardian.Snapshot(snapshot.ref()));
            assertThat(snapshot.receiveMessage().listeners()).isEmpty();

            other.inspect(_ -> {
                attach.forEach(Runnable::run);
                return true;
            });
            listenAnswer.expectMessageClass(ListenAnswer.Listening.class);
        }
    }

    private static CmOptions options() {
        return new CmOptions(
                TestParams.ordinary((_, _) -> new SeqNum(1)),
                BUCKETS,
                Duration.ofSeconds(1),
                List.of(Flows.address("10.0.0.1/24", 0)),
                CmObserver.NONE);
    }

    @Test
    void stopsInOrderAndLeavesTheNicHost() {
        CompletableFuture<Void> askedTwice = new CompletableFuture<>();
        rnic.onControl((order, out) -> {
            if (order instanceof NicControl.Unlisten) askedTwice.join(); // Or it would have stopped before.
            out.answer(new NicControl.Done(order.id()));
        });
        guardian.tell(new CmGuardian.Listen(order(), CmConsumer.of(application.ref()), listenAnswer.ref()));
        listenAnswer.expectMessageClass(ListenAnswer.Listening.class);

        guardian.tell(new CmGuardian.Stop(stopped.ref()));
        guardian.tell(new CmGuardian.Stop(stopped.ref()));
        askedTwice.complete(null);

        stopped.expectMessageClass(CmGuardian.Stopped.class);
        stopped.expectMessageClass(CmGuardian.Stopped.class);
        stopped.expectTerminated(guardian);
        rnic.takeControl(NicControl.Unlisten.class);
        for (int i = 0; i < BUCKETS; i++) rnic.takeControl(NicControl.Detach.class);
        assertThat(host.inspect(_ -> "alive").toCompletableFuture().join()).isEqualTo("alive");
        assertThat(link.isClosed()).isFalse();
    }

    @Test
    void takesNothingNewOnceItStops() {
        rnic.onControl((order, out) -> {
            if (!(order instanceof NicControl.Unlisten)) out.answer(new NicControl.Done(order.id()));
        });
        guardian.tell(new CmGuardian.Listen(order(), CmConsumer.of(application.ref()), listenAnswer.ref()));
        listenAnswer.expectMessageClass(ListenAnswer.Listening.class);
        guardian.tell(new CmGuardian.Stop(stopped.ref())); // Waits for the listener.

        guardian.tell(
                new CmGuardian.Connect(BucketScene.toPeer(), CmConsumer.of(application.ref()), connectAnswer.ref()));
        guardian.tell(new CmGuardian.Listen(order(), CmConsumer.of(application.ref()), listenAnswer.ref()));

        connectAnswer.expectMessage(new ConnectAnswer.Refused(Cause.SHUTDOWN));
        listenAnswer.expectMessage(new ListenAnswer.Refused(Cause.SHUTDOWN));
    }

    @Test
    void makesAndEndsQueuePairsForApplications() {
        rnic.onControl((order, out) -> out.answer(
                order instanceof NicControl.CreateQp
                        ? new NicControl.QpCreated(order.id(), new QpId(5))
                        : new NicControl.Done(order.id())));
        TestProbe<NicControl.Answer> answer = kit.createTestProbe();

        guardian.tell(new CmGuardian.CreateQp(answer.ref()));
        answer.expectMessage(new NicControl.QpCreated(0, new QpId(5)));
        guardian.tell(new CmGuardian.DestroyQp(new QpId(5), answer.ref()));
        answer.expectMessage(new NicControl.Done(0));
    }

    private static ListenOrder order() {
        return new ListenOrder(
                Flows.end("10.0.0.1:5000"),
                ListenOrder.ANY_VLAN,
                false,
                ListenOrder.Backlog.DEFAULT,
                ListenOrder.Tos.DEFAULT,
                new ListenOrder.AnswerPolicy.Ask());
    }
}
