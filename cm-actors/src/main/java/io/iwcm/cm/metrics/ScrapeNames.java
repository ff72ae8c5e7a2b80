package io.iwcm.cm.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Our counters keep the names that are written here: Micrometer would make {@code iwcm_nodes} of irdma's
 * {@code nodes_created}, since OpenMetrics once meant something else by that ending.
 */
final class ScrapeNames implements NamingConvention {

    private static final String OURS = "iwcm_";

    private final NamingConvention usual = new PrometheusNamingConvention();

    /** What an operator reads for a constant: lower case, with underscores. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String name(String name, Meter.Type type, @Nullable String baseUnit) {
        return type == Meter.Type.COUNTER && name.startsWith(OURS) ? name : usual.name(name, type, baseUnit);
    }

    @Override
    public String tagKey(String key) {
        return usual.tagKey(key);
    }

    @Override
    public String tagValue(String value) {
        return usual.tagValue(value);
    }
}
