package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.ConnectionManager;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The metrics of one connection manager. Before it is started it gets {@link #observing} for an observer, afterwards it is
 * {@link #bind bound}; then {@link #scrape} tells all.
 */
public final class CmMetrics implements AutoCloseable {

    /**
     * What is measured.
     *
     * @param sample of so many messages of an actor one is timed, 1 or more
     * @param listenersMax most listeners whose backlogs are metrics of their own
     * @param patience how long a scrape waits for those it asks
     * @param jvm the Java machine, too
     */
    public record Options(int sample, int listenersMax, Duration patience, boolean jvm) {
        /** What is measured when nobody says otherwise. */
        public static final Options DEFAULT = new Options(64, 100, Duration.ofSeconds(1), true);
    }

    private record Bound(Standing standing, Gauges gauges) {}

    private final Options options;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter late;
    private final ActorMeters actors;
    private Optional<HandshakeTimes> handshakes = Optional.empty();
    private Optional<JvmGcMetrics> garbage = Optional.empty();
    private Optional<Bound> bound = Optional.empty();

    /** Nothing is told of anybody yet but, if that is wanted, of the Java machine. */
    public CmMetrics(Options options) {
        this.options = options;
        registry.config().namingConvention(new ScrapeNames());
        late = Counter.builder("iwcm_scrapes_late")
                .description("scrapes that told older values, because NIC or connections did not answer in time")
                .register(registry);
        actors = new ActorMeters(registry, options.sample());
        if (options.jvm()) bindJvm();
    }

    private void bindJvm() {
        JvmGcMetrics collections = new JvmGcMetrics();
        collections.bindTo(registry);
        garbage = Optional.of(collections);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** An observer that is to be given to the connection manager, and tells another one what it hears. To be asked once. */
    public synchronized CmObserver observing(CmObserver others) {
        HandshakeTimes times = new HandshakeTimes(registry, actors, others);
        handshakes = Optional.of(times);
        return times;
    }

    /** The connection manager has been started. To be called once. */
    public synchronized void bind(ConnectionManager manager) {
        Standing standing = new Standing(manager);
        Counted counted = new Counted(registry);
        counted.of(manager.counters(), manager.nic());
        counted.of(standing);
        new Pools(registry).of(manager.system());
        bound = Optional.of(new Bound(standing, new Gauges(registry, standing, options.listenersMax())));
    }

    /** Everything as it is now, as Prometheus text; waits for NIC and connections as long as the options say. */
    public synchronized String scrape() {
        bound.ifPresent(one -> {
            if (!one.standing().refresh(options.patience())) late.increment();
            one.gauges().follow();
        });
        handshakes.ifPresent(HandshakeTimes::forgetOld);
        return registry.scrape();
    }

    /** How each kind of actor is doing. */
    public List<ActorReport> actors() {
        return actors.reports();
    }

    /** Listens to the Java machine no longer; what was counted can still be scraped. */
    @Override
    public void close() {
        garbage.ifPresent(JvmGcMetrics::close);
    }
}
