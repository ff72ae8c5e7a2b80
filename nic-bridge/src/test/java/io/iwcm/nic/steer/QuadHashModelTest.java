package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The quad hash beside a model that counts everything anew each time it is asked. */
class QuadHashModelTest {

    private static final int FLOWS_MAX = 12;
    private static final int LISTENERS_MAX = 3;

    /** A flow as the model sees it; a listener is a number that no other incarnation has. */
    private record Flow(boolean installed, long epoch, int listener, BacklogPlace place) {}

    private record Listener(int number, int synBacklog, int backlog) {}

    private final QuadHash hash = new QuadHash(FLOWS_MAX, LISTENERS_MAX, new NicCounts());
    private final Map<FlowKey, Flow> flows = new HashMap<>();
    private final Map<ListenKey, Listener> listeners = new HashMap<>();
    private long lastEpoch;
    private int lastListener;

    static long[] seeds() {
        return new Random(4711).longs(20).toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithTheModel(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 600; step++) {
            int port = 5000 + random.nextInt(4);
            ListenKey key = Flows.listen("10.0.0.1:" + port, 0);
            FlowKey flow = flow("10.0.0.1:" + port, "10.0.0.2:" + (1 + random.nextInt(5)));
            switch (random.nextInt(10)) {
                case 0 -> listen(key, 1 + random.nextInt(3), 1 + random.nextInt(4));
                case 1 -> assertThat(hash.unlisten(key)).isEqualTo(listeners.remove(key) != null);
                case 2 -> reserve(flow);
                case 3, 4, 5 -> install(flow, random.nextInt(4) == 0 ? Optional.empty() : Optional.of(key));
                case 6, 7 -> move(flow, BacklogPlace.values()[random.nextInt(3)]);
                default -> remove(flow);
            }
            agree();
        }
    }

    private void listen(ListenKey key, int synBacklog, int backlog) {
        Listener old = listeners.get(key);
        boolean fits = old != null || listeners.size() < LISTENERS_MAX;
        assertThat(hash.listen(key, synBacklog, backlog, SynOffer.DEFAULT).isEmpty())
                .isEqualTo(fits);
        if (fits) {
            listeners.put(key, new Listener(old == null ? ++lastListener : old.number, synBacklog, backlog));
        }
    }

    private void reserve(FlowKey flow) {
        Optional<Failure> expected = flows.containsKey(flow)
                ? Optional.of(Failure.QUAD_TAKEN)
                : flows.size() >= FLOWS_MAX ? Optional.of(Failure.RESOURCES) : Optional.empty();
        assertThat(hash.reserve(flow, new Owner(1))).isEqualTo(expected);
        if (expected.isEmpty()) {
            flows.put(flow, new Flow(false, 0, 0, BacklogPlace.NONE));
        }
    }

    private void install(FlowKey flow, Optional<ListenKey> by) {
        if (flows.containsKey(flow) && flows.get(flow).installed) {
            FlowEntry entry = hash.find(flow).orElseThrow();
            assertThat(hash.install(entry, by)).isEmpty(); // And nothing changes.
            return;
        }
        NicRequest request = new NicRequest(flow, 0, 1, List.of(), Optional.empty());
        Optional<FlowEntry> claimed = hash.claim(new Owner(1), request);
        assertThat(claimed.isPresent()).isEqualTo(flows.containsKey(flow) || flows.size() < FLOWS_MAX);
        if (claimed.isEmpty()) {
            return;
        }
        Listener listener = by.map(listeners::get).orElse(null);
        Optional<Failure> expected = Optional.empty();
        if (by.isPresent() && listener == null) {
            expected = Optional.of(Failure.NOT_LISTENING);
        } else if (listener != null && admits(listener) != Drop.NONE) {
            expected = Optional.of(Failure.BACKLOG_FULL);
        }
        assertThat(hash.install(claimed.get(), by)).isEqualTo(expected);
        if (expected.isPresent()) {
            flows.put(flow, new Flow(false, 0, 0, BacklogPlace.NONE));
            return;
        }
        assertThat(claimed.get().epoch()).isGreaterThan(lastEpoch);
        lastEpoch = claimed.get().epoch();
        flows.put(
                flow,
                listener == null
                        ? new Flow(true, lastEpoch, 0, BacklogPlace.NONE)
                        : new Flow(true, lastEpoch, listener.number, BacklogPlace.HALF_OPEN));
    }

    private void move(FlowKey key, BacklogPlace to) {
        Flow flow = flows.get(key);
        if (flow == null) {
            return;
        }
        hash.move(hash.find(key).orElseThrow(), to);
        if (flow.place != BacklogPlace.NONE) {
            flows.put(key, new Flow(true, flow.epoch, to == BacklogPlace.NONE ? 0 : flow.listener, to));
        }
    }

    private void remove(FlowKey key) {
        assertThat(hash.find(key).isPresent()).isEqualTo(flows.containsKey(key));
        hash.find(key).ifPresent(hash::remove);
        flows.remove(key);
    }

    private void agree() {
        assertThat(hash.size()).isEqualTo(flows.size());
        assertThat(hash.listeners()).hasSize(listeners.size());
        listeners.forEach((key, listener) -> {
            SynEntry entry = hash.listener(key).orElseThrow();
            assertThat(entry.halfOpen()).isEqualTo(places(listener, BacklogPlace.HALF_OPEN));
            assertThat(entry.waiting()).isEqualTo(places(listener, BacklogPlace.WAITING));
            assertThat(entry.admits()).isEqualTo(admits(listener));
        });
        flows.forEach((key, flow) -> {
            FlowEntry entry = hash.find(key).orElseThrow();
            assertThat(entry.isInstalled()).isEqualTo(flow.installed);
            assertThat(entry.epoch()).isEqualTo(flow.epoch);
            assertThat(entry.place()).isEqualTo(flow.place);
        });
    }

    private Drop admits(Listener listener) {
        int halfOpen = places(listener, BacklogPlace.HALF_OPEN);
        int all = halfOpen + places(listener, BacklogPlace.WAITING);
        return all >= listener.backlog
                ? Drop.BACKLOG_FULL
                : halfOpen >= listener.synBacklog ? Drop.SYN_BACKLOG_FULL : Drop.NONE;
    }

    private int places(Listener listener, BacklogPlace place) {
        return (int) flows.values().stream()
                .filter(flow -> flow.listener == listener.number && flow.place == place)
                .count();
    }
}
