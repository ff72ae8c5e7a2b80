package io.iwcm.cm.rping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two connection managers on one wire ping each other by RDMA Read and Write. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RpingTest {

    private static final int MTU = 1500;
    private static final Endpoint SERVER = new Endpoint(IpAddress.parse("10.9.0.1"), 7174);

    private final List<String> said = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {17, 64, 1449, 4096, 65_535})
    void everyPingComesBackAsItWent(int size) throws InterruptedException {
        RpingPlan plan = new RpingPlan(size, 20, true, false, false);
        assertThat(ping(WireOptions.PLAIN, plan, asked -> asked)).isEqualTo(new RpingServer.Outcome(20, none()));
    }

    @Test
    void pingsInTheClientServerModelAndInRevision1() throws InterruptedException {
        RpingPlan plan = new RpingPlan(64, 3, true, false, false);
        assertThat(ping(WireOptions.PLAIN, plan, ConnectOptions::clientServer).pings())
                .isEqualTo(3);
        assertThat(ping(WireOptions.PLAIN, plan, ConnectOptions::revision1).pings())
                .isEqualTo(3);
    }

    @Test
    void aBadWireDelaysPingsAndNothingElse() throws InterruptedException {
        FaultRates faults = FaultRates.NONE
                .withLoss(0.01)
                .withDuplication(0.05)
                .withReordering(0.05, 2_000_000)
                .withCorruption(0.01);
        RpingPlan plan = new RpingPlan(20_000, 5, true, false, false);
        assertThat(ping(WireOptions.PLAIN.withFaults(faults, 1), plan, asked -> asked))
                .isEqualTo(new RpingServer.Outcome(5, none()));
    }

    /** As rping of rdma-core writes them. */
    @Test
    void showsEachPing() throws InterruptedException {
        ping(WireOptions.PLAIN, new RpingPlan(22, 2, true, true, false), asked -> asked);
        assertThat(said)
                .containsExactly(
                        "server ping data: rdma-ping-0: ABCDEFGH",
                        "ping data: rdma-ping-0: ABCDEFGH",
                        "server ping data: rdma-ping-1: BCDEFGHI",
                        "ping data: rdma-ping-1: BCDEFGHI");
    }

    @Test
    void theTextGoesRoundFromAToZAndBeginsOneFurtherEachTime() {
        assertThat(PingText.shown(PingText.of(57, 80))).startsWith("rdma-ping-57: zABC");
        assertThat(PingText.shown(PingText.of(58, 80)))
                .isEqualTo("rdma-ping-58: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyzABCDEFG");
        assertThat(PingText.of(0, 17)).hasSize(17).endsWith((byte) 0);
        assertThat(PingText.shown(PingText.of(123_456_789, 17))).isEqualTo("rdma-ping-123456");
    }

    @Test
    void aServerThatIsNotThereIsSaidSo() {
        try (MemoryWire wire = MemoryWire.live("wire", WireOptions.PLAIN);
                ConnectionManager one = Launcher.start("one", addressed("10.9.0.1/24"), wire.attach("one", MTU));
                ConnectionManager two = Launcher.start("two", addressed("10.9.0.2/24"), wire.attach("two", MTU))) {
            assertThat(one.nic()).isNotNull();
            RpingClient client =
                    new RpingClient(two, new RpingPlan(64, 1, true, false, false), Duration.ZERO, said::add);
            assertThatThrownBy(() -> client.run(ConnectOptions.to(SERVER)))
                    .isInstanceOf(io.iwcm.cm.api.CmException.class)
                    .hasMessageContaining("no connection");
        }
    }

    private RpingServer.Outcome ping(WireOptions options, RpingPlan plan, UnaryOperator<ConnectOptions> form)
            throws InterruptedException {
        try (MemoryWire wire = MemoryWire.live("wire", options);
                ConnectionManager one = Launcher.start("one", addressed("10.9.0.1/24"), wire.attach("one", MTU));
                ConnectionManager two = Launcher.start("two", addressed("10.9.0.2/24"), wire.attach("two", MTU))) {
            RpingServer server = new RpingServer(one, plan, said::add);
            server.listen(SERVER).toCompletableFuture().join();
            RpingClient client = new RpingClient(two, plan, Duration.ZERO, said::add);
            int pings = client.run(form.apply(ConnectOptions.to(SERVER).depths(1, 1)));
            assertThat(pings).isEqualTo(plan.count());
            return server.awaitEnd();
        }
    }

    private static java.util.Optional<String> none() {
        return java.util.Optional.empty();
    }

    private static Config addressed(String address) {
        return ConfigFactory.parseString("iwcm.nic { addresses = [{ address = \"" + address + "\" }]"
                + ", queue-pair { rto-min = 50ms, rto-initial = 100ms } }");
    }
}
