package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.SiwCase.Model;
import io.iwcm.cm.mpa.MpaPolicy;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.link.FaultyLink;
import io.iwcm.nic.link.QemuStreamLink;
import io.iwcm.nic.link.QemuStreamOptions;
import io.iwcm.nic.link.SocketPlace;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RequiresSiw;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections between us and Linux's own soft-iWARP, opened by either, over a guest's Ethernet. With {@code
 * -Diwcm.siw.full=FILE} every cell of the matrix is run and the table is written to that file.
 */
@RequiresSiw
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SiwInteropTest {

    private static final int PORT = 4420;

    /** As far as a switch away: siw loses an FPDU that comes while it is still busy sending its MPA reply. */
    private static final long LATENCY_NS = 5_000_000;

    private static final ReadDepths DEPTHS = new ReadDepths(6, 5);
    private final SiwReport report = SiwReport.asAsked();
    private SiwGuest guest;
    private Lab lab;
    private Lab.Station station;
    private FaultyLink link;
    private boolean crc;
    private int guestPort = 7000;

    @BeforeAll
    void boot() {
        guest = SiwGuest.boot();
        attach(false);
    }

    @AfterAll
    void end() {
        if (guest == null) return;
        try (SiwGuest _ = guest) {
            if (lab != null) lab.close();
            report.write(guest.run("uname -r"));
        }
    }

    static List<SiwCase> cases() {
        return SiwReport.asAsked().isFull() ? SiwCase.all() : SiwCase.smoke();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void connect(SiwCase what) {
        if (crc != what.crc()) attach(what.crc());
        guest.set(what.model() == Model.PEER_TO_PEER, what.crc(), what.model().revision());
        report.run(what, () -> {
            if (what.guestConnects()) guestConnects(what);
            else guestListens(what);
            station.awaitNothingHeld();
        });
    }

    @ParameterizedTest(name = "the guest connects: {0}")
    @ValueSource(booleans = {true, false})
    void connectsOverAWireThatLosesRepeatsAndReorders(boolean guestConnects) {
        SiwCase what = new SiwCase(guestConnects, false, false, true, Model.PEER_TO_PEER, true, true);
        if (!crc) attach(true);
        guest.set(true, true, 2);
        link.spoil(FaultRates.NONE.withLoss(0.05).withDuplication(0.05).withReordering(0.05, 10_000_000));
        try {
            if (guestConnects) guestConnects(what);
            else guestListens(what);
        } finally {
            link.spoil(FaultRates.NONE);
        }
        station.awaitNothingHeld();
    }

    private void guestConnects(SiwCase what) {
        Events events = new Events();
        ListenHandle listener = within(station.cm().listen(ListenOptions.on(Flows.end("[::]:" + PORT)), events));
        try {
            guestIsAnswered(what, events);
        } finally {
            within(listener.close());
        }
    }

    private void guestIsAnswered(SiwCase what, Events events) {
        CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> guest.run("timeout 40 peer connect "
                + what.ourAddress() + " " + PORT + " 4 3 '" + what.requestData().toHex() + "' 100"));

        Events.Heard heard = events.take();
        assertThat(heard.event()).isInstanceOf(CmEvent.ConnectRequest.class);
        CmEvent.ConnectRequest request = (CmEvent.ConnectRequest) heard.event();
        assertThat(request.revision()).isEqualTo(what.model().revision());
        assertThat(request.privateData()).isEqualTo(what.requestData());
        assertThat(request.peer().present()).isEqualTo(what.model().revision() == 2);
        answer(heard.connection(), what);
        if (what.accept()) {
            assertThat(events.take(CmEvent.Established.class).depths()).isEqualTo(depthsWith(what, request));
            assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
            assertThat(events.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        }
        String event = what.accept() ? "ESTABLISHED 0 " : "REJECTED ";
        String lines = said.join();
        assertThat(lines).contains("\n" + event);
        // A FIN in the segment of a rejecting reply overtakes it inside siw, which then knows of no private data.
        if (what.accept())
            assertThat(lines).contains("data=" + what.answerData().toHex());
        assertThat(lines.contains("\nDISCONNECTED 0")).isEqualTo(what.accept());
    }

    private void answer(Connection connection, SiwCase what) {
        CompletionStage<Cause> answered = what.accept()
                ? connection.accept(AcceptOptions.DEFAULT.depths(DEPTHS).privateData(what.answerData()))
                : connection.reject(what.answerData());
        assertThat(within(answered)).isEqualTo(Cause.NONE);
    }

    private static ReadDepths depthsWith(SiwCase what, CmEvent.ConnectRequest request) {
        return what.model().revision() == 1
                ? DEPTHS
                : new ReadDepths(
                        DEPTHS.ird(), Math.min(DEPTHS.ord(), request.peer().ird()));
    }

    private void guestListens(SiwCase what) {
        int port = ++guestPort;
        String log = "/tmp/" + port;
        guest.run("peer listen " + what.guestAddress() + " " + port + " 4 3 '"
                + what.answerData().toHex() + "' > " + log + " 2>&1 & until grep -q LISTENING " + log
                + "; do sleep 0.05; done");
        Events events = new Events();
        ConnectOptions options = ConnectOptions.to(what.at(port))
                .vlan(what.vlanId())
                .depths(DEPTHS)
                .privateData(what.requestData());
        CompletionStage<ConnectResult> connecting = station.cm()
                .connect(
                        switch (what.model()) {
                            case REVISION_1 -> options.revision1();
                            case CLIENT_SERVER -> options.clientServer();
                            case PEER_TO_PEER -> options;
                        },
                        events);
        ConnectResult result = within(connecting);
        CmEvent.ConnectReply reply = events.take(CmEvent.ConnectReply.class);
        assertThat(reply.outcome()).isEqualTo(what.accept() ? Cause.NONE : Cause.REJECTED_ULP);
        assertThat(reply.privateData()).isEqualTo(what.answerData());
        if (what.accept()) {
            Connection connection = ((ConnectResult.Connected) result).connection();
            awaitGuest("ESTABLISHED 0", log);
            assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
            awaitGuest("DISCONNECTED 0", log);
            assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
            assertThat(events.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        }
        assertThat(guest.run("killall peer; cat " + log))
                .contains("CONNECT_REQUEST 0")
                .contains("data=" + what.requestData().toHex());
    }

    private void awaitGuest(String line, String log) {
        String said = guest.run("i=0; until grep -q '" + line + "' " + log
                + "; do sleep 0.05; i=$((i+1)); [ $i -lt 300 ] || break; done; cat " + log);
        assertThat(said).contains(line);
    }

    /** A connection manager of ours at the guest's wire. */
    private void attach(boolean withCrc) {
        if (lab != null) lab.close();
        crc = withCrc;
        lab = new Lab(WireOptions.PLAIN, params -> {
            MpaPolicy mpa = params.mpa();
            return new CmParams(
                    params.tcp(),
                    params.deadlines(),
                    new MpaPolicy(
                            mpa.depthsMax(),
                            withCrc ? CrcPolicy.REQUIRED : CrcPolicy.PREFERRED_OFF,
                            mpa.receiveMarkers(),
                            mpa.rtr(),
                            mpa.answerAllRtr(),
                            mpa.strictReply(),
                            mpa.acceptRevision0()),
                    params.compat(),
                    params.isn());
        });
        link = FaultyLink.around(
                QemuStreamLink.open(QemuStreamOptions.connecting(new SocketPlace.Unix(guest.wire()), 1500)),
                FaultRates.NONE,
                LATENCY_NS,
                1);
        station = lab.station(
                link, CmObserver.NONE, "10.99.0.2/24", "fd99::2/64", "10.99.1.2/24@100", "fd99:1::2/64@100");
    }
}
