package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.metrics.CmMetrics;
import io.iwcm.nic.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is measured, as a configuration says. */
class CmMetricsSettingsTest {

    @Test
    void measuresAsReferenceConfSays() {
        assertThat(CmMetricsSettings.from(config(""))).contains(CmMetrics.Options.DEFAULT);
    }

    @Test
    void measuresNothingWhereItIsOff() {
        assertThat(CmMetricsSettings.from(config("iwcm.metrics.enabled = false")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sample = 0", "sample = 65537", "listeners-max = -1", "wait = 0s", "wait = 31s", "jvm = 3"})
    void refusesWhatIsNotAllowed(String line) {
        String key = line.substring(0, line.indexOf(' '));
        assertThatThrownBy(() -> CmMetricsSettings.from(config("iwcm.metrics." + line)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("iwcm.metrics." + key)
                .hasMessageContaining("allowed");
    }

    @Test
    void namesTheKeyThatWasMeant() {
        assertThatThrownBy(() -> CmMetricsSettings.from(config("iwcm.metrics.samples = 3")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("did you mean iwcm.metrics.sample?");
    }

    private static Config config(String text) {
        return ConnectionManager.configuration(ConfigFactory.parseString(text));
    }
}
