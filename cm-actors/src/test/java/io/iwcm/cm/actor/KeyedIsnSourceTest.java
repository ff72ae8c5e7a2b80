package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.SeqNum;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("FC-49A")
class KeyedIsnSourceTest {

    private static final FlowKey FLOW = Flows.flow("10.0.0.1:4420", "10.0.0.2:50000");

    private static final long SECOND_NS = 1_000_000_000L;

    private final KeyedIsnSource source = new KeyedIsnSource(new SipHash(0x1122334455667788L, 0x99aabbccddeeff00L));

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

    /** Numbers of ten thousand flows: none in arithmetic with the next, and spread over the whole space. */
    @Test
    void showsNothingOfItselfInTenThousandFlows() {
        Set<SeqNum> numbers = new HashSet<>();
        Set<Integer> steps = new HashSet<>();
        int[] sixteenths = new int[16];
        SeqNum before = source.isn(FLOW, 0);
        for (int i = 0; i < 10_000; i++) {
            SeqNum isn = source.isn(Flows.flow("10.0.0.1:4420", "10.0." + i / 250 + ".2:" + (1_000 + i % 250)), 0);
            numbers.add(isn);
            steps.add(isn.minus(before));
            sixteenths[isn.value() >>> 28]++;
            before = isn;
        }
        assertThat(numbers).hasSizeGreaterThan(9_990);
        assertThat(steps).hasSizeGreaterThan(9_990);
        assertThat(IntStream.of(sixteenths)).allMatch(count -> count > 500 && count < 750);
    }

    @Test
    void growsByAQuarterMillionASecond() {
        for (long seconds : new long[] {1, 60}) {
            assertThat(source.isn(FLOW, seconds * SECOND_NS).minus(source.isn(FLOW, 0)))
                    .isEqualTo((int) (250_000 * seconds));
        }
    }

    /** What people print and log: the parameters with the source in them. */
    @Test
    void neverTellsItsSecret() {
        String printed = source + TestParams.ordinary(source).toString() + new SipHash(0x1122334455667788L, 2);
        assertThat(printed)
                .doesNotContainIgnoringCase("1122334455667788")
                .doesNotContain(Long.toString(0x1122334455667788L))
                .doesNotContainIgnoringCase("99aabbccddeeff00")
                .doesNotContain(Long.toString(0x99aabbccddeeff00L));
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
