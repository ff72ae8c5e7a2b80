package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hundreds of connects, accepts and closes over a device that delays, reorders and fails what it is told: every connect has
 * one outcome, and in the end the device is empty. {@code -Ddevice.seed=N} replays one.
 */
class DeviceSimulationTest {

    private static final int CONNECTS = 40;

    static long[] seeds() {
        Long one = Long.getLong("device.seed");
        return one != null ? new long[] {one} : new Random(41).longs(24).toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyConnectHasOneOutcomeAndEverythingIsGivenBack(long seed) {
        new DeviceSimulation(seed, 10).run(CONNECTS);
    }

    /** So that the runs above are not about nothing. */
    @Test
    void aDeviceThatIsOnlySlowLetsConnectionsStand() {
        DeviceSimulation slow = new DeviceSimulation(7, 0);
        slow.run(CONNECTS);
        assertThat(slow.outcomes.values())
                .filteredOn(List.of(Cause.NONE)::equals)
                .hasSizeGreaterThan(CONNECTS / 2);
        assertThat(slow.stood).as("ends that stood").isGreaterThan(CONNECTS);
    }
}
