package io.iwcm.nic.steer;

import static io.iwcm.nic.steer.Neighbours.Asked.READY;
import static io.iwcm.nic.steer.Neighbours.Asked.REFUSED;
import static io.iwcm.nic.steer.Neighbours.Asked.WAITING;
import static io.iwcm.nic.steer.Neighbours.State.FAILED;
import static io.iwcm.nic.steer.Neighbours.State.INCOMPLETE;
import static io.iwcm.nic.steer.Neighbours.State.REACHABLE;
import static io.iwcm.nic.steer.Neighbours.State.STALE;
import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.ip;
import static io.iwcm.nic.testkit.Flows.mac;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.steer.Neighbours.State;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage.Advertisement;
import io.iwcm.nic.wire.NeighbourMessage.Flags;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Finding, keeping and losing neighbours. */
class NeighboursTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Hop.Neighbour PEER = peer(2);
    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:1");
    private static final FlowKey OTHER = flow("10.0.0.1:5000", "10.0.0.2:2");

    private final NicCounts counts = new NicCounts();
    private final Neighbours table =
            new Neighbours(new Neighbours.Limits(4, 3, 3, SECOND, 30 * SECOND, 600 * SECOND), counts);
    private final Heard out = new Heard();

    @Test
    void asksThreeTimesASecondApartAndThenFailsEachWaiterOnce() {
        assertThat(table.ask(PEER, FLOW, 0, out)).isEqualTo(WAITING);
        assertThat(table.ask(PEER, OTHER, 0, out)).isEqualTo(WAITING);
        assertThat(table.ask(PEER, FLOW, 0, out)).isEqualTo(WAITING);
        for (long now = 0; now <= 10 * SECOND; now += SECOND / 4) {
            table.tick(now, out);
            int asked = (int) Math.min(3, now / SECOND + 1);
            assertThat(out.lines).filteredOn(line -> line.startsWith("ask")).hasSize(asked);
        }
        assertThat(out.lines)
                .containsExactly(
                        "ask 10.0.0.2 all", "ask 10.0.0.2 all", "ask 10.0.0.2 all", "lost " + FLOW, "lost " + OTHER);
        assertThat(state(PEER)).isEqualTo(FAILED);
        assertThat(table.waiting()).isZero();
        assertThat(counts.of(NicCounter.NEIGHBOUR_FAILURES)).isEqualTo(1);
    }

    @Test
    void aReplyAfterTwoSecondsReleasesTheWaiters() {
        table.ask(PEER, FLOW, 0, out);
        table.tick(SECOND, out);
        table.tick(2 * SECOND, out);
        table.confirmed(PEER, mac(9), 2 * SECOND, out);
        assertThat(out.lines).endsWith("found " + FLOW);
        assertThat(table.ask(PEER, OTHER, 2 * SECOND, out)).isEqualTo(READY);
        assertThat(table.find(PEER, 2 * SECOND, out)).isEqualTo(Optional.of(mac(9)));
        assertThat(state(PEER)).isEqualTo(REACHABLE);
        assertThat(table.waiting()).isZero();
    }

    @Test
    void aNeighbourThatFailedIsAskedAgainByTheNextUse() {
        table.ask(PEER, FLOW, 0, out);
        pass(0, 3 * SECOND);
        out.lines.clear();
        assertThat(table.ask(PEER, OTHER, 4 * SECOND, out)).isEqualTo(WAITING);
        assertThat(out.lines).containsExactly("ask 10.0.0.2 all");
        table.confirmed(PEER, mac(9), 5 * SECOND, out);
        assertThat(out.lines).endsWith("found " + OTHER);
    }

    @Test
    void whoDoesNotWaitAnyMoreIsNotTold() {
        table.ask(PEER, FLOW, 0, out);
        table.cancel(PEER, FLOW);
        table.cancel(PEER, FLOW);
        assertThat(table.waiting()).isZero();
        pass(0, 5 * SECOND);
        assertThat(out.lines).noneMatch(line -> line.startsWith("lost"));
    }

    @Test
    void aStaleNeighbourIsUsedAndAskedAgainDirectly() {
        learn(PEER, mac(9), 0);
        pass(0, 30 * SECOND);
        assertThat(state(PEER)).isEqualTo(STALE);
        assertThat(table.find(PEER, 31 * SECOND, out)).isEqualTo(Optional.of(mac(9)));
        assertThat(table.find(PEER, 31 * SECOND, out)).isEqualTo(Optional.of(mac(9)));
        assertThat(out.lines).containsExactly("ask 10.0.0.2 " + mac(9));
        table.confirmed(PEER, mac(9), 32 * SECOND, out);
        assertThat(state(PEER)).isEqualTo(REACHABLE);
    }

    @Test
    void aStaleNeighbourThatDoesNotAnswerIsLost() {
        learn(PEER, mac(9), 0);
        pass(0, 30 * SECOND);
        table.find(PEER, 31 * SECOND, out);
        pass(31 * SECOND, 34 * SECOND);
        assertThat(state(PEER)).isEqualTo(FAILED);
        assertThat(table.find(PEER, 35 * SECOND, out)).isEmpty();
        assertThat(out.lines).endsWith("ask 10.0.0.2 all");
    }

    @Test
    void aNeighbourThatNobodyUsesIsForgotten() {
        learn(PEER, mac(9), 0);
        pass(0, 30 * SECOND);
        pass(30 * SECOND, 630 * SECOND);
        assertThat(table.size()).isZero();
        assertThat(table.nextNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void arpMergesWhatItKnowsAndAddsWhoAsksForUs() {
        table.heard(PEER, mac(9), false, 0, out);
        assertThat(table.size()).isZero();
        table.heard(PEER, mac(9), true, 0, out);
        assertThat(state(PEER)).isEqualTo(STALE);
        table.heard(PEER, mac(8), false, 1, out);
        assertThat(table.find(PEER, 2, out)).isEqualTo(Optional.of(mac(8)));
        assertThat(counts.of(NicCounter.NEIGHBOUR_CHANGES)).isEqualTo(1);
    }

    @Test
    void whatIsHeardReleasesTheWaitersToo() {
        table.ask(PEER, FLOW, 0, out);
        table.heard(PEER, mac(9), false, 1, out);
        assertThat(out.lines).endsWith("found " + FLOW);
        assertThat(state(PEER)).isEqualTo(STALE);
    }

    @Test
    void believesNoMacThatNoHostHas() {
        table.ask(PEER, FLOW, 0, out);
        for (MacAddress bad : List.of(MacAddress.ZERO, MacAddress.BROADCAST, MacAddress.parse("01:00:5e:00:00:01"))) {
            table.confirmed(PEER, bad, 1, out);
            table.heard(PEER, bad, true, 1, out);
            table.advertised(PEER, advert(bad, true, true), 1, out);
        }
        assertThat(state(PEER)).isEqualTo(INCOMPLETE);
        assertThat(table.find(PEER, 2, out)).isEmpty();
        assertThat(counts.of(NicCounter.NEIGHBOUR_BAD_MAC)).isEqualTo(9);
    }

    @Test
    void aReplyThatNobodyAskedForIsIgnored() {
        table.confirmed(PEER, mac(9), 0, out);
        table.advertised(PEER, advert(mac(9), true, true), 0, out);
        assertThat(table.size()).isZero();
    }

    /** RFC 4861 §7.2.5 and its appendix C, one line each; a dash is an option that is not there. */
    @ParameterizedTest
    @CsvSource({
        "INCOMPLETE, -, true, true, INCOMPLETE, 0",
        "INCOMPLETE, 8, true, true, REACHABLE, 8",
        "INCOMPLETE, 8, true, false, REACHABLE, 8",
        "INCOMPLETE, 8, false, true, STALE, 8",
        "REACHABLE, 8, true, false, STALE, 9",
        "STALE, 8, true, false, STALE, 9",
        "REACHABLE, 8, true, true, REACHABLE, 8",
        "REACHABLE, 8, false, true, STALE, 8",
        "STALE, 8, true, true, REACHABLE, 8",
        "STALE, 9, true, false, REACHABLE, 9",
        "STALE, -, true, false, REACHABLE, 9",
        "STALE, 9, false, true, STALE, 9",
        "REACHABLE, 9, false, true, REACHABLE, 9",
        "REACHABLE, -, false, false, REACHABLE, 9",
    })
    void advertisementsByTheBook(State before, String told, boolean solicited, boolean override, State after, int mac) {
        table.ask(PEER, FLOW, 0, out);
        switch (before) {
            case INCOMPLETE -> {}
            case REACHABLE -> table.confirmed(PEER, mac(9), 0, out);
            default -> table.heard(PEER, mac(9), true, 0, out);
        }
        Optional<MacAddress> option = told.equals("-") ? Optional.empty() : Optional.of(mac(Integer.parseInt(told)));
        Ipv6Address any = (Ipv6Address) ip("fd00::2");
        table.advertised(PEER, new Advertisement(any, any, any, option, new Flags(false, solicited, override)), 1, out);
        assertThat(state(PEER)).isEqualTo(after);
        assertThat(table.rows().getFirst().mac()).isEqualTo(mac == 0 ? MacAddress.ZERO : mac(mac));
    }

    @Test
    void aFullTableForgetsWhoWasUsedLongestAgo() {
        for (int i = 2; i <= 5; i++) {
            table.heard(peer(i), mac(i), true, i, out);
        }
        table.find(peer(2), 10, out);
        table.heard(peer(6), mac(6), true, 11, out);
        assertThat(table.rows())
                .extracting(Neighbours.Row::neighbour)
                .containsExactly(peer(4), peer(5), peer(2), peer(6));
        assertThat(counts.of(NicCounter.NEIGHBOUR_EVICTIONS)).isEqualTo(1);
    }

    @Test
    void theUnresolvedTakeHalfOfTheTableAndNoMore() {
        assertThat(table.ask(peer(2), FLOW, 0, out)).isEqualTo(WAITING);
        assertThat(table.ask(peer(3), FLOW, 0, out)).isEqualTo(WAITING);
        assertThat(table.ask(peer(4), FLOW, 0, out)).isEqualTo(REFUSED);
        assertThat(counts.of(NicCounter.NEIGHBOUR_REFUSALS)).isEqualTo(1);
        pass(0, 3 * SECOND);
        assertThat(table.ask(peer(4), FLOW, 4 * SECOND, out)).isEqualTo(WAITING);
    }

    @Test
    void asManyWaitAsMay() {
        for (int port = 1; port <= 3; port++) {
            assertThat(table.ask(PEER, flow("10.0.0.1:5000", "10.0.0.2:" + port), 0, out))
                    .isEqualTo(WAITING);
        }
        assertThat(table.ask(PEER, flow("10.0.0.1:5000", "10.0.0.2:4"), 0, out)).isEqualTo(REFUSED);
        assertThat(table.ask(PEER, FLOW, 0, out)).isEqualTo(WAITING);
        assertThat(table.waiting()).isEqualTo(3);
    }

    @Test
    void oneAddressOnTwoVlansIsTwoNeighbours() {
        Hop.Neighbour tagged = new Hop.Neighbour(ip("10.0.0.2"), 100);
        table.heard(PEER, mac(9), true, 0, out);
        table.heard(tagged, mac(8), true, 0, out);
        assertThat(table.find(PEER, 1, out)).isEqualTo(Optional.of(mac(9)));
        assertThat(table.find(tagged, 1, out)).isEqualTo(Optional.of(mac(8)));
    }

    static long[] seeds() {
        return new Random(815).longs(20).toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsLimitsTellsEveryWaiterOnceAndSettles(long seed) {
        Random random = new Random(seed);
        Set<String> waitingModel = new HashSet<>();
        long now = -100 * SECOND;
        int flows = 0;
        for (int step = 0; step < 1_000; step++) {
            now += random.nextInt(4) == 0 ? (long) (random.nextDouble() * 20 * SECOND) : 0;
            Hop.Neighbour key = peer(2 + random.nextInt(7));
            out.lines.clear();
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    FlowKey flow = flow("10.0.0.1:5000", "10.0.0.2:" + (1 + flows++));
                    if (table.ask(key, flow, now, out) == WAITING) {
                        waitingModel.add(flow.toString());
                    }
                }
                case 2 -> table.heard(key, mac(random.nextInt(3)), random.nextBoolean(), now, out);
                case 3 -> table.confirmed(key, mac(1 + random.nextInt(3)), now, out);
                case 4 ->
                    table.advertised(
                            key, advert(mac(random.nextInt(3)), random.nextBoolean(), random.nextBoolean()), now, out);
                default -> table.tick(now, out);
            }
            for (String line : out.lines) {
                if (!line.startsWith("ask")) {
                    assertThat(waitingModel.remove(line.substring(line.indexOf(' ') + 1)))
                            .as(line)
                            .isTrue();
                }
            }
            assertThat(table.waiting()).isEqualTo(waitingModel.size()).isLessThanOrEqualTo(3);
            assertThat(table.size()).isLessThanOrEqualTo(4);
            assertThat(table.rows())
                    .allSatisfy(row -> assertThat(row.mac().equals(MacAddress.ZERO))
                            .isEqualTo(row.state() == INCOMPLETE || row.state() == FAILED));
            assertThat(table.rows().stream().filter(row -> row.state() == INCOMPLETE))
                    .hasSizeLessThanOrEqualTo(2);
        }
        pass(now, now + 2_000 * SECOND);
        assertThat(table.size()).isZero();
        assertThat(table.waiting()).isZero();
    }

    private void learn(Hop.Neighbour key, MacAddress mac, long nowNs) {
        table.ask(key, FLOW, nowNs, out);
        table.confirmed(key, mac, nowNs, out);
        out.lines.clear();
    }

    /** Lets time pass from deadline to deadline. */
    private void pass(long fromNs, long untilNs) {
        for (long now = fromNs; now <= untilNs; now = Math.max(now + 1, table.nextNs())) {
            table.tick(now, out);
        }
    }

    private State state(Hop.Neighbour key) {
        return table.rows().stream()
                .filter(row -> row.neighbour().equals(key))
                .map(Neighbours.Row::state)
                .findFirst()
                .orElseThrow();
    }

    private static Hop.Neighbour peer(int last) {
        return new Hop.Neighbour(ip("10.0.0." + last), 0);
    }

    private static Advertisement advert(MacAddress mac, boolean solicited, boolean override) {
        Ipv6Address any = (Ipv6Address) ip("fd00::2");
        return new Advertisement(any, any, any, Optional.of(mac), new Flags(false, solicited, override));
    }

    /** Writes down what the table says. */
    private static final class Heard implements Neighbours.Output {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void solicit(Hop.Neighbour target, Optional<MacAddress> known) {
            lines.add("ask " + target.address() + " "
                    + known.map(MacAddress::toString).orElse("all"));
        }

        @Override
        public void resolved(FlowKey waiter) {
            lines.add("found " + waiter);
        }

        @Override
        public void unreachable(FlowKey waiter) {
            lines.add("lost " + waiter);
        }
    }
}
