package io.iwcm.cm.cluster;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bridge without buckets, buckets on members without a NIC, and a peer that knows of none of this. */
class RemoteRoomsTest {

    private static final Endpoint SERVICE = Flows.end("10.0.0.1:4420");
    private static final Roles BRIDGE = new Roles(true, false);
    private static final Roles CM = new Roles(false, true);
    private static final int MANY = 24;

    private final Lab lab = new Lab();
    private final Lab elsewhere = new Lab();
    private final Members members = new Members();
    private final Queue<Connection> requests = new ConcurrentLinkedQueue<>();
    private final Map<String, List<String>> told = new ConcurrentHashMap<>();
    private final Queue<Cause> ends = new ConcurrentLinkedQueue<>();
    private final ConnectionManager bridge = members.join(lab.port(), BRIDGE, CmObserver.NONE, "10.0.0.1/24");
    private final ConnectionManager first = members.join(elsewhere.port(), CM, CmObserver.NONE);
    private final ConnectionManager second = members.join(elsewhere.port(), CM, CmObserver.NONE);
    private final Station peer = lab.station("10.0.0.2/24");

    @BeforeEach
    void awaitBoth() {
        awaitOwners(4);
    }

    @AfterEach
    void end() {
        lab.close();
        members.close();
        elsewhere.close();
    }

    @Test
    void carriesConnectionsOfABridgeThatHasNoBucketsItself() {
        ListenHandle listener = listen(bridge);

        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);
        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        List<Connection> connected = stand(connecting);

        assertThat(established(first)).isPositive();
        assertThat(established(second)).isPositive();
        assertThat(established(bridge)).isZero();
        connected.forEach(
                connection -> assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE));
        await("all have been told the end", () -> told.values().stream().allMatch(kinds -> kinds.contains("Closed")));
        assertThat(told.values())
                .allMatch(kinds -> kinds.equals(List.of("ConnectRequest", "Established", "Disconnected", "Closed")));
        within(listener.close());
        await("nothing is left", () -> flows() == 0);
    }

    @Test
    void goesOnWithTheConnectionsOfAMemberThatIsGone() {
        listen(bridge);
        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);

        members.kill(first);

        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        List<Connection> connected = stand(connecting);
        assertThat(second.counters().value(CmCounter.ADOPTED)).isPositive();
        connected.forEach(
                connection -> assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE));
        await("all have been told the end", () -> told.values().stream().allMatch(kinds -> kinds.contains("Closed")));
        assertThat(told.values())
                .allMatch(kinds -> kinds.equals(List.of("ConnectRequest", "Established", "Disconnected", "Closed")));
        await("nothing is left", () -> flows() == 0);
    }

    @Test
    void keepsWhatWasHandedOverWhileNobodyIsThere() {
        listen(bridge);
        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);
        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        List<Connection> connected = stand(connecting);
        await("all stand", () -> told.values().stream().allMatch(kinds -> kinds.contains("Established")));

        members.leave(first);
        members.leave(second);
        awaitOwners(0);
        assertThat(flows()).isEqualTo(MANY);
        ConnectionManager third = members.join(elsewhere.port(), CM, CmObserver.NONE);

        await("all are adopted", () -> third.counters().value(CmCounter.ADOPTED) == MANY);
        connected.forEach(
                connection -> assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE));
        await("all have been told the end", () -> told.values().stream().allMatch(kinds -> kinds.contains("Closed")));
    }

    @Test
    void listensForAnApplicationOnAMemberWithoutANicUntilThatIsGone() {
        listen(second);
        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);
        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        stand(connecting);

        members.kill(second);

        await("its connections have ended", () -> flows() == 0);
        await("nobody listens", () -> within(bridge.snapshot()).listeners().isEmpty());
        assertThat(within(bridge.listen(ListenOptions.on(SERVICE), (_, _) -> {}))
                        .local())
                .isEqualTo(SERVICE);
    }

    @Test
    void endsTheConnectionsOfABridgeThatDiedWithAResetOnce() {
        listen(second);
        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);
        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        stand(connecting);
        await("all stand", () -> told.values().stream().allMatch(kinds -> kinds.contains("Established")));

        members.kill(bridge);

        await("all have been told", () -> told.values().stream().allMatch(kinds -> kinds.contains("Closed")));
        assertThat(told.values())
                .hasSize(MANY)
                .allMatch(kinds -> kinds.equals(List.of("ConnectRequest", "Established", "Disconnected", "Closed")));
        assertThat(ends).hasSize(2 * MANY).containsOnly(Cause.RESET);
    }

    @Test
    void connectsFromTheBridgeThatHasTheAddressWhoeverAsks() {
        within(peer.cm().listen(ListenOptions.on(Flows.end("10.0.0.2:4420")), (connection, event) -> {
            if (event instanceof CmEvent.ConnectRequest) connection.accept();
        }));

        ConnectResult result = within(first.connect(ConnectOptions.to(Flows.end("10.0.0.2:4420"))));

        assertThat(result.orElseThrow().local().address()).isEqualTo(SERVICE.address());
    }

    private ListenHandle listen(ConnectionManager at) {
        return within(at.listen(ListenOptions.on(SERVICE), (connection, event) -> {
            told.computeIfAbsent(connection.toString(), _ -> new CopyOnWriteArrayList<>())
                    .add(event.getClass().getSimpleName());
            switch (event) {
                case CmEvent.ConnectRequest _ -> requests.add(connection);
                case CmEvent.Disconnected(Cause cause) -> ends.add(cause);
                case CmEvent.Closed(Cause cause) -> ends.add(cause);
                case CmEvent.ConnectReply _, CmEvent.Established _, CmEvent.AcceptFailed _ -> {}
            }
        }));
    }

    private List<CompletionStage<ConnectResult>> connectMany() {
        List<CompletionStage<ConnectResult>> connecting = new ArrayList<>();
        for (int i = 0; i < MANY; i++) connecting.add(peer.cm().connect(ConnectOptions.to(SERVICE)));
        return connecting;
    }

    private static List<Connection> stand(List<CompletionStage<ConnectResult>> connecting) {
        return connecting.stream().map(one -> within(one).orElseThrow()).toList();
    }

    private static long established(ConnectionManager member) {
        return member.counters().value(CmCounter.NODES_CREATED);
    }

    private void awaitOwners(int count) {
        await(
                count + " buckets are attached",
                () -> within(bridge.nic().inspect(rnic -> ((SoftRnic) rnic).owners()))
                                .size()
                        == count);
    }

    private int flows() {
        return within(bridge.nic().inspect(rnic -> ((SoftRnic) rnic).snapshot()))
                .held()
                .flows();
    }
}
