package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.Role;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two connection managers on one wire, from listen to close. */
class EstablishTest {

    private final Lab lab = new Lab();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({
        "10.0.0.2/24, 10.0.0.1/24, 10.0.0.1:4420",
        "fd00::2/64, fd00::1/64, [fd00::1]:4420",
        "fe80::2/64, fe80::1/64, [fe80::1]:4420",
        "10.0.1.2/24@100, 10.0.1.1/24@100, 10.0.1.1:4420",
        "fd01::2/64@7, fd01::1/64@7, [fd01::1]:4420"
    })
    void establishesAndClosesInOrder(String from, String to, String endpoint) {
        Station active = lab.station(from);
        Station passive = lab.station(to);
        Events passiveEvents = new Events();
        Events activeEvents = new Events();
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(Flows.end(endpoint)), passiveEvents));

        CompletionStage<ConnectResult> connecting = active.cm()
                .connect(
                        ConnectOptions.to(Flows.end(endpoint))
                                .depths(new ReadDepths(4, 3))
                                .privateData(Octets.wrap("ABCD".getBytes())),
                        activeEvents);
        Events.Heard request = passiveEvents.take();
        assertThat(request.event())
                .isEqualTo(new CmEvent.ConnectRequest(
                        2, new PeerDepths(true, 4, 3), new ReadDepths(32, 4), Octets.wrap("ABCD".getBytes())));
        assertThat(request.connection().role()).isEqualTo(Role.PASSIVE);
        assertThat(within(request.connection()
                        .accept(AcceptOptions.DEFAULT
                                .depths(new ReadDepths(16, 8))
                                .privateData(Octets.wrap("yes".getBytes())))))
                .isEqualTo(Cause.NONE);

        CmEvent.ConnectReply reply = activeEvents.take(CmEvent.ConnectReply.class);
        assertThat(reply.outcome()).isEqualTo(Cause.NONE);
        assertThat(reply.privateData()).isEqualTo(Octets.wrap("yes".getBytes()));
        assertThat(reply.peer()).isEqualTo(new PeerDepths(true, 16, 4));
        assertThat(reply.depths()).isEqualTo(new ReadDepths(4, 3));
        passiveEvents.take(CmEvent.Established.class);
        Connection connection = ((ConnectResult.Connected) within(connecting)).connection();
        assertThat(connection.flow()).isEqualTo(request.connection().flow().reversed());
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);

        assertThat(activeEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(activeEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        within(listener.close());
        active.awaitNothingHeld();
        passive.awaitNothingHeld();
        assertThat(passive.cm().counters().value(CmCounter.ACCEPTS)).isEqualTo(1);
    }

    @Test
    void establishesManyAtOnceInBothDirections() {
        Station one = lab.station("10.0.0.1/24", "fd00::1/64");
        Station two = lab.station("10.0.0.2/24", "fd00::2/64");
        Events events = new Events();
        ListenHandle first = within(
                one.cm().listen(ListenOptions.on(Flows.end("[::]:4420")).accepting(AcceptOptions.DEFAULT), events));
        ListenHandle second = within(
                two.cm().listen(ListenOptions.on(Flows.end("0.0.0.0:4421")).accepting(AcceptOptions.DEFAULT), events));

        List<CompletionStage<ConnectResult>> connecting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            connecting.add(two.cm().connect(ConnectOptions.to(Flows.end("10.0.0.1:4420"))));
            connecting.add(two.cm().connect(ConnectOptions.to(Flows.end("[fd00::1]:4420"))));
            connecting.add(one.cm().connect(ConnectOptions.to(Flows.end("10.0.0.2:4421"))));
        }
        List<Connection> connections = connecting.stream()
                .map(stage -> ((ConnectResult.Connected) within(stage)).connection())
                .toList();

        connections.forEach(
                connection -> assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE));
        within(first.close());
        within(second.close());
        one.awaitNothingHeld();
        two.awaitNothingHeld();
        assertThat(events.all())
                .filteredOn(CmEvent.Established.class::isInstance)
                .hasSize(150);
        assertThat(events.all()).filteredOn(CmEvent.Closed.class::isInstance).hasSize(150);
    }
}
