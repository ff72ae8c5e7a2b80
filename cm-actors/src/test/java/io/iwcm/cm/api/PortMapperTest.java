package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.iwcm.cm.actor.PortMapper;
import io.iwcm.cm.actor.PortMapper.Answer;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A service that gives endpoints other ports on the wire; or does not answer, or refuses, or dies in between. */
@Tag("FC-94")
class PortMapperTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");
    private static final int SHIFT = 1000;

    private final Lab lab = new Lab();
    private final Shifting passives = new Shifting();
    private final Shifting actives = new Shifting();
    private final Station passive = lab.mapping(passives).station("10.0.0.1/24");
    private final Station active = lab.mapping(actives).station("10.0.0.2/24");
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    /** On the wire every endpoint has a port that is greater by a thousand. */
    private static final class Shifting implements PortMapper {
        private final List<Endpoint> mapped = new CopyOnWriteArrayList<>();
        private volatile boolean refuses;
        private volatile boolean dies;
        private volatile boolean dead;

        @Override
        public CompletionStage<Answer> add(Endpoint local) {
            if (dead) return CompletableFuture.failedStage(new IllegalStateException("nobody there"));
            if (refuses) return CompletableFuture.completedStage(new Answer.Refused());
            dead = dies;
            mapped.add(local);
            return CompletableFuture.completedStage(new Answer.Mapped(shifted(local, SHIFT)));
        }

        @Override
        public CompletionStage<Answer> query(Endpoint remote) {
            if (dead) throw new IllegalStateException("nobody there");
            if (refuses) return CompletableFuture.completedStage(new Answer.Refused());
            return CompletableFuture.completedStage(new Answer.Mapped(shifted(remote, SHIFT)));
        }

        @Override
        public void remove(Endpoint local) {
            mapped.remove(local);
        }

        @Override
        public Endpoint unmapped(Endpoint wire) {
            return wire.port() == 6000 ? shifted(wire, -SHIFT) : wire;
        }

        private static Endpoint shifted(Endpoint endpoint, int by) {
            return new Endpoint(endpoint.address(), endpoint.port() + by);
        }
    }

    @Test
    void putsMappedPortsOnTheWireAndShowsTheApplicationsOwn() {
        ListenHandle listener =
                within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));

        Connection connection = within(
                        active.cm().connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.2:5000")), activeEvents))
                .orElseThrow();

        assertThat(connection.flow()).isEqualTo(Flows.flow("10.0.0.2:5000", "10.0.0.1:4420"));
        assertThat(activeEvents.take().connection().flow()).isEqualTo(connection.flow());
        Events.Heard established = passiveEvents.take();
        assertThat(established.connection().flow()).isEqualTo(connection.flow().reversed());
        assertThat(within(active.cm().snapshot()).nodes().getFirst().flow())
                .isEqualTo(Flows.flow("10.0.0.2:6000", "10.0.0.1:5420"));
        assertThat(actives.mapped).containsExactly(Flows.end("10.0.0.2:5000"));
        assertThat(passives.mapped).containsExactly(PEER);

        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        activeEvents.take(CmEvent.Disconnected.class);
        activeEvents.take(CmEvent.Closed.class);
        passiveEvents.take(CmEvent.Disconnected.class);
        passiveEvents.take(CmEvent.Closed.class);
        within(listener.close());
        active.awaitNothingHeld();
        Lab.await("the mappings are given back", () -> actives.mapped.isEmpty() && passives.mapped.isEmpty());
    }

    @Test
    void putsThemOnTheWireAsTheyAreWhenNobodyIsThere() {
        passives.dead = true;
        actives.dead = true;
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));

        Connection connection =
                within(active.cm().connect(ConnectOptions.to(PEER))).orElseThrow();

        assertThat(connection.remote()).isEqualTo(PEER);
        assertThat(within(active.cm().snapshot()).nodes().getFirst().flow().remote())
                .isEqualTo(PEER);
        assertThat(passive.cm().counters().value(CmCounter.PORT_MAPPER_ABSENCES))
                .isEqualTo(1);
        assertThat(active.cm().counters().value(CmCounter.PORT_MAPPER_ABSENCES)).isEqualTo(1);
    }

    @Test
    void goesOnWhenItDiesBetweenTheTwoQuestions() {
        passives.dead = true;
        actives.dies = true;
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));

        Connection connection = within(
                        active.cm().connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.2:5000"))))
                .orElseThrow();

        assertThat(connection.flow()).isEqualTo(Flows.flow("10.0.0.2:5000", "10.0.0.1:4420"));
        assertThat(within(active.cm().snapshot()).nodes().getFirst().flow())
                .isEqualTo(Flows.flow("10.0.0.2:6000", "10.0.0.1:4420"));
        within(connection.abort());
        Lab.await("the mapping is given back", actives.mapped::isEmpty);
    }

    @Test
    void takesARefusalForAnEndpointInUse() {
        passives.refuses = true;
        actives.refuses = true;

        assertThatExceptionOfType(CmException.class)
                .isThrownBy(() -> within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents)))
                .returns(Cause.ADDRESS_IN_USE, CmException::why);
        assertThat(within(active.cm().connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.2:5000")))))
                .isInstanceOfSatisfying(
                        ConnectResult.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Cause.ADDRESS_IN_USE));
        assertThat(active.cm().counters().value(CmCounter.PORT_MAPPER_REFUSALS)).isEqualTo(1);
        assertThat(passive.cm().counters().value(CmCounter.PORT_MAPPER_REFUSALS))
                .isEqualTo(1);
    }

    @Test
    void givesBackWhatItMappedForAConnectThatFails() {
        ConnectResult refused =
                within(active.cm().connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.2:5000")), activeEvents));
        ConnectResult foreign =
                within(active.cm().connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.77:5000")), activeEvents));

        assertThat(((ConnectResult.Failed) refused).cause()).isEqualTo(Cause.REFUSED_TCP);
        assertThat(((ConnectResult.Failed) foreign).cause()).isEqualTo(Cause.ADDRESS_NOT_AVAILABLE);
        Lab.await("the mappings are given back", actives.mapped::isEmpty);
    }
}
