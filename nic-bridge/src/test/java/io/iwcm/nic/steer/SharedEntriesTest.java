package io.iwcm.nic.steer;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicEvent.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One table of a slow device and its users (PROTOCOL §16). The turn is the list of what is told in it; the device writes its
 * orders down and the test answers them.
 */
class SharedEntriesTest {

    private static final int PORT = 4420;

    private final List<String> orders = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final SharedEntries<Integer, List<String>> ports = new SharedEntries<>(new SharedEntries.Orders<>() {
        @Override
        public void add(Integer key, List<String> turn) {
            orders.add("add " + key);
        }

        @Override
        public void delete(Integer key, List<String> turn) {
            orders.add("delete " + key);
        }

        @Override
        public void stuck(Integer key, List<String> turn) {
            orders.add("stuck " + key);
        }

        @Override
        public void gone(Integer key) {
            orders.add("gone " + key);
        }
    });

    @Test
    void theFirstUserAddsAndTheLastDeletes() {
        EntryUse<Integer> first = use("first");
        assertThat(first.isWaiting()).isTrue();
        added(true);
        EntryUse<Integer> second = use("second");
        assertThat(second.isReady()).as("it is there already").isTrue();
        ports.leave(first, told);
        ports.leave(first, told);
        assertThat(orders).containsExactly("add 4420");
        ports.leave(second, told);
        assertThat(orders).containsExactly("add 4420", "delete 4420");
        deleted(true);
        assertThat(orders).endsWith("gone 4420");
        assertThat(ports.size()).isZero();
        assertThat(told).as("told only what was not seen at once").containsExactly("first");
    }

    /** PROTOCOL §16 (c): the second user waits for the result too. */
    @Test
    void whoComesDuringTheAdditionSharesItsOutcome() {
        EntryUse<Integer> first = use("first");
        EntryUse<Integer> second = use("second");
        assertThat(second.isWaiting()).isTrue();
        added(true);
        assertThat(first.isReady() && second.isReady()).isTrue();
        assertThat(told).containsExactly("first", "second");
        assertThat(orders).containsExactly("add 4420");
    }

    /** PROTOCOL §16 (b): the entry is unlinked and both fail; the next user begins anew. */
    @Test
    void whenTheAdditionFailsAllWhoWaitFailAndTheNextBeginsAnew() {
        EntryUse<Integer> first = use("first");
        EntryUse<Integer> second = use("second");
        added(false);
        assertThat(first.failure()).contains(Failure.DEVICE);
        assertThat(second.failure()).contains(Failure.DEVICE);
        ports.leave(first, told);
        ports.leave(second, told);
        assertThat(orders).as("nothing to delete").containsExactly("add 4420", "gone 4420");
        EntryUse<Integer> third = use("third");
        added(true);
        assertThat(third.isReady()).isTrue();
        assertThat(told).containsExactly("first", "second", "third");
    }

    /** FC-16, PROTOCOL §16 (a): a deletion under way is not overtaken, and the bit does not end clear. */
    @Test
    void whoComesDuringTheDeletionHasItAddedAgainBehindIt() {
        ports.leave(ready(), told);
        EntryUse<Integer> next = use("next");
        assertThat(orders).as("one thing at a time").containsExactly("add 4420", "delete 4420");
        deleted(true);
        assertThat(orders).containsExactly("add 4420", "delete 4420", "add 4420");
        assertThat(next.isWaiting()).isTrue();
        added(true);
        assertThat(next.isReady()).isTrue();
    }

    @Test
    void whoLeavesDuringTheAdditionIsNotToldAndTheEntryIsDeletedOnceItIsThere() {
        ports.leave(use("first"), told);
        assertThat(orders).containsExactly("add 4420");
        added(true);
        assertThat(orders).containsExactly("add 4420", "delete 4420");
        deleted(true);
        assertThat(told).isEmpty();
        assertThat(ports.size()).isZero();
    }

    @Test
    void anEntryThatTheDeviceWillNotDeleteServesTheNextUserOrIsDeletedLater() {
        ports.leave(ready(), told);
        deleted(false);
        assertThat(orders).containsExactly("add 4420", "delete 4420", "stuck 4420");
        EntryUse<Integer> next = use("next");
        assertThat(next.isReady()).as("it is still there").isTrue();
        ports.deleteAgain(PORT, told);
        assertThat(orders).as("it is used").hasSize(3);
        ports.leave(next, told);
        deleted(false);
        ports.deleteAgain(PORT, told);
        deleted(true);
        assertThat(orders).endsWith("stuck 4420", "delete 4420", "gone 4420");
    }

    @Test
    void whoWaitsForADeletionThatFailsHasTheEntry() {
        ports.leave(ready(), told);
        EntryUse<Integer> next = use("next");
        deleted(false);
        assertThat(next.isReady()).isTrue();
        assertThat(orders).containsExactly("add 4420", "delete 4420");
    }

    /** A slow device of which one order in four fails, and users who come and go: a set is the model. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theDeviceHasWhatIsUsedAndIsToldOneThingAtATime(long seed) {
        new Model(seed).run();
    }

    private EntryUse<Integer> use(String name) {
        return ports.use(PORT, turn -> turn.add(name), told);
    }

    private EntryUse<Integer> ready() {
        EntryUse<Integer> use = use("ready");
        added(true);
        return use;
    }

    private void added(boolean ok) {
        ports.added(PORT, outcome(ok), told);
    }

    private void deleted(boolean ok) {
        ports.deleted(PORT, outcome(ok), told);
    }

    private static Optional<Failure> outcome(boolean ok) {
        return ok ? Optional.empty() : Optional.of(Failure.DEVICE);
    }

    private static final class Model implements SharedEntries.Orders<Integer, Set<EntryUse<Integer>>> {
        private final Random random;
        private final SharedEntries<Integer, Set<EntryUse<Integer>>> entries = new SharedEntries<>(this);
        private final Set<Integer> device = new HashSet<>();
        private final Map<Integer, Boolean> underWay = new LinkedHashMap<>();
        private final Set<Integer> stuck = new HashSet<>();
        private final Map<EntryUse<Integer>, Integer> calls = new HashMap<>();
        private final List<EntryUse<Integer>> uses = new ArrayList<>();
        private final Set<EntryUse<Integer>> turn = new HashSet<>();

        Model(long seed) {
            random = new Random(seed);
        }

        void run() {
            for (int step = 0; step < 4_000; step++) {
                switch (random.nextInt(5)) {
                    case 0, 1 -> come(random.nextInt(3));
                    case 2 -> leave();
                    default -> answer(random.nextInt(4) > 0);
                }
                check();
            }
            while (!uses.isEmpty()) leave();
            while (!underWay.isEmpty() || !stuck.isEmpty()) {
                answer(true);
                List.copyOf(stuck).forEach(this::again);
            }
            assertThat(device).isEmpty();
            assertThat(entries.size()).isZero();
            assertThat(calls.values()).as("told once").containsOnly(1);
        }

        private void come(int key) {
            List<EntryUse<Integer>> made = new ArrayList<>();
            EntryUse<Integer> use = entries.use(key, _ -> calls.merge(made.getFirst(), 1, Integer::sum), turn);
            made.add(use);
            uses.add(use);
        }

        private void leave() {
            if (!uses.isEmpty()) entries.leave(uses.remove(random.nextInt(uses.size())), turn);
        }

        private void again(int key) {
            stuck.remove(key);
            entries.deleteAgain(key, turn);
        }

        private void answer(boolean ok) {
            if (underWay.isEmpty()) return;
            List<Integer> keys = List.copyOf(underWay.keySet());
            int key = keys.get(random.nextInt(keys.size()));
            if (underWay.remove(key)) {
                if (ok) assertThat(device.add(key)).isTrue();
                entries.added(key, outcome(ok), turn);
            } else {
                if (ok) assertThat(device.remove(key)).isTrue();
                entries.deleted(key, outcome(ok), turn);
            }
        }

        private void check() {
            for (EntryUse<Integer> use : uses) {
                if (use.isReady()) {
                    assertThat(device).contains(use.key());
                    assertThat(underWay).as("a used entry is left alone").doesNotContainKey(use.key());
                }
                if (use.isWaiting()) assertThat(underWay).containsKey(use.key());
            }
        }

        @Override
        public void add(Integer key, Set<EntryUse<Integer>> turn) {
            assertThat(underWay.put(key, true)).isNull();
        }

        @Override
        public void delete(Integer key, Set<EntryUse<Integer>> turn) {
            assertThat(underWay.put(key, false)).isNull();
        }

        @Override
        public void stuck(Integer key, Set<EntryUse<Integer>> turn) {
            stuck.add(key);
        }

        @Override
        public void gone(Integer key) {
            assertThat(device).doesNotContain(key);
        }
    }
}
