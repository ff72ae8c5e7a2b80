package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.Flows.syn;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.steer.TimeWaits.Verdict;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What still answers for a connection that is over. Our next number is 7000, the peer's 9000. */
class TimeWaitsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long DURATION = 60 * SECOND;
    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final TimeWaitRow ROW = new TimeWaitRow(seq(7000), seq(9000), 512);
    private static final Verdict IGNORE = new Verdict.Ignore();

    private final NicCounts counts = new NicCounts();
    private final TimeWaits waits = new TimeWaits(3, DURATION, counts);

    @Test
    void acknowledgesALateFinAndStartsAgain() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(segment("FA", 8999, 7000, ""), 50 * SECOND)).isEqualTo(answer());
        waits.tick(DURATION);
        assertThat(waits.has(FLOW)).isTrue();
        assertThat(waits.nextNs()).isEqualTo(50 * SECOND + DURATION);
        assertThat(arrived(segment("FA", 8990, 7000, "123456789"), 51 * SECOND)).isEqualTo(answer());
        waits.tick(50 * SECOND + DURATION);
        assertThat(waits.has(FLOW)).isTrue();
        waits.tick(51 * SECOND + DURATION);
        assertThat(waits.has(FLOW)).isFalse();
    }

    @Test
    void noResetEndsIt() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(segment("R", 9000, 0, ""), 1)).isEqualTo(IGNORE);
        assertThat(arrived(segment("RA", 9000, 7000, ""), 2)).isEqualTo(IGNORE);
        assertThat(waits.has(FLOW)).isTrue();
        assertThat(counts.of(NicCounter.TIME_WAIT_RESETS_IGNORED)).isEqualTo(2);
    }

    @Test
    void acknowledgesOldDataEveryTimeAndDoesNotStartAgain() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(segment("PA", 8000, 7000, "old"), 1)).isEqualTo(answer());
        assertThat(arrived(segment("PA", 8000, 7000, "old"), 2)).isEqualTo(answer());
        assertThat(waits.nextNs()).isEqualTo(DURATION);
        assertThat(counts.of(NicCounter.TIME_WAIT_ACKS)).isEqualTo(2);
    }

    @Test
    void twoEndsThatDisagreeDoNotChatOnForEver() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(segment("A", 8000, 7000, ""), 1)).isEqualTo(answer());
        assertThat(arrived(segment("A", 8000, 7000, ""), 2)).isEqualTo(IGNORE);
        assertThat(arrived(segment("A", 8000, 7000, ""), SECOND)).isEqualTo(answer());
    }

    @Test
    void aBareAckInOrderIsNotAnswered() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(segment("A", 9000, 7000, ""), 1)).isEqualTo(IGNORE);
    }

    @Test
    void aSynBeyondTheOldNumbersReopensAndSaysWhatOursMustExceed() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(syn(9001), 1)).isEqualTo(new Verdict.Reopen(seq(7000)));
        assertThat(waits.has(FLOW))
                .as("TIME_WAIT goes on until the new handshake is complete")
                .isTrue();
        waits.forget(FLOW);
        assertThat(waits.arrived(FLOW, syn(9001), 2)).isEmpty();
    }

    @Test
    void anOldSynIsAcknowledged() {
        waits.enter(FLOW, ROW, 0);
        assertThat(arrived(syn(9000), 1)).isEqualTo(answer());
        assertThat(arrived(syn(8000), SECOND)).isEqualTo(answer());
        assertThat(arrived(segment("SA", 9500, 7000, ""), 2 * SECOND)).isEqualTo(answer());
    }

    @Test
    void numbersAreComparedModulo() {
        waits.enter(FLOW, new TimeWaitRow(seq(7000), seq(0xffff_fff0L), 512), 0);
        assertThat(arrived(syn(0x10), 1)).isInstanceOf(Verdict.Reopen.class);
        assertThat(arrived(syn(0xffff_ff00L), 2)).isInstanceOf(Verdict.Answer.class);
    }

    @Test
    void aFullTableDropsTheRowWithTheLeastTimeLeft() {
        FlowKey other = flow("10.0.0.1:5000", "10.0.0.2:1");
        waits.enter(FLOW, ROW, 0);
        waits.enter(other, ROW, 1);
        waits.enter(flow("10.0.0.1:5000", "10.0.0.2:2"), ROW, 2);
        arrived(segment("FA", 8999, 7000, ""), 3);
        waits.enter(flow("10.0.0.1:5000", "10.0.0.2:3"), ROW, 4);
        assertThat(waits.has(other)).isFalse();
        assertThat(waits.has(FLOW)).isTrue();
        assertThat(counts.of(NicCounter.TIME_WAIT_EVICTIONS)).isEqualTo(1);
    }

    @Test
    void aTableOfNoRowsKeepsNone() {
        TimeWaits none = new TimeWaits(0, DURATION, counts);
        none.enter(FLOW, ROW, 0);
        assertThat(none.has(FLOW)).isFalse();
        assertThat(none.nextNs()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithASearchedMap(long seed) {
        Random random = new Random(seed);
        TimeWaits table = new TimeWaits(6, DURATION, counts);
        Map<FlowKey, Long> model = new LinkedHashMap<>(); // To its deadline.
        long now = -5 * SECOND;
        for (int step = 0; step < 4_000; step++) {
            now += (long) (random.nextDouble() * 8 * SECOND);
            FlowKey flow = flow("10.0.0.1:5000", "10.0.0.2:" + (1 + random.nextInt(9)));
            switch (random.nextInt(4)) {
                case 0 -> {
                    table.enter(flow, ROW, now);
                    model.remove(flow);
                    if (model.size() == 6) {
                        model.entrySet().stream()
                                .min(Map.Entry.comparingByValue())
                                .map(Map.Entry::getKey)
                                .ifPresent(model::remove);
                    }
                    model.put(flow, now + DURATION);
                }
                case 1 -> {
                    boolean there = table.arrived(flow, segment("FA", 8999, 7000, ""), now)
                            .isPresent();
                    assertThat(there).isEqualTo(model.containsKey(flow));
                    model.replace(flow, now + DURATION);
                }
                case 2 -> {
                    table.forget(flow);
                    model.remove(flow);
                }
                default -> {
                    table.tick(now);
                    long limit = now;
                    model.values().removeIf(at -> at <= limit);
                }
            }
            assertThat(table.size()).isEqualTo(model.size());
            assertThat(model.keySet()).allMatch(table::has);
            assertThat(table.nextNs())
                    .isEqualTo(model.values().stream().min(Long::compare).orElse(Long.MAX_VALUE));
        }
    }

    private Verdict arrived(Segment segment, long nowNs) {
        return waits.arrived(FLOW, segment, nowNs).orElseThrow();
    }

    private static Verdict answer() {
        Segment ack = segment("A", 7000, 9000, "");
        return new Verdict.Answer(new Segment(ack.seq(), ack.ack(), ack.flags(), 512, ack.options(), ack.payload()));
    }
}
