package io.iwcm.nic.steer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines beside a plain map that is searched. */
class DeadlinesTest {

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithASearchedMap(long seed) {
        Random random = new Random(seed);
        Deadlines<Integer> deadlines = new Deadlines<>();
        Map<Integer, Long> model = new HashMap<>();
        long now = -500;
        for (int step = 0; step < 5_000; step++) {
            int key = random.nextInt(40);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    long at = random.nextInt(20) == 0 ? Long.MAX_VALUE : now + random.nextInt(60) - 10;
                    deadlines.set(key, at);
                    if (at == Long.MAX_VALUE) {
                        model.remove(key);
                    } else {
                        model.put(key, at);
                    }
                }
                case 2 -> {
                    deadlines.clear(key);
                    model.remove(key);
                }
                default -> {
                    now += random.nextInt(15);
                    assertThat(drained(deadlines, now)).containsExactlyInAnyOrderElementsOf(dueIn(model, now));
                    long limit = now;
                    model.values().removeIf(at -> at <= limit);
                }
            }
            assertThat(deadlines.size()).isEqualTo(model.size());
            assertThat(deadlines.nextNs())
                    .isEqualTo(model.values().stream()
                            .min(Comparator.naturalOrder())
                            .orElse(Long.MAX_VALUE));
        }
    }

    private static List<Integer> drained(Deadlines<Integer> deadlines, long now) {
        List<Integer> drained = new ArrayList<>();
        for (Optional<Integer> due = deadlines.takeDue(now); due.isPresent(); due = deadlines.takeDue(now)) {
            drained.add(due.get());
        }
        return drained;
    }

    private static List<Integer> dueIn(Map<Integer, Long> model, long now) {
        return model.entrySet().stream()
                .filter(e -> e.getValue() <= now)
                .map(Map.Entry::getKey)
                .toList();
    }
}
