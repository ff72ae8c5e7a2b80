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
 * @param settings what it works by
 * @param manager does what is asked
 * @param watch is its observer, or is told by it
 * @param handler hears of what is made by the API too
 * @param scrape tells the metrics as Prometheus text; empty when nothing is measured
 * @param actors tells how actors are doing, a report for each kind; none when nothing is measured
 */
public record Served(
        String name,
        String version,
        Settings settings,
        ConnectionManager manager,
        Watch watch,
        ConnectionHandler handler,
        Optional<Supplier<String>> scrape,
        Supplier<List<ActorReport>> actors) {

    /** One whose actors nobody measures, and whose settings stay as they are. */
    public Served(
            String name,
            String version,
            List<Setting> settings,
            ConnectionManager manager,
            Watch watch,
            ConnectionHandler handler,
            Optional<Supplier<String>> scrape) {
        this(name, version, Settings.fixed(settings), manager, watch, handler, scrape, List::of);
    }

    /** What it works by. */
    public interface Settings {

        /** The effective ones, secrets hidden. */
        List<Setting> shown();

        /**
         * Reads them again, and does what can be done while it runs. It may block.
         *
         * @throws IllegalArgumentException with everything that is wrong with them; nothing has changed then
         */
        Reloaded reload();

        /** Those that come from no file. */
        static Settings fixed(List<Setting> those) {
            List<Setting> shown = List.copyOf(those);
            return new Settings() {
                @Override
                public List<Setting> shown() {
                    return shown;
                }

                @Override
                public Reloaded reload() {
                    throw new IllegalArgumentException("the settings of this node come from no file");
                }
            };
        }
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
