package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.bridge.NanoClock;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.link.FaultCounters;
import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One round of the demo: wire, two connection managers, connections, judgement, and everything given back. */
final class Demo {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MTU = 1500;
    private static final int PORT = 4420;
    private static final long SETTLE_MS = 10;

    private final DemoPlan plan;
    private final boolean quiet;
    private final PrintWriter out;
    private final DemoLedger ledger = new DemoLedger();
    private final List<String> wrong = new ArrayList<>();

    Demo(DemoPlan plan, boolean quiet, PrintWriter out) {
        this.plan = plan;
        this.quiet = quiet;
        this.out = out;
    }

    /** One end: its name, and where it is. */
    private record End(String name, LocalAddress address, MacAddress mac) {}

    /**
     * Plays it.
     *
     * @return one sentence for each thing that was not right
     */
    List<String> run() throws InterruptedException {
        Config config = ConnectionManager.configuration(ConfigFactory.empty());
        CmSettings settings = CmSettings.from(config);
        Timeline timeline = new Timeline(out, false);
        End initiator = new End("initiator", address("10.9.0.1", "fd00:9::1"), MacAddress.parse("02:1c:00:00:00:01"));
        End target = new End("target", address("10.9.0.2", "fd00:9::2"), MacAddress.parse("02:1c:00:00:00:02"));
        WireOptions options =
                WireOptions.PLAIN.withFaults(plan.wire().rates(), plan.wire().seed());
        try (MemoryWire wire = MemoryWire.live("demo", options);
                ConnectionManager b = start(target, wire.attach(target.name(), MTU), config, settings, timeline);
                ConnectionManager a = start(initiator, record(wire), config, settings, timeline)) {
            play(a, b, target.address());
            ledger.pairs()
                    .forEach(pair ->
                            wrong.addAll(DemoJudge.judge(plan, settings.mpa().depthsMax(), pair)));
            timeline.flush();
            summarize(wire);
        }
        return wrong;
    }

    private LocalAddress address(String v4, String v6) {
        boolean ipv6 = plan.network().ipv6();
        return new LocalAddress(
                IpAddress.parse(ipv6 ? v6 : v4), ipv6 ? 64 : 24, plan.network().vlan());
    }

    private Link record(MemoryWire wire) {
        return Recording.of(wire.attach("initiator", MTU), plan.wire().pcap());
    }

    private ConnectionManager start(End end, Link link, Config config, CmSettings settings, Timeline timeline) {
        CmObserver observer = quiet ? CmObserver.NONE : timeline.watch(end.name());
        SoftRnic rnic = new SoftRnic(
                RnicConfig.of(end.mac(), List.of(end.address()), MTU),
                new SipHash(RANDOM.nextLong(), RANDOM.nextLong()),
                RnicConfig.Cookies.DEFAULT,
                RANDOM::nextLong,
                NanoClock.SYSTEM.nowNs());
        return ConnectionManager.start(
                end.name(),
                config,
                system -> NicHost.start(system, link, rnic, NicHost.Options.DEFAULT.withObserver(observer)),
                settings.options(List.of(end.address()), observer));
    }

    private void play(ConnectionManager a, ConnectionManager b, LocalAddress where) throws InterruptedException {
        Endpoint endpoint = new Endpoint(where.address(), PORT);
        b.listen(ListenOptions.on(endpoint).vlan(where.vlan()), this::target)
                .toCompletableFuture()
                .join();
        List<RnicSnapshot.Held> before = List.of(held(a), held(b));
        for (int i = 0; i < plan.load().connections(); i++) {
            a.connect(options(endpoint, where.vlan()), this::initiator);
        }
        ledger.awaitOver(plan.load().connections(), plan.load().timeoutSeconds());
        long over = ledger.pairs().stream().filter(DemoLedger.Pair::isOver).count();
        if (over < plan.load().connections()) {
            wrong.add("only " + over + " of " + plan.load().connections() + " connections were over after "
                    + plan.load().timeoutSeconds() + " s");
        } else {
            givenBack(a, before.get(0));
            givenBack(b, before.get(1));
        }
    }

    private ConnectOptions options(Endpoint endpoint, int vlan) {
        ConnectOptions asked = ConnectOptions.to(endpoint)
                .vlan(vlan)
                .depths(plan.depths())
                .privateData(plan.privateData())
                .fallBack(false);
        return plan.revision() == 1 ? asked.revision1() : plan.peerToPeer() ? asked : asked.clientServer();
    }

    private void target(Connection connection, CmEvent event) {
        ledger.target(connection, event).ifPresent(Connection::disconnect);
        if (event instanceof CmEvent.ConnectRequest && plan.reject()) {
            connection.reject(plan.privateData());
        } else if (event instanceof CmEvent.ConnectRequest) {
            connection.accept(
                    AcceptOptions.DEFAULT.depths(DemoPlan.TARGET_DEPTHS).privateData(plan.privateData()));
        }
    }

    private void initiator(Connection connection, CmEvent event) {
        ledger.initiator(connection, event).ifPresent(Connection::disconnect);
    }

    private static RnicSnapshot snapshot(ConnectionManager manager) {
        return manager.nic()
                .inspect(rnic -> ((SoftRnic) rnic).snapshot())
                .toCompletableFuture()
                .join();
    }

    private static RnicSnapshot.Held held(ConnectionManager manager) {
        return snapshot(manager).held();
    }

    /** What connections held is back, a moment after the last of them told its application that it is gone. */
    private void givenBack(ConnectionManager manager, RnicSnapshot.Held before) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.load().timeoutSeconds());
        while (!held(manager).equals(before) || !nodes(manager).isEmpty()) {
            if (System.nanoTime() > endNs) {
                wrong.add("not everything was given back: " + held(manager) + " instead of " + before + ", nodes "
                        + nodes(manager));
                return;
            }
            Thread.sleep(SETTLE_MS);
        }
    }

    private static List<CmSnapshot.Node> nodes(ConnectionManager manager) {
        return manager.snapshot().toCompletableFuture().join().nodes();
    }

    private void summarize(MemoryWire wire) {
        FaultCounters faults = wire.faultCounters();
        out.printf(
                "%s: %d connection%s %s over %s, MPA revision %d; the wire carried %d frames%s; %s%n",
                wrong.isEmpty() ? "OK" : "NOT OK",
                plan.load().connections(),
                plan.load().connections() == 1 ? "" : "s",
                plan.reject() ? "rejected" : "opened, negotiated and closed in order",
                plan.network().ipv6() ? "IPv6" : "IPv4",
                plan.revision(),
                faults.seen(),
                told(faults),
                wrong.isEmpty() ? "everything was given back" : wrong.size() + " things were wrong");
    }

    private String told(FaultCounters faults) {
        return plan.wire().rates().equals(FaultRates.NONE)
                ? ""
                : ", lost " + faults.lost() + ", doubled " + faults.duplicated() + ", reordered " + faults.reordered()
                        + " (seed " + plan.wire().seed() + ")";
    }
}
