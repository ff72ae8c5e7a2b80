package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyedIsnSourceTest {

    private static final FlowKey FLOW = Flows.flow("10.0.0.1:4420", "10.0.0.2:50000");

    private final KeyedIsnSource source = new KeyedIsnSource(new SipHash(1, 2));

    @Test
    void growsByOneEveryFourMicrosecondsForOneFlow() {
        assertThat(source.isn(FLOW, 4_000_000_000L).minus(source.isn(FLOW, 3_000_000_000L)))
                .isEqualTo(250_000);
        assertThat(source.isn(FLOW, 3_999)).isEqualTo(source.isn(FLOW, 0));
    }

    @Test
    void hasNoVisibleRelationBetweenNeighbouringFlows() {
        Set<Integer> steps = new HashSet<>();
        for (int port = 1; port <= 1_000; port++) {
            FlowKey one = Flows.flow("10.0.0.1:4420", "10.0.0.2:" + port);
            FlowKey next = Flows.flow("10.0.0.1:4420", "10.0.0.2:" + (port + 1));
            steps.add(source.isn(next, 0).minus(source.isn(one, 0)));
        }
        assertThat(steps).hasSizeGreaterThan(990);
    }

    @Test
    void tellsVlansApart() {
        assertThat(source.isn(Flows.flow("10.0.0.1:4420", "10.0.0.2:50000", 100), 0))
                .isNotEqualTo(source.isn(FLOW, 0));
    }

    @Test
    void hasAnotherSecretEachTime() {
        assertThat(KeyedIsnSource.ofFreshSecret().isn(FLOW, 0))
                .isNotEqualTo(KeyedIsnSource.ofFreshSecret().isn(FLOW, 0));
    }
}
