package io.iwcm.cm.ops;

import com.sun.management.OperatingSystemMXBean;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.metrics.CmMetrics;
import io.iwcm.nic.bridge.FrameObserver;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What metrics cost where frames pass: connections are made and ended between two connection managers that are measured, two that
 * are not, and another two that are not, which shows how far alike ones differ; in turns, in one Java machine. Told is the median,
 * over all turns, of each in relation to the first of the same turn. {@code IWCM_MAIN=io.iwcm.cm.ops.MetricsCost bin/iwcm}.
 */
public final class MetricsCost {

    private static final int MTU = 1500;
    private static final int AT_A_TIME = 16;
    private static final int WARM_UP_TURNS = 4;
    private static final Endpoint TARGET = new Endpoint(IpAddress.parse("10.9.0.1"), 4420);

    private MetricsCost() {}

    /**
     * Measures.
     *
     * @param args turns and connections a turn; without: 30 and 800
     */
    public static void main(String[] args) {
        int wanted = args.length > 0 ? Integer.parseInt(args[0]) : 30;
        int connections = args.length > 1 ? Integer.parseInt(args[1]) : 800;
        try (Pair plain = new Pair(false);
                Pair measured = new Pair(true);
                Pair control = new Pair(false)) {
            List<Pair> pairs = List.of(plain, measured, control);
            for (int turn = 0; turn < WARM_UP_TURNS; turn++) all(pairs, connections, turn);
            List<Turn> turns = new ArrayList<>();
            for (int turn = 0; turn < wanted; turn++) turns.add(all(pairs, connections, turn));
            tell(turns, connections);
        }
    }

    /** Each begins a turn as often as the others. */
    private static Turn all(List<Pair> pairs, int connections, int turn) {
        Cost[] costs = new Cost[pairs.size()];
        for (int i = 0; i < costs.length; i++) {
            int now = (turn + i) % costs.length;
            costs[now] = pairs.get(now).run(connections);
        }
        return new Turn(costs[0], costs[1], costs[2]);
    }

    @SuppressWarnings("SystemOut") // What a program says to who has started it.
    private static void tell(List<Turn> all, int connections) {
        System.out.printf("%d turns of %d connections each, opened, negotiated and ended%n", all.size(), connections);
        tell("CPU time ", all, connections, Cost::cpuNs);
        tell("wall time", all, connections, Cost::wallNs);
    }

    @SuppressWarnings("SystemOut")
    private static void tell(String what, List<Turn> all, int connections, ToLongFunction<Cost> of) {
        ToDoubleFunction<Turn> measured =
                turn -> (double) of.applyAsLong(turn.measured()) / of.applyAsLong(turn.plain());
        ToDoubleFunction<Turn> alike = turn -> (double) of.applyAsLong(turn.control()) / of.applyAsLong(turn.plain());
        System.out.printf(
                Locale.ROOT,
                "%s %.0f us a connection without; with metrics %.3f of that (quartiles %.3f, %.3f), without again"
                        + " %.3f%n",
                what,
                quantile(all, 0.5, turn -> of.applyAsLong(turn.plain())) / connections / 1e3,
                quantile(all, 0.5, measured),
                quantile(all, 0.25, measured),
                quantile(all, 0.75, measured),
                quantile(all, 0.5, alike));
    }

    private static double quantile(List<Turn> all, double q, ToDoubleFunction<Turn> of) {
        double[] sorted = all.stream().mapToDouble(of).sorted().toArray();
        return sorted[(int) Math.round(q * (sorted.length - 1))];
    }

    private record Cost(long wallNs, long cpuNs) {}

    private record Turn(Cost plain, Cost measured, Cost control) {}

    /** Initiator and target on a wire of their own. */
    private static final class Pair implements AutoCloseable {

        private static final OperatingSystemMXBean PROCESS =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

        private final MemoryWire wire = MemoryWire.live("wire", WireOptions.PLAIN);
        private final List<CmMetrics> metrics = new ArrayList<>();
        private final ConnectionManager target;
        private final ConnectionManager initiator;

        Pair(boolean measured) {
            target = start("target", "10.9.0.1/24", measured);
            initiator = start("initiator", "10.9.0.2/24", measured);
            target.listen(ListenOptions.on(TARGET).accepting(AcceptOptions.DEFAULT), ConnectionHandler.NONE)
                    .toCompletableFuture()
                    .join();
        }

        private ConnectionManager start(String name, String address, boolean measured) {
            Config config = ConnectionManager.configuration(
                    ConfigFactory.parseString("iwcm.nic.addresses = [{ address = \"" + address + "\" }]"));
            NicSettings nic = NicSettings.from(config);
            Optional<CmMetrics> meters =
                    CmMetricsSettings.from(config).filter(_ -> measured).map(CmMetrics::new);
            CmObserver observer =
                    meters.map(one -> one.observing(CmObserver.NONE)).orElse(CmObserver.NONE);
            ConnectionManager manager = ConnectionManager.start(
                    name,
                    config,
                    system -> NicHost.on(system, wire.attach(name, MTU), nic, FrameObserver.NONE),
                    CmSettings.from(config).options(nic.addresses(), observer));
            meters.ifPresent(one -> {
                one.bind(manager);
                metrics.add(one);
            });
            return manager;
        }

        Cost run(int connections) {
            long wall = System.nanoTime();
            long cpu = PROCESS.getProcessCpuTime();
            CompletableFuture<?>[] lanes = new CompletableFuture<?>[AT_A_TIME];
            Arrays.setAll(lanes, _ -> lane(connections / AT_A_TIME).toCompletableFuture());
            CompletableFuture.allOf(lanes).join();
            return new Cost(System.nanoTime() - wall, PROCESS.getProcessCpuTime() - cpu);
        }

        private CompletionStage<?> lane(int connections) {
            if (connections == 0) return CompletableFuture.completedStage(true);
            return initiator
                    .connect(ConnectOptions.to(TARGET))
                    .thenCompose(Pair::ended)
                    .thenCompose(_ -> lane(connections - 1));
        }

        private static CompletionStage<?> ended(ConnectResult result) {
            return switch (result) {
                case ConnectResult.Connected(var connection, var _) ->
                    connection.abort(); // In order would leave TIME_WAIT behind, until no port is free.
                case ConnectResult.Failed failed -> throw new IllegalStateException("not connected: " + failed);
            };
        }

        @Override
        public void close() {
            initiator.close();
            target.close();
            metrics.forEach(CmMetrics::close);
            wire.close();
        }
    }
}
