package io.iwcm.nic.steer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A token bucket on virtual time. */
class RateLimitTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void passesABurstAndThenOneAtATime() {
        RateLimit limit = new RateLimit(10, 3, -SECOND);
        assertThat(passed(limit, -SECOND, 10)).isEqualTo(3);
        assertThat(passed(limit, -SECOND + SECOND / 10 - 1, 10)).isZero();
        assertThat(passed(limit, -SECOND + SECOND / 10, 10)).isEqualTo(1);
    }

    @Test
    void savesUpNoMoreThanTheBurst() {
        RateLimit limit = new RateLimit(10, 3, 0);
        assertThat(passed(limit, Long.MAX_VALUE / 2, 10)).isEqualTo(3);
    }

    @Test
    void inTheLongRunPassesTheRate() {
        RateLimit limit = new RateLimit(100, 5, 0);
        int passed = 0;
        for (long now = 0; now < 10 * SECOND; now += SECOND / 1000) {
            passed += passed(limit, now, 1);
        }
        assertThat(passed).isBetween(1000, 1005);
    }

    @Test
    void aRateOfNothingPassesNothing() {
        assertThat(passed(new RateLimit(0, 5, 0), SECOND, 10)).isZero();
    }

    private static int passed(RateLimit limit, long nowNs, int tries) {
        int passed = 0;
        for (int i = 0; i < tries; i++) {
            passed += limit.pass(nowNs) ? 1 : 0;
        }
        return passed;
    }
}
