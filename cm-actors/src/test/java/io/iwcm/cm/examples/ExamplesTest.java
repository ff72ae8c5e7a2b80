package io.iwcm.cm.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.nic.bridge.FrameObserver;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The programs of the documentation do what they say. */
class ExamplesTest {

    private static final Endpoint TARGET = Flows.end("10.9.0.1:4420");

    private final MemoryWire wire = MemoryWire.live("wire", WireOptions.PLAIN);
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    @AfterEach
    void end() {
        wire.close();
    }

    @Test
    void connectsInOneProcess() {
        assertThat(InOneProcess.run(said::add)).isTrue();

        Lab.await("the target's last word", () -> said.contains("target: closed"));
        assertThat(said)
                .contains(
                        "target: listening on port 4420",
                        "target: asked with \"hello\"",
                        "target: disconnected: none",
                        "target: closed",
                        "initiator: closed: none")
                .anyMatch(line -> line.matches("target: connected to 10\\.9\\.0\\.2:\\d+, ird 32 ord 32"))
                .anyMatch(line -> line.matches(
                        "initiator: connected from 10\\.9\\.0\\.2:\\d+, ird 32 ord 32, peer says \"welcome\""));
    }

    @Test
    void writesIntoRemoteMemoryAndSaysSo() throws InterruptedException {
        RemoteMemory.run(said::add);
        assertThat(said).containsExactly("target: told of hello by a message of 2 octets");
    }

    @Test
    void saysWhyThereIsNoConnection() {
        try (ConnectionManager one = Launcher.start("target", addressed("10.9.0.1/24"), wire.attach("target", 1500));
                ConnectionManager two =
                        Launcher.start("initiator", addressed("10.9.0.2/24"), wire.attach("initiator", 1500))) {
            Initiator initiator = new Initiator(said::add);

            assertThat(initiator.connect(two, TARGET, "hello")).isFalse();
            assertThat(said)
                    .containsExactly(
                            "initiator: no connection: connection refused, ECONNREFUSED, " + "RDMA_CM_EVENT_REJECTED");
            said.clear();

            new Target(said::add).listen(one, 4420).toCompletableFuture().join();
            assertThat(initiator.connect(two, TARGET, "")).isFalse();
            assertThat(said)
                    .containsExactly(
                            "target: listening on port 4420",
                            "initiator: no connection: rejected by the peer, ECONNREFUSED, RDMA_CM_EVENT_REJECTED",
                            "initiator: peer says \"say something\"");
        }
    }

    @Test
    void servesAsAnActorUntilThatStops() throws InterruptedException {
        Config config = addressed("10.9.0.1/24");
        ActorTestKit kit = ActorTestKit.create("typed", ConnectionManager.configuration(config));
        NicHost nic = NicHost.on(
                kit.system(),
                wire.attach("target", 1500),
                NicSettings.from(ConnectionManager.configuration(config)),
                FrameObserver.NONE);
        try (ConnectionManager two =
                Launcher.start("initiator", addressed("10.9.0.2/24"), wire.attach("initiator", 1500))) {
            ActorRef<CmGuardian.Command> manager = kit.spawn(Launcher.connectionManager(nic, config));
            ActorRef<TypedTarget.Message> target = kit.spawn(TypedTarget.create(manager, TARGET, said::add));
            assertThat(said.poll(30, TimeUnit.SECONDS)).isEqualTo("typed target: listening");
            Initiator initiator = new Initiator(said::add);

            assertThat(initiator.connect(two, TARGET, "echo")).isTrue();
            Lab.await("the target's last word", () -> said.contains("typed target: closed: none"));
            assertThat(said).contains("typed target: connected").anyMatch(line -> line.endsWith("peer says \"echo\""));
            kit.stop(target);
            TestProbe<CmGuardian.Stopped> stopped = kit.createTestProbe();
            stopped.awaitAssert(() -> {
                assertThat(initiator.connect(two, TARGET, "echo")).isFalse();
                return true;
            });

            manager.tell(new CmGuardian.Stop(stopped.ref()));
            stopped.receiveMessage();
        } finally {
            nic.close();
            kit.shutdownTestKit();
        }
    }

    private static Config addressed(String address) {
        return ConfigFactory.parseString("iwcm.nic.addresses = [{ address = \"" + address + "\" }]");
    }
}
