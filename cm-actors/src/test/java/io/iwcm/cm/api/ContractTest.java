package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application may rely on, whatever it does itself and whenever. */
class ContractTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final Lab lab = new Lab();
    private final Tampering wire = new Tampering(lab.port());
    private final Station active = lab.station(wire, CmObserver.NONE, "10.0.0.2/24");
    private final Station passive = lab.station("10.0.0.1/24");
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    // Ending is idempotent

    enum Ending {
        REJECT,
        DISCONNECT,
        ABORT;

        CompletionStage<Cause> of(Connection connection) {
            return switch (this) {
                case REJECT -> connection.reject();
                case DISCONNECT -> connection.disconnect();
                case ABORT -> connection.abort();
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Ending.class)
    void endsARequestTwiceAndAfterItsEnd(Ending ending) {
        ListenHandle listener = listen(ListenOptions.on(PEER), passiveEvents);
        CompletionStage<ConnectResult> result = connect();
        Connection asked = passiveEvents.take().connection();

        CompletionStage<Cause> first = ending.of(asked);
        CompletionStage<Cause> second = ending.of(asked);
        assertThat(within(first)).isEqualTo(Cause.NONE);
        assertThat(within(second)).isEqualTo(Cause.NONE);
        assertThat(within(result)).isInstanceOf(ConnectResult.Failed.class);
        within(listener.close());
        passive.awaitNothingHeld();

        assertThat(within(ending.of(asked))).isEqualTo(Cause.NONE);
        assertThat(within(asked.accept())).isEqualTo(Cause.RESET);
        assertThat(passiveEvents.all()).hasSize(1);
        assertThat(activeEvents.all()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Ending.class,
            names = {"DISCONNECT", "ABORT"})
    @Tag("FC-52")
    void endsAConnectionTwiceAndAfterClosed(Ending ending) {
        Connection connection = establish();

        CompletionStage<Cause> first = ending.of(connection);
        CompletionStage<Cause> second = Ending.DISCONNECT.of(connection);
        assertThat(within(first)).isEqualTo(Cause.NONE);
        assertThat(within(second)).isEqualTo(Cause.NONE);
        assertThat(activeEvents.take().event()).isInstanceOf(CmEvent.Disconnected.class);
        assertThat(activeEvents.take().event()).isInstanceOf(CmEvent.Closed.class);

        assertThat(within(ending.of(connection))).isEqualTo(Cause.NONE);
        assertThat(within(ending.of(connection))).isEqualTo(Cause.NONE);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("FC-52")
    void succeedsInDisconnectingWhileThePeerResets(int round) {
        Connection connection = establish();
        Runnable reset = () -> within(established.get().abort());

        Thread other = Thread.ofVirtual().start(reset);
        Cause first = within(connection.disconnect());
        Cause second = within(connection.disconnect());

        assertThat(List.of(first, second)).containsOnly(Cause.NONE);
        assertThat(activeEvents.take().event()).isInstanceOf(CmEvent.Disconnected.class);
        assertThat(activeEvents.take().event()).isInstanceOf(CmEvent.Closed.class);
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        assertThat(join(other)).isTrue();
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(3);
    }

    // Calls that do not fit

    @Test
    void refusesWhatDoesNotFitAndGoesOn() {
        Connection connection = establish();

        assertThat(within(connection.accept())).isEqualTo(Cause.INVALID);
        assertThat(within(connection.reject())).isEqualTo(Cause.INVALID);
        assertThat(within(established.get().accept())).isEqualTo(Cause.NONE); // Repeated: as the first.

        assertThat(activeEvents.all()).hasSize(1);
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        assertThat(activeEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
    }

    @Test
    @Tag("FC-62")
    void letsARequestWaitWhenTheAnswersPrivateDataIsTooLong() {
        listen(ListenOptions.on(PEER), passiveEvents);
        CompletionStage<ConnectResult> result = connect();
        Connection asked = passiveEvents.take().connection();
        Octets tooLong = Octets.wrap(new byte[509]);

        assertThat(within(asked.accept(AcceptOptions.DEFAULT.privateData(tooLong))))
                .isEqualTo(Cause.INVALID);
        assertThat(within(asked.reject(tooLong))).isEqualTo(Cause.INVALID);
        assertThat(within(asked.accept(AcceptOptions.DEFAULT.privateData(Octets.wrap(new byte[508])))))
                .isEqualTo(Cause.NONE);

        ConnectResult.Connected connected = (ConnectResult.Connected) within(result);
        assertThat(connected.reply().privateData().length()).isEqualTo(508);
        assertThat(passive.cm().counters().value(CmCounter.ACCEPTS)).isEqualTo(1);
        assertThat(passive.cm().counters().value(CmCounter.REJECTS)).isZero();
    }

    @Test
    @Tag("FC-62")
    void bringsAsMuchPrivateDataAsEachRevisionAllows() {
        listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT.privateData(bytes(508))), passiveEvents);

        ConnectResult.Connected second = (ConnectResult.Connected)
                within(active.cm().connect(ConnectOptions.to(PEER).privateData(bytes(508)), activeEvents));
        ConnectResult.Connected first = (ConnectResult.Connected)
                within(active.cm().connect(ConnectOptions.to(PEER).revision1().privateData(bytes(512)), activeEvents));

        assertThat(second.reply().privateData()).isEqualTo(bytes(508));
        assertThat(first.reply().privateData()).isEqualTo(bytes(508));
    }

    // Giving up

    @Test
    @Tag("FC-73")
    void givesUpASilentPeerAtOnceAndSendsItNothingMore() {
        wire.by(frame -> isIpv4(frame) ? Optional.empty() : Optional.of(frame));
        ConnectAttempt attempt = active.cm().begin(ConnectOptions.to(PEER), activeEvents);
        await("the SYN is out", () -> wire.sent().stream().anyMatch(ContractTest::isIpv4));

        assertThat(within(attempt.abandon())).isEqualTo(Cause.NONE);

        assertThat(within(attempt.result()))
                .isInstanceOfSatisfying(
                        ConnectResult.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Cause.LOCAL_ABORT));
        active.awaitNothingHeld();
        assertThat(wire.sent().stream().filter(ContractTest::isIpv4))
                .hasSize(1); // No reset for a SYN (RFC 9293 §3.10.5).
        assertThat(within(attempt.abandon())).isEqualTo(Cause.NONE);
        assertThat(activeEvents.all()).hasSize(1);
    }

    @Test
    void givesUpWhatHasNotBegunOrHasFailed() {
        ConnectAttempt attempt = active.cm().begin(ConnectOptions.to(Flows.end("192.168.7.7:1")), activeEvents);

        assertThat(within(attempt.abandon())).isEqualTo(Cause.NONE);

        assertThat(within(attempt.result())).isInstanceOf(ConnectResult.Failed.class);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).isEmpty();
    }

    // Nothing after the end

    @Test
    void tellsNothingMoreOfWhatItsListenerLeft() {
        ListenHandle listener = listen(ListenOptions.on(PEER), passiveEvents);
        CompletionStage<ConnectResult> result = connect();
        Connection asked = passiveEvents.take().connection();

        within(listener.close());

        assertThat(within(result)).isInstanceOf(ConnectResult.Failed.class);
        assertThat(within(asked.accept())).isEqualTo(Cause.INVALID);
        assertThat(within(asked.reject())).isEqualTo(Cause.NONE);
        passive.awaitNothingHeld();
        assertThat(passiveEvents.all()).hasSize(1);
    }

    @Test
    void answersEveryCallAfterItHasStopped() {
        ListenHandle listener = listen(ListenOptions.on(PEER), passiveEvents);
        connect();
        Connection asked = passiveEvents.take().connection();
        within(passive.cm().stop());

        assertThat(within(asked.reject())).isEqualTo(Cause.NONE);
        assertThat(within(asked.disconnect())).isEqualTo(Cause.NONE);
        assertThat(within(asked.accept())).isEqualTo(Cause.SHUTDOWN);
        within(listener.close());
        assertThat(passiveEvents.all()).hasSize(1);
        assertThatExceptionOfType(CmException.class)
                .isThrownBy(() -> within(passive.cm().snapshot()))
                .withMessage("the connection manager has stopped")
                .returns(Cause.SHUTDOWN, CmException::why);
    }

    @Test
    void runsHandlersAndStagesWhereTheyMayBlock() {
        AtomicReference<Thread> handlers = new AtomicReference<>();
        CountDownLatch blocked = new CountDownLatch(1);
        listen(ListenOptions.on(PEER), (connection, event) -> {
            handlers.set(Thread.currentThread());
            if (event instanceof CmEvent.ConnectRequest) {
                connection.accept();
                awaitOrFail(blocked); // Holds up its own connection's next event and nothing else.
            }
            passiveEvents.onEvent(connection, event);
        });

        within(connect());
        ConnectResult second = within(connect());
        blocked.countDown();

        assertThat(second).isInstanceOf(ConnectResult.Connected.class);
        assertThat(handlers.get().isVirtual()).isTrue();
        assertThat(handlers.get().getName()).isEqualTo("iwcm-application");
        Thread completes = within(
                ((ConnectResult.Connected) second).connection().disconnect().thenApply(_ -> {
                    awaitOrFail(blocked);
                    return Thread.currentThread();
                }));
        assertThat(completes == Thread.currentThread() || completes.isVirtual()).isTrue();
    }

    private final AtomicReference<Connection> established = new AtomicReference<>();

    private Connection establish() {
        listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents);
        Connection connection = within(connect()).orElseThrow();
        activeEvents.take(CmEvent.ConnectReply.class);
        Events.Heard heard = passiveEvents.take();
        assertThat(heard.event()).isInstanceOf(CmEvent.Established.class);
        established.set(heard.connection());
        return connection;
    }

    private ListenHandle listen(ListenOptions options, ConnectionHandler handler) {
        return within(passive.cm().listen(options, handler));
    }

    private CompletionStage<ConnectResult> connect() {
        // Without fall-back: to a reset request of revision 2 one of revision 1 would follow.
        return active.cm().connect(ConnectOptions.to(PEER).fallBack(false), activeEvents);
    }

    private static Octets bytes(int count) {
        return Octets.wrap(new byte[count]);
    }

    private static boolean isIpv4(byte[] frame) {
        return frame[12] == 8 && frame[13] == 0;
    }

    private static boolean join(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
