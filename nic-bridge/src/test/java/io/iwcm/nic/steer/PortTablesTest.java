package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.end;
import static io.iwcm.nic.testkit.Flows.ip;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.FlowKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which ports are given to active opens. */
class PortTablesTest {

    private static final SipHash HASH = new SipHash(11, 22);
    private final NicCounts counts = new NicCounts();

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
