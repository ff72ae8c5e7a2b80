package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.end;
import static io.iwcm.nic.testkit.Flows.ip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.wire.FlowKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ports are ours, and which are given to active opens. */
class PortTablesTest {

    private static final SipHash HASH = new SipHash(11, 22);
    private final NicCounts counts = new NicCounts();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void aPortIsOursFromItsFirstUserToItsLast(long seed) {
        Random random = new Random(seed);
        Apbvt apbvt = new Apbvt(counts);
        Map<Integer, Integer> model = new HashMap<>();
        long firsts = 0;
        for (int step = 0; step < 3_000; step++) {
            int port = random.nextInt(5) * 16383;
            int uses = model.getOrDefault(port, 0);
            if (random.nextBoolean() || uses == 0) {
                apbvt.add(port);
                firsts += uses == 0 ? 1 : 0;
                model.put(port, uses + 1);
            } else {
                apbvt.delete(port);
                model.put(port, uses - 1);
            }
            assertThat(apbvt.uses(port)).isEqualTo(model.get(port));
            assertThat(apbvt.has(port)).isEqualTo(model.get(port) > 0);
            assertThat(apbvt.ports())
                    .isEqualTo((int) model.values().stream().filter(n -> n > 0).count());
        }
        assertThat(counts.of(NicCounter.APBVT_ADDS)).isEqualTo(firsts);
        assertThat(counts.of(NicCounter.APBVT_DELETES)).isEqualTo(firsts - apbvt.ports());
    }

    @Test
    void aPortIsNotGivenBackTwice() {
        Apbvt apbvt = new Apbvt(counts);
        apbvt.add(5000);
        apbvt.delete(5000);
        assertThatThrownBy(() -> apbvt.delete(5000)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void givesEveryPortOfTheRangeOnceAndThenNone() {
        PortAllocator ports = new PortAllocator(50000, 50099, HASH, counts);
        Set<FlowKey> used = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            FlowKey flow = ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4420"), 0, used::contains)
                    .orElseThrow();
            assertThat(flow.local().port()).isBetween(50000, 50099);
            assertThat(used.add(flow)).isTrue();
        }
        assertThat(ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4420"), 0, used::contains))
                .isEmpty();
        assertThat(counts.of(NicCounter.PORTS_EXHAUSTED)).isEqualTo(1);

        FlowKey back = used.iterator().next();
        used.remove(back);
        assertThat(ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4420"), 0, used::contains))
                .isEqualTo(Optional.of(back));
    }

    @Test
    void aPortIsFreeAgainTowardEveryOtherRemoteEndLocalAddressAndVlan() {
        PortAllocator ports = new PortAllocator(50000, 50000, HASH, counts);
        Set<FlowKey> used = new HashSet<>();
        used.add(ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4420"), 0, used::contains)
                .orElseThrow());
        assertThat(ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4420"), 0, used::contains))
                .isEmpty();
        assertThat(ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4421"), 0, used::contains))
                .isPresent();
        assertThat(ports.allocate(ip("10.0.0.1"), end("10.0.0.3:4420"), 0, used::contains))
                .isPresent();
        assertThat(ports.allocate(ip("10.0.0.9"), end("10.0.0.2:4420"), 0, used::contains))
                .isPresent();
        assertThat(ports.allocate(ip("10.0.0.1"), end("10.0.0.2:4420"), 7, used::contains))
                .isPresent();
    }

    @Test
    void startsElsewhereForEveryRemoteEndAndEverySecret() {
        Set<Integer> starts = new HashSet<>();
        for (int i = 1; i <= 50; i++) {
            PortAllocator one = new PortAllocator(49152, 65535, HASH, counts);
            PortAllocator other = new PortAllocator(49152, 65535, new SipHash(11, 23 + i), counts);
            starts.add(port(one, "10.0.1." + i + ":4420"));
            starts.add(port(other, "10.0.0.2:4420"));
        }
        assertThat(starts).hasSizeGreaterThan(90); // 100 draws of 16384 meet about once in three.
    }

    private static int port(PortAllocator ports, String remote) {
        return ports.allocate(ip("10.0.0.1"), end(remote), 0, _ -> false)
                .orElseThrow()
                .local()
                .port();
    }
}
