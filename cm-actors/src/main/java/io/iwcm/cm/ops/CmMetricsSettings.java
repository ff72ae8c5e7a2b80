package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import io.iwcm.cm.metrics.CmMetrics;
import io.iwcm.nic.settings.SettingsReader;
import java.time.Duration;
import java.util.Optional;

/** Everything under {@code iwcm.metrics}, read once at start-up and checked. {@code reference.conf} says what each key does. */
final class CmMetricsSettings {

    private CmMetricsSettings() {}

    /**
     * Reads a resolved configuration.
     *
     * @return what is to be measured; empty: nothing
     * @throws io.iwcm.nic.settings.SettingsException on the first value that is not allowed, and on unknown keys
     */
    static Optional<CmMetrics.Options> from(Config root) {
        SettingsReader metrics = SettingsReader.of(root, "iwcm.metrics");
        boolean enabled = metrics.flag("enabled");
        CmMetrics.Options options = new CmMetrics.Options(
                metrics.integer("sample", 1, 1 << 16),
                metrics.integer("listeners-max", 0, 10_000),
                metrics.duration("wait", Duration.ofMillis(1), Duration.ofSeconds(30)),
                metrics.flag("jvm"));
        metrics.refuseUnknown();
        return enabled ? Optional.of(options) : Optional.empty();
    }
}
