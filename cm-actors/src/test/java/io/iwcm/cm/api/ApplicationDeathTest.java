package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmNotice;
import io.iwcm.cm.actor.ListenAnswer;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.nic.bridge.FrameObserver;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.MailboxSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications that throw, stop or say nothing: their connections end cleanly, and nobody else's. */
class ApplicationDeathTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private Lab lab = new Lab();
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    /** Keeps what it hears, and throws on one kind of event. */
    private static ConnectionHandler throwingOn(Class<? extends CmEvent> kind, Events heard) {
        return (connection, event) -> {
            heard.onEvent(connection, event);
            if (kind.isInstance(event)) throw new IllegalStateException("on purpose");
        };
    }

    @Test
    @Tag("FC-35")
    void closesInOrderWhenAHandlerThrowsOnEstablished() {
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station("10.0.0.2/24");
        ListenHandle listener = within(passive.cm()
                .listen(
                        ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT),
                        throwingOn(CmEvent.Established.class, passiveEvents)));

        for (int i = 1; i <= 2; i++) { // The listener goes on.
            assertThat(within(active.cm().connect(ConnectOptions.to(PEER), activeEvents)))
                    .isInstanceOf(ConnectResult.Connected.class);
            activeEvents.take(CmEvent.ConnectReply.class);
            assertThat(activeEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
            assertThat(activeEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
            assertThat(passive.cm().counters().value(CmCounter.CONSUMER_FAILURES))
                    .isEqualTo(i);
        }

        within(listener.close());
        passive.awaitNothingHeld();
        assertThat(passiveEvents.all()).hasSize(2).allMatch(CmEvent.Established.class::isInstance);
    }

    @Test
    @Tag("FC-35")
    void closesInOrderWhenAHandlerThrowsOnTheReply() {
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station("10.0.0.2/24");
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));

        ConnectResult result = within(
                active.cm().connect(ConnectOptions.to(PEER), throwingOn(CmEvent.ConnectReply.class, activeEvents)));

        assertThat(result).isInstanceOf(ConnectResult.Connected.class);
        passiveEvents.take(CmEvent.Established.class);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(1);
        assertThat(active.cm().counters().value(CmCounter.CONSUMER_FAILURES)).isEqualTo(1);
    }

    @Test
    @Tag("FC-35")
    void tellsNothingMoreWhenAHandlerThrowsOnTheWayDown() {
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station("10.0.0.2/24");
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));
        Connection connection = within(active.cm()
                        .connect(ConnectOptions.to(PEER), throwingOn(CmEvent.Disconnected.class, activeEvents)))
                .orElseThrow();

        within(connection.disconnect());

        passiveEvents.take(CmEvent.Established.class);
        passiveEvents.take(CmEvent.Disconnected.class);
        passiveEvents.take(CmEvent.Closed.class);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(2);
        assertThat(activeEvents.all().getLast()).isInstanceOf(CmEvent.Disconnected.class);
    }

    @Test
    @Tag("FC-70")
    void rejectsForAnApplicationThatNeverAnswers() {
        lab = new Lab(WireOptions.PLAIN, ApplicationDeathTest::withShortDecision);
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station("10.0.0.2/24");
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents));

        ConnectResult result = within(active.cm().connect(ConnectOptions.to(PEER), activeEvents));

        assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(Cause.REJECTED_ULP);
        Lab.await( // The reject may be seen before it is counted.
                "the time-out is counted", () -> passive.cm().counters().value(CmCounter.MPA_TIMEOUTS) == 1);
        Connection late = passiveEvents.take().connection();
        within(listener.close());
        passive.awaitNothingHeld();
        assertThat(within(late.accept())).isEqualTo(Cause.RESET);
        assertThat(within(late.reject())).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.all()).hasSize(1);
    }

    @Test
    @Tag("FC-70")
    void rejectsAndListensNoMoreForAnActorThatFailsOnTheRequest() {
        try (Typed typed = new Typed(lab)) {
            Station active = lab.station("10.0.0.2/24");
            typed.listen(typed.kit.spawn(Behaviors.receiveMessage(notice -> {
                throw new IllegalStateException("on purpose: " + notice);
            })));

            ConnectResult result = within(active.cm().connect(ConnectOptions.to(PEER), activeEvents));

            assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(Cause.REJECTED_ULP);
            awaitRefused(active);
        }
    }

    @Test
    @Tag("FC-70")
    void closesInOrderAndListensNoMoreForAnActorThatStops() {
        try (Typed typed = new Typed(lab)) {
            Station active = lab.station("10.0.0.2/24");
            ActorRef<CmNotice> application = typed.kit.spawn(Behaviors.receive((context, notice) -> {
                CmEvent event = ((CmNotice.Event) notice).event();
                if (event instanceof CmEvent.ConnectRequest) {
                    notice.connection()
                            .call(
                                    new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY),
                                    context.getSystem().ignoreRef());
                }
                return event instanceof CmEvent.Established ? Behaviors.stopped() : Behaviors.same();
            }));
            typed.listen(application);

            ConnectResult result = within(active.cm().connect(ConnectOptions.to(PEER), activeEvents));

            assertThat(result).isInstanceOf(ConnectResult.Connected.class);
            activeEvents.take(CmEvent.ConnectReply.class);
            assertThat(activeEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
            assertThat(activeEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
            awaitRefused(active);
        }
    }

    /** Of three requests one is in hand, one waits, and there is no room for the third: nobody is told of it, ever. */
    @Test
    @Tag("FC-35")
    void rejectsARequestThatFindsNoRoomInAnActorsMailbox() {
        try (Typed typed = new Typed(lab, "iwcm.cm.deadlines.decision = 500ms")) {
            Station active = lab.station("10.0.0.2/24");
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger heard = new AtomicInteger();
            typed.listen(typed.kit.spawn(
                    Behaviors.receiveMessage(_ -> {
                        heard.incrementAndGet();
                        go.await();
                        return Behaviors.same();
                    }),
                    "small",
                    MailboxSelector.bounded(1)));
            RnicSnapshot.Held listening = typed.held();

            List<CompletionStage<ConnectResult>> results = new ArrayList<>();
            results.add(active.cm().connect(ConnectOptions.to(PEER), activeEvents));
            Lab.await("one is in hand", () -> heard.get() == 1);
            results.add(active.cm().connect(ConnectOptions.to(PEER), activeEvents));
            results.add(active.cm().connect(ConnectOptions.to(PEER), activeEvents));

            for (CompletionStage<ConnectResult> result : results) {
                assertThat(((ConnectResult.Failed) within(result)).cause()).isEqualTo(Cause.REJECTED_ULP);
            }
            Lab.await("every place is given back", () -> typed.held().equals(listening));
            go.countDown();
            Lab.await("what waited is heard", () -> heard.get() == 2);
        }
    }

    private static void awaitRefused(Station active) {
        Lab.await(
                "nobody listens any more",
                () -> within(active.cm().connect(ConnectOptions.to(PEER))) instanceof ConnectResult.Failed failed
                        && failed.cause() == Cause.REFUSED_TCP);
    }

    /** A connection manager on 10.0.0.1 in an actor system that its applications are in, too. */
    private static final class Typed implements AutoCloseable {

        private static final String ADDRESS = "iwcm.nic.addresses = [{ address = \"10.0.0.1/24\" }]\n";

        private final ActorTestKit kit;
        private final NicHost nic;
        private final ActorRef<CmGuardian.Command> manager;

        Typed(Lab lab) {
            this(lab, "");
        }

        Typed(Lab lab, String settings) {
            this(lab, ConfigFactory.parseString(ADDRESS + settings));
        }

        private Typed(Lab lab, Config config) {
            kit = ActorTestKit.create("typed", ConnectionManager.configuration(config));
            NicSettings settings = NicSettings.from(ConnectionManager.configuration(config));
            nic = NicHost.on(kit.system(), lab.port(), settings, FrameObserver.NONE);
            manager = kit.spawn(Launcher.connectionManager(nic, config));
        }

        RnicSnapshot.Held held() {
            return within(nic.inspect(rnic -> ((SoftRnic) rnic).snapshot())).held();
        }

        void listen(ActorRef<CmNotice> application) {
            TestProbe<ListenAnswer> answer = kit.createTestProbe();
            manager.tell(
                    new CmGuardian.Listen(ListenOptions.on(PEER).order(), CmConsumer.of(application), answer.ref()));
            answer.expectMessageClass(ListenAnswer.Listening.class);
        }

        @Override
        public void close() {
            TestProbe<CmGuardian.Stopped> stopped = kit.createTestProbe();
            manager.tell(new CmGuardian.Stop(stopped.ref()));
            stopped.receiveMessage();
            nic.close();
            kit.shutdownTestKit();
        }
    }

    private static CmParams withShortDecision(CmParams usual) {
        Deadlines before = usual.deadlines();
        return new CmParams(
                usual.tcp(),
                new Deadlines(
                        before.addressNs(),
                        before.synNs(),
                        before.synRcvdNs(),
                        new MpaDeadlines(
                                before.mpa().requestNs(),
                                before.mpa().replyNs(),
                                Duration.ofMillis(300).toNanos(),
                                before.mpa().acceptNs(),
                                before.mpa().rtrNs()),
                        before.closeNs()),
                usual.mpa(),
                usual.compat(),
                usual.isn());
    }
}
