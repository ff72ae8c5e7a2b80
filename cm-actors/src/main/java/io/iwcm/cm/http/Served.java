package io.iwcm.cm.http;

import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.metrics.ActorReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The node that an API shows.
 *
 * @param name under which people know it
 * @param version of the program
 * @param settings the effective ones, secrets hidden
 * @param manager does what is asked
 * @param watch is its observer, or is told by it
 * @param handler hears of what is made by the API too
 * @param scrape tells the metrics as Prometheus text; empty when nothing is measured
 * @param actors tells how actors are doing, a report for each kind; none when nothing is measured
 */
public record Served(
        String name,
        String version,
        List<Setting> settings,
        ConnectionManager manager,
        Watch watch,
        ConnectionHandler handler,
        Optional<Supplier<String>> scrape,
        Supplier<List<ActorReport>> actors) {

    public Served {
        settings = List.copyOf(settings);
    }

    /** One whose actors nobody measures. */
    public Served(
            String name,
            String version,
            List<Setting> settings,
            ConnectionManager manager,
            Watch watch,
            ConnectionHandler handler,
            Optional<Supplier<String>> scrape) {
        this(name, version, settings, manager, watch, handler, scrape, List::of);
    }

    /**
     * An effective setting.
     *
     * @param key the full one
     * @param value as HOCON; hidden where it is a secret
     * @param origin where it was said
     */
    public record Setting(String key, String value, String origin) {}

    long nowNs() {
        return manager.nic().clock().nowNs();
    }

    /** The time of day of a moment on the NIC's clock. */
    Instant timeOf(long atNs) {
        return Instant.now().minus(Duration.ofNanos(nowNs() - atNs));
    }
}
