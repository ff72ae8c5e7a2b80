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
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.rnic.OwnerUse;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of the program carry the connections of a bridge and are killed with SIGKILL; neither peer nor application notices. */
class KilledProcessTest {

    private static final Endpoint SERVICE = Flows.end("10.0.0.1:4420");
    private static final int BUCKETS = 2;
    private static final int MANY = 24;

    @TempDir
    private Path directory;

    private final Lab lab = new Lab();
    private final Members members = new Members();
    private final List<Process> processes = new ArrayList<>();
    private final Queue<Connection> requests = new ConcurrentLinkedQueue<>();
    private final Map<String, List<String>> told = new ConcurrentHashMap<>();
    private final ConnectionManager bridge =
            members.join(lab.port(), new Roles(true, false), CmObserver.NONE, "10.0.0.1/24");
    private final Station peer = lab.station("10.0.0.2/24");

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
        lab.close();
        members.close();
    }

    @Test
    void connectionsThatWaitForTheApplicationAreAcceptedElsewhere() throws IOException {
        Process victim = start("first");
        awaitOwners(BUCKETS);
        start("second");
        awaitOwners(2 * BUCKETS);
        listen();
        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);
        assertThat(ownedBy(1)).as("flows of the victim").isPositive(); // Rooms are numbered as they enter, from 0.

        victim.destroyForcibly();

        awaitOwners(BUCKETS);
        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        connecting.forEach(one -> within(one).orElseThrow());
        await("all stand", () -> told.values().stream().allMatch(List.of("ConnectRequest", "Established")::equals));
        assertThat(told).hasSize(MANY);
    }

    @Test
    void handedOverConnectionsGoOnAndTheirEndIsTold() throws IOException {
        Process victim = start("first");
        awaitOwners(BUCKETS);
        start("second");
        awaitOwners(2 * BUCKETS);
        listen();
        List<CompletionStage<ConnectResult>> connecting = connectMany();
        await("all ask", () -> requests.size() == MANY);
        requests.forEach(request -> assertThat(within(request.accept())).isEqualTo(Cause.NONE));
        List<Connection> connected =
                connecting.stream().map(one -> within(one).orElseThrow()).toList();

        victim.destroyForcibly();
        connected.forEach(
                connection -> assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE));

        await(
                "all have been told the end",
                () -> told.size() == MANY && told.values().stream().allMatch(kinds -> kinds.contains("Closed")));
        assertThat(told.values()).allMatch(List.of("ConnectRequest", "Established", "Disconnected", "Closed")::equals);
    }

    /** The program with the role cm, which joins the bridge's cluster. */
    private Process start(String name) throws IOException {
        Path config = directory.resolve(name + ".conf");
        var address = Members.cluster(bridge).selfMember().address();
        Files.writeString(config, """
            iwcm.cluster { enabled = true, roles = [cm], port = 0, seeds = ["%s:%d"] }
            iwcm.cm.dispatchers = %d
            iwcm.http.enabled = false
            pekko.cluster.split-brain-resolver.stable-after = 2s
            """.formatted(
                        address.getHost().orElseThrow(), address.getPort().orElseThrow(), BUCKETS));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        "io.iwcm.cm.ops.Iwcm",
                        "serve",
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
        processes.add(process);
        return process;
    }

    /** What this process runs by, whoever has loaded it. */
    private static String classPath() {
        if (!(KilledProcessTest.class.getClassLoader() instanceof URLClassLoader loader))
            return System.getProperty("java.class.path");
        return Stream.of(loader.getURLs())
                .map(url -> Path.of(URI.create(url.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void listen() {
        within(bridge.listen(ListenOptions.on(SERVICE), (connection, event) -> {
            told.computeIfAbsent(connection.toString(), _ -> new CopyOnWriteArrayList<>())
                    .add(event.getClass().getSimpleName());
            if (event instanceof CmEvent.ConnectRequest) requests.add(connection);
        }));
    }

    private List<CompletionStage<ConnectResult>> connectMany() {
        List<CompletionStage<ConnectResult>> connecting = new ArrayList<>();
        for (int i = 0; i < MANY; i++) connecting.add(peer.cm().connect(ConnectOptions.to(SERVICE)));
        return connecting;
    }

    private void awaitOwners(int count) {
        await(count + " buckets are attached", () -> owners().size() == count);
    }

    /** The flows of the room that has been the nth to enter. */
    private int ownedBy(int nth) {
        return owners().stream()
                .filter(use -> use.owner().id() >>> 12 == nth - 1)
                .mapToInt(OwnerUse::flows)
                .sum();
    }

    private List<OwnerUse> owners() {
        return within(bridge.nic().inspect(rnic -> ((SoftRnic) rnic).owners()));
    }
}
