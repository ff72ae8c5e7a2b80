package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.IlqDispatcher;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The dispatcher of a connection fails after a step of it: the peer and both applications see one outcome, the one they would
 * have seen anyway, and everything is given back.
 */
class BucketFailureTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final Lab lab = new Lab();
    private final Events activeEvents = new Events();
    private final Events passiveEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    /** Poisons the dispatcher of the connection whose step it is, once. */
    private static final class Poisoner implements CmObserver {
        private final int afterStep;
        private final AtomicInteger steps = new AtomicInteger();

        Poisoner(int afterStep) {
            this.afterStep = afterStep;
        }

        @Override
        public void frameReceived(byte[] frame, long nowNs) {}

        @Override
        public void frameSent(byte[] frame, long nowNs) {}

        @Override
        public void began(CmConnection connection, Step first, long nowNs) {
            step(connection);
        }

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
            step(connection);
        }

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {}

        private void step(CmConnection connection) {
            if (steps.incrementAndGet() == afterStep) poison(connection);
        }

        /** A call of nobody's is a bug that a bucket does not survive. */
        @SuppressWarnings({"NullAway", "DataFlowIssue"})
        private static void poison(CmConnection connection) {
            connection.home().tell(new IlqDispatcher.Called(null, new CmConnection.Abort(), null));
        }
    }

    @ParameterizedTest(name = "{1} bucket(s), active {2}, after step {0}")
    @CsvSource({
        "1, 1, true", "2, 1, true", "3, 1, true", "4, 1, true", "5, 1, true", "6, 1, true", "7, 1, true",
        "1, 1, false", "2, 1, false", "3, 1, false", "4, 1, false", "5, 1, false", "6, 1, false", "7, 1, false",
        "1, 4, true", "2, 4, true", "3, 4, true", "4, 4, true", "5, 4, true", "6, 4, true", "7, 4, true",
        "1, 4, false", "2, 4, false", "3, 4, false", "4, 4, false", "5, 4, false", "6, 4, false", "7, 4, false"
    })
    void nobodyNoticesWhileAConnectionComesAndGoes(int step, int buckets, boolean active) {
        Station one = lab.station(buckets, active ? new Poisoner(step) : CmObserver.NONE, "10.0.0.2/24");
        Station two = lab.station(buckets, active ? CmObserver.NONE : new Poisoner(step), "10.0.0.1/24");
        ListenHandle listener = within(two.cm().listen(ListenOptions.on(PEER), passiveEvents));

        CompletionStage<ConnectResult> connecting = one.cm().connect(ConnectOptions.to(PEER), activeEvents);
        assertThat(within(passiveEvents.take().connection().accept())).isEqualTo(Cause.NONE);
        Connection connection = ((ConnectResult.Connected) within(connecting)).connection();
        passiveEvents.take(CmEvent.Established.class);
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);

        await("both have heard the end", () -> ended(activeEvents) && ended(passiveEvents));
        within(listener.close());
        one.awaitNothingHeld();
        two.awaitNothingHeld();
        assertThat(kinds(activeEvents)).containsExactly("ConnectReply", "Disconnected", "Closed");
        assertThat(kinds(passiveEvents)).containsExactly("ConnectRequest", "Established", "Disconnected", "Closed");
        assertThat((active ? one : two).cm().counters().value(CmCounter.ADOPTED))
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "{1} bucket(s), active {2}, after step {0}")
    @CsvSource({
        "4, 1, true",
        "5, 1, true",
        "6, 1, true",
        "4, 1, false",
        "5, 1, false",
        "6, 1, false",
        "4, 4, true",
        "5, 4, true",
        "4, 4, false",
        "5, 4, false",
        "6, 4, false"
    })
    void nobodyNoticesWhileAConnectionIsRejected(int step, int buckets, boolean active) {
        Station one = lab.station(buckets, active ? new Poisoner(step) : CmObserver.NONE, "10.0.0.2/24");
        Station two = lab.station(buckets, active ? CmObserver.NONE : new Poisoner(step), "10.0.0.1/24");
        ListenHandle listener = within(two.cm().listen(ListenOptions.on(PEER), passiveEvents));

        CompletionStage<ConnectResult> connecting = one.cm().connect(ConnectOptions.to(PEER), activeEvents);
        assertThat(within(passiveEvents.take().connection().reject(Octets.wrap("no".getBytes()))))
                .isEqualTo(Cause.NONE);

        ConnectResult.Failed failed = (ConnectResult.Failed) within(connecting);
        assertThat(failed.cause()).isEqualTo(Cause.REJECTED_ULP);
        assertThat(failed.reply().orElseThrow().privateData()).isEqualTo(Octets.wrap("no".getBytes()));
        within(listener.close());
        one.awaitNothingHeld();
        two.awaitNothingHeld();
        assertThat(kinds(activeEvents)).containsExactly("ConnectReply");
        assertThat(kinds(passiveEvents)).containsExactly("ConnectRequest");
    }

    private static boolean ended(Events events) {
        return kinds(events).contains("Closed");
    }

    private static List<String> kinds(Events events) {
        return events.all().stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
