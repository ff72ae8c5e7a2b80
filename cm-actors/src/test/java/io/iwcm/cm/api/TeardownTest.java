package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Ipv4Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How connections end that stood. */
class TeardownTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final Lab lab = new Lab();
    private final Station active = lab.station("10.0.0.2/24");
    private final Station passive = lab.station("10.0.0.1/24", "10.0.0.3/24");
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @Test
    void tellsThePeerOfAnAbortAsAReset() {
        Connection connection = establish();

        assertThat(within(connection.abort())).isEqualTo(Cause.NONE);

        assertThat(activeEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.LOCAL_ABORT);
        assertThat(activeEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.LOCAL_ABORT);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.RESET);
        assertThat(passiveEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.RESET);
        active.awaitNothingHeld();
    }

    @Test
    void succeedsInEndingWhatHasEnded() {
        Connection connection = establish();
        within(connection.disconnect());
        activeEvents.take(CmEvent.Disconnected.class);
        activeEvents.take(CmEvent.Closed.class);

        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        assertThat(within(connection.abort())).isEqualTo(Cause.NONE);
        assertThat(within(connection.accept())).isEqualTo(Cause.RESET);
        active.awaitNothingHeld();
    }

    @Test
    void closesOpenConnectionsWhenItStops() {
        Connection connection = establish();

        within(active.cm().stop());

        assertThat(activeEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(activeEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        assertThat(within(connection.accept())).isEqualTo(Cause.SHUTDOWN);
        ConnectResult late = within(active.cm().connect(ConnectOptions.to(PEER)));
        assertThat(((ConnectResult.Failed) late).cause()).isEqualTo(Cause.SHUTDOWN);
    }

    @Test
    void endsTheConnectionsOfAnAddressThatGoesDown() {
        establish();

        within(passive.cm().addressDown(Ipv4Address.parse("10.0.0.3"), 0));
        within(passive.cm().addressDown(Ipv4Address.parse("10.0.0.1"), 0));

        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.LOCAL_DOWN);
        assertThat(passiveEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.LOCAL_DOWN);
    }

    @Test
    void servesAWildcardListenerOnAnAddressThatComesUp() {
        within(passive.cm()
                .listen(ListenOptions.on(Flows.end("0.0.0.0:5000")).accepting(AcceptOptions.DEFAULT), passiveEvents));

        within(passive.cm().addressUp(Flows.address("10.0.0.5/24", 0)));
        await(
                "the child is there",
                () -> within(passive.cm().snapshot())
                                .listeners()
                                .getFirst()
                                .children()
                                .size()
                        == 3);
        ConnectResult result = within(active.cm().connect(ConnectOptions.to(Flows.end("10.0.0.5:5000"))));

        assertThat(result).isInstanceOf(ConnectResult.Connected.class);
    }

    @Test
    void connectsToItself() {
        within(active.cm()
                .listen(ListenOptions.on(Flows.end("10.0.0.2:4420")).accepting(AcceptOptions.DEFAULT), passiveEvents));

        ConnectResult.Connected connected = (ConnectResult.Connected)
                within(active.cm().connect(ConnectOptions.to(Flows.end("10.0.0.2:4420")), activeEvents));
        passiveEvents.take(CmEvent.Established.class);
        within(connected.connection().disconnect());

        activeEvents.take(CmEvent.ConnectReply.class);
        activeEvents.take(CmEvent.Disconnected.class);
        activeEvents.take(CmEvent.Closed.class);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        passiveEvents.take(CmEvent.Closed.class);
    }

    @Test
    void showsItselfAsATable() {
        establish();

        CmSnapshot snapshot = within(passive.cm().snapshot());

        assertThat(snapshot.nodes()).extracting(CmSnapshot.Node::state).containsExactly(StateName.OFFLOADED);
        assertThat(snapshot.toString())
                .contains("LISTENING", "10.0.0.1:4420", "OFFLOADED", "nodes_created", "connection nodes made");
    }

    private Connection establish() {
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));
        ConnectResult.Connected connected =
                (ConnectResult.Connected) within(active.cm().connect(ConnectOptions.to(PEER), activeEvents));
        activeEvents.take(CmEvent.ConnectReply.class);
        passiveEvents.take(CmEvent.Established.class);
        return connected.connection();
    }
}
