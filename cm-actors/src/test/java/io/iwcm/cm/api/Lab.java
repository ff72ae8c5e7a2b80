package io.iwcm.cm.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.CmOptions;
import io.iwcm.cm.actor.KeyedIsnSource;
import io.iwcm.cm.actor.Marking;
import io.iwcm.cm.actor.PortMapper;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.qp.QpParams;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftDevice;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.LeakFree;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Whole connection managers, on one in-memory wire unless they bring a link of their own, in real time. */
public final class Lab implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MTU = 1500;
    private static final int BUCKETS = 4;

    private final MemoryWire wire;
    private final List<Station> stations = new ArrayList<>();
    private final UnaryOperator<CmParams> params;
    private final QpParams qp;
    private UnaryOperator<RnicConfig> nics = UnaryOperator.identity();
    private PortMapper portMapper = PortMapper.IDENTITY;
    private RnicConfig.Cookies cookies = RnicConfig.Cookies.DEFAULT;

    public Lab() {
        this(WireOptions.PLAIN, UnaryOperator.identity(), QpParams.DEFAULT);
    }

    public Lab(WireOptions wire, UnaryOperator<CmParams> params) {
        this(wire, params, QpParams.DEFAULT);
    }

    public Lab(WireOptions wire, UnaryOperator<CmParams> params, QpParams qp) {
        this.qp = qp;
        this.wire = MemoryWire.live("lab", wire);
        this.params = params;
    }

    /** Stations from here on get their NICs as this says. */
    Lab nics(UnaryOperator<RnicConfig> change) {
        nics = change;
        return this;
    }

    /** Stations from here on ask this port mapper. */
    Lab mapping(PortMapper mapper) {
        portMapper = mapper;
        return this;
    }

    /** Stations from here on answer SYNs with cookies like this. */
    public Lab cookies(RnicConfig.Cookies other) {
        cookies = other;
        return this;
    }

    /** A connection manager and what its NIC held before anything happened. */
    public record Station(ConnectionManager cm, RnicSnapshot.Held before) {

        public RnicSnapshot nic() {
            return within(cm.nic().inspect(rnic -> ((SoftRnic) rnic).snapshot()));
        }

        /** Waits until everything that connections and listeners held has been given back. */
        public void awaitNothingHeld() {
            try {
                await("everything is given back", () -> left().isEmpty());
            } catch (AssertionError e) {
                assertThat(left()).as("what was left").isEmpty();
                throw e;
            }
        }

        private List<String> left() {
            Map<String, Integer> now = LeakFree.census(nic().held());
            now.put("nodes", within(cm.snapshot()).nodes().size());
            return LeakFree.left(LeakFree.census(before), now);
        }
    }

    /** {@code 10.0.0.1/24}, or {@code 10.0.0.1/24@100} on a VLAN. */
    public Station station(String... addresses) {
        return station(CmObserver.NONE, addresses);
    }

    public Station station(CmObserver observer, String... addresses) {
        return station(port(), observer, addresses);
    }

    /** A place on the wire. */
    public Link port() {
        return wire.attach("port-" + (stations.size() + 1), MTU);
    }

    /** On the wire, over this device. */
    public Station stationOver(Device device, String... addresses) {
        return station(port(), device, CmObserver.NONE, Marking.PRECEDENCE, addresses);
    }

    /** On a link of its own, which it closes. */
    public Station station(Link link, CmObserver observer, String... addresses) {
        return station(link, new SoftDevice(), observer, Marking.PRECEDENCE, addresses);
    }

    Station station(Marking marking, String... addresses) {
        return station(port(), new SoftDevice(), CmObserver.NONE, marking, addresses);
    }

    /** With so many dispatcher buckets. */
    Station station(int buckets, CmObserver observer, String... addresses) {
        return station(port(), new SoftDevice(), observer, Marking.PRECEDENCE, buckets, addresses);
    }

    private Station station(Link link, Device device, CmObserver observer, Marking marking, String... addresses) {
        return station(link, device, observer, marking, BUCKETS, addresses);
    }

    private Station station(
            Link link, Device device, CmObserver observer, Marking marking, int buckets, String... addresses) {
        int number = stations.size() + 1;
        List<LocalAddress> local = new ArrayList<>();
        for (String address : addresses) {
            String[] parts = address.split("@");
            local.add(Flows.address(parts[0], parts.length > 1 ? Integer.parseInt(parts[1]) : 0));
        }
        CmOptions options = new CmOptions(
                params.apply(io.iwcm.cm.actor.TestParams.ordinary(KeyedIsnSource.ofFreshSecret())),
                buckets,
                Duration.ofSeconds(5),
                local,
                observer,
                marking,
                portMapper);
        ConnectionManager cm = ConnectionManager.start(
                "station-" + number,
                ConnectionManager.configuration(ConfigFactory.empty()),
                system -> NicHost.start(
                        system,
                        link,
                        new SoftRnic(
                                nics.apply(config(number, local)),
                                new SipHash(number, 1),
                                cookies,
                                new SecureRandom()::nextLong,
                                System.nanoTime(),
                                device),
                        NicHost.Options.DEFAULT.withObserver(observer)),
                options);
        Station station = new Station(
                cm,
                within(cm.nic().inspect(rnic -> ((SoftRnic) rnic).snapshot())).held());
        stations.add(station);
        return station;
    }

    private RnicConfig config(int number, List<LocalAddress> local) {
        RnicConfig usual = RnicConfig.of(Flows.mac(number), local, MTU);
        RnicConfig.Limits limits = usual.limits();
        Neighbours.Limits impatient =
                new Neighbours.Limits(1024, 4096, 3, 20_000_000, 30_000_000_000L, 600_000_000_000L);
        return new RnicConfig(
                usual.mac(),
                usual.addresses(),
                usual.routes(),
                usual.mtu(),
                usual.behaviour(),
                new RnicConfig.Limits(
                        limits.flowsMax(),
                        limits.listenersMax(),
                        limits.addressesMax(),
                        limits.qpsMax(),
                        limits.timeWaitsMax(),
                        limits.loopbackMax(),
                        limits.transmitMax(),
                        impatient),
                usual.ports(),
                qp);
    }

    public static <T> T within(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException why) throw why;
            throw new AssertionError(e.getCause());
        }
    }

    public static void await(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(endNs);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        stations.forEach(station -> station.cm().close());
        wire.close();
    }
}
