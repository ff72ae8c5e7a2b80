package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.TcpParams;
import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wire that loses, repeats, reorders and spoils frames delays connections, and nothing else. */
class FaultyWireTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");
    private static final int CONNECTIONS = 10;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void establishesAndClosesAllTheSame(long seed) {
        FaultRates faults = FaultRates.NONE
                .withLoss(0.05)
                .withDuplication(0.05)
                .withReordering(0.05, 2_000_000)
                .withCorruption(0.02);
        try (Lab lab = new Lab(
                WireOptions.PLAIN.withFaults(faults, seed), FaultyWireTest::impatient, impatient(QpParams.DEFAULT))) {
            Station active = lab.station("10.0.0.2/24");
            Station passive = lab.station("10.0.0.1/24");
            Events passiveEvents = new Events();
            Events activeEvents = new Events();
            ListenHandle listener =
                    within(passive.cm().listen(ListenOptions.on(PEER).accepting(AcceptOptions.DEFAULT), passiveEvents));

            List<CompletionStage<ConnectResult>> connecting = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                connecting.add(active.cm().connect(ConnectOptions.to(PEER), activeEvents));
            }
            for (CompletionStage<ConnectResult> stage : connecting) {
                ConnectResult.Connected connected = (ConnectResult.Connected) within(stage);
                within(connected.connection().disconnect());
            }

            within(listener.close());
            active.awaitNothingHeld();
            passive.awaitNothingHeld();
            assertThat(activeEvents.all())
                    .filteredOn(CmEvent.Closed.class::isInstance)
                    .hasSize(CONNECTIONS);
            assertThat(passiveEvents.all())
                    .filteredOn(CmEvent.Established.class::isInstance)
                    .hasSize(CONNECTIONS);
        }
    }

    /** A lost frame costs 50 ms instead of a second. */
    private static CmParams impatient(CmParams usual) {
        TcpParams tcp = usual.tcp();
        return new CmParams(
                new TcpParams(
                        50_000_000,
                        tcp.rtoMaxNs(),
                        tcp.retriesMax(),
                        tcp.window(),
                        tcp.windowScale(),
                        tcp.mssFloor(),
                        tcp.challengesMax(),
                        tcp.challengeWindowNs()),
                usual.deadlines(),
                usual.mpa(),
                usual.compat(),
                usual.isn());
    }

    private static QpParams impatient(QpParams usual) {
        QpParams.Retransmission slow = usual.tcp().retransmission();
        return new QpParams(
                usual.tcp()
                        .with(new QpParams.Retransmission(50_000_000, 50_000_000, slow.rtoMaxNs(), slow.retriesMax())),
                usual.closeGraceNs(),
                usual.terminateTimeoutNs());
    }
}
