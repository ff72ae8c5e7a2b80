package io.iwcm.nic.steer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which request ids count as carried out. */
class RequestIdsTest {

    @Test
    void takesALostRequestThatComesAfterALaterOne() {
        RequestIds ids = new RequestIds();
        assertThat(ids.first(1)).isTrue();
        assertThat(ids.first(3)).isTrue();
        assertThat(ids.first(2)).isTrue();
        assertThat(ids.first(2)).isFalse();
        assertThat(ids.first(1)).isFalse();
        assertThat(ids.highest()).isEqualTo(3);
    }

    @Test
    void takesNoIdThatCannotBe() {
        RequestIds ids = new RequestIds();
        assertThat(ids.first(0)).isFalse();
        assertThat(ids.first(-1)).isFalse();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void takesEachIdOnceAndNoneFromBelowItsMemory(long seed) {
        Random random = new Random(seed);
        RequestIds ids = new RequestIds();
        Set<Long> seen = new HashSet<>();
        long highest = 0;
        for (int step = 0; step < 5_000; step++) {
            long id = Math.max(1, highest + random.nextInt(90) - 80);
            if (random.nextInt(200) == 0) {
                id = highest + random.nextInt(100);
            }
            boolean remembered = id > highest - RequestIds.SPAN;
            assertThat(ids.first(id)).as("id %d after %d", id, highest).isEqualTo(remembered && id > 0 && seen.add(id));
            highest = Math.max(highest, id);
        }
    }
}
