package io.iwcm.cm.trace;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.trace.HistoryText.Kind;
import io.iwcm.cm.trace.HistoryText.Line;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoriesTest {

    private static final Endpoint PEER = new Endpoint(Ipv4Address.parse("10.0.0.1"), 4420);
    private static final Endpoint NOBODY = new Endpoint(Ipv4Address.parse("10.0.0.1"), 4421);

    private final Lab lab = new Lab();
    private final Histories histories = new Histories(new Histories.Limits(2, 200, 2));
    private final Station active = lab.station(histories, "10.0.0.2/24");

    @AfterEach
    void end() {
        lab.close();
    }

    @Test
    void tellsAHandshakeFromTheFirstOrderToTheEvent() {
        Station passive = lab.station("10.0.0.1/24");
        within(passive.cm().listen(ListenOptions.on(PEER).rejecting(text("no")), ConnectionHandler.NONE));

        ConnectResult.Failed failed = (ConnectResult.Failed)
                within(active.cm().connect(ConnectOptions.to(PEER).privateData(text("hi"))));
        assertThat(failed.cause()).isEqualTo(Cause.REJECTED_ULP);

        Lab.await("the end", () -> histories.ended().size() == 1);
        ConnectionHistory history = histories.ended().getFirst();
        List<Line> lines = HistoryText.lines(history);
        assertThat(lines)
                .extracting(Line::kind, Line::text)
                .containsSubsequence(
                        tuple(Kind.ORDER, "create address handle"),
                        tuple(Kind.INPUT, "NIC: steering installed"),
                        tuple(Kind.SENT, "SYN seq 0 win 65535 mss 1460 ws 2"),
                        tuple(Kind.STATE, "INITED -> SYN_SENT"),
                        tuple(Kind.RECEIVED, "SYN-ACK seq 0 ack 1 win 65535 mss 1460 ws 2"),
                        tuple(Kind.STATE, "SYN_SENT -> MPAREQ_SENT"));
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.kind()).isEqualTo(Kind.EVENT);
            assertThat(line.text())
                    .startsWith("CONNECT_REPLY rejected by the peer")
                    .endsWith("private data \"no\"");
        });
        assertThat(lines).extracting(Line::seconds).isSorted();
        assertThat(history.facts().state()).isEqualTo(StateName.CLOSED);
        assertThat(history.facts().cause()).contains(Cause.REJECTED_ULP);
        assertThat(history.facts().privateData()).isEqualTo(text("no"));
        assertThat(history.facts().endedNs()).isPresent();
    }

    @Test
    void tellsWhatCameBeforeAConnectionAndWhatItsQueuePairSends() {
        Histories theirs = new Histories(new Histories.Limits(2, 200, 2));
        CompletableFuture<Connection> passive = accepting(theirs);

        ConnectResult.Connected connected = (ConnectResult.Connected)
                within(active.cm().connect(ConnectOptions.to(PEER).privateData(text("hi"))));

        assertThat(told(theirs, within(passive)))
                .containsSubsequence(
                        "SYN seq 0 win 65535 mss 1460 ws 2",
                        "SYN-ACK seq 0 ack 1 win 65535 mss 1460 ws 2",
                        "ACK seq 1 ack 1 win 65535 len 26 | MPA request rev 2 crc ird 32 ord 32 peer-to-peer rtr"
                                + " write,read private data \"hi\"",
                        "queue pair: seq 1 len 24 | MPA reply rev 2 crc ird 32 ord 32 peer-to-peer rtr read");
        assertThat(told(histories, connected.connection()))
                .containsSubsequence(
                        "ACK seq 1 ack 27 win 65535 len 24 | MPA reply rev 2 crc ird 32 ord 32 peer-to-peer rtr read",
                        "queue pair: seq 27 | FPDU ready to receive: read");
    }

    @Test
    void tellsWhatBroughtACookieBack() {
        lab.cookies(
                new RnicConfig.Cookies(RnicConfig.CookieMode.ALWAYS, RnicConfig.Cookies.DEFAULT.lifetimeNs(), 20_000));
        Histories theirs = new Histories(new Histories.Limits(2, 200, 2));
        CompletableFuture<Connection> passive = accepting(theirs);

        within(active.cm().connect(ConnectOptions.to(PEER)));

        List<String> lines = told(theirs, within(passive));
        assertThat(lines.getFirst()).startsWith("ACK seq 1 ack 1 win ");
        assertThat(lines).anyMatch(line -> line.startsWith("queue pair: seq 1 len 24 | MPA reply rev 2"));
    }

    /** Listens; what it accepts is told when it stands. */
    private CompletableFuture<Connection> accepting(Histories theirs) {
        CompletableFuture<Connection> stands = new CompletableFuture<>();
        Station passive = lab.station(theirs, "10.0.0.1/24");
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), (connection, event) -> {
            if (event instanceof CmEvent.Established) stands.complete(connection);
        }));
        return stands;
    }

    private static List<String> told(Histories histories, Connection connection) {
        return HistoryText.lines(histories.of(connection.id()).orElseThrow()).stream()
                .map(Line::text)
                .toList();
    }

    @Test
    void keepsTheLatestThatEndedAndForgetsTheOldest() {
        lab.station("10.0.0.1/24");
        for (int i = 0; i < 3; i++) within(active.cm().connect(ConnectOptions.to(NOBODY)));
        active.awaitNothingHeld();

        assertThat(histories.ended())
                .hasSize(2)
                .allSatisfy(history -> assertThat(history.facts().cause()).contains(Cause.REFUSED_TCP));
    }

    @Test
    void watchesNoMoreThanItMayAndSaysHowManyItMissed() {
        Station passive = lab.station("10.0.0.1/24");
        within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), ConnectionHandler.NONE));

        List<Connection> connections = java.util.stream.IntStream.range(0, 3)
                .mapToObj(_ ->
                        ((ConnectResult.Connected) within(active.cm().connect(ConnectOptions.to(PEER)))).connection())
                .toList();

        assertThat(histories.unwatched()).isEqualTo(1);
        assertThat(connections.stream()
                        .filter(connection -> histories.of(connection.id()).isPresent()))
                .hasSize(2);
    }

    private static Octets text(String words) {
        return Octets.wrap(words.getBytes(StandardCharsets.US_ASCII));
    }
}
