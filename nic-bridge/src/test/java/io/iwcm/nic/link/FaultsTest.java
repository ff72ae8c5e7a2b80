package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.link.Frames.Sink;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {

    private static final FaultRates ALL = FaultRates.NONE
            .withLoss(0.2)
            .withDuplication(0.2)
            .withReordering(0.2, 500)
            .withCorruption(0.2)
            .withDelay(0.2, 500);

    @Test
    void isTheIdentityWhenAllRatesAreZero() {
        Faults faults = faults(FaultRates.NONE, 1);
        byte[] frame = Frames.frame(BROADCAST, MAC_A, 0);
        for (int i = 0; i < 1000; i++) {
            assertThat(faults.pass(frame, i))
                    .singleElement()
                    .satisfies(passage -> assertThat(passage.frame()).isSameAs(frame));
        }
        assertThat(faults.pass(frame, 77).getFirst().atNs()).isEqualTo(77);
        assertThat(faults.counters()).isEqualTo(new FaultCounters(1001, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 42, -7})
    void repeatsItselfFromTheSameSeedAndFromNoOther(long seed) {
        assertThat(history(seed)).isEqualTo(history(seed)).isNotEqualTo(history(seed + 1));
    }

    @Test
    void losesAndCounts() {
        Faults faults = faults(FaultRates.NONE.withLoss(0.3), 5);
        int passed = 0;
        for (int i = 0; i < 10_000; i++) {
            passed += faults.pass(new byte[60], i).size();
        }
        assertThat(faults.counters()).isEqualTo(new FaultCounters(10_000, 10_000 - passed, 0, 0, 0, 0));
        assertThat(passed).isBetween(6800, 7200);
        assertThat(faults(FaultRates.NONE.withLoss(1), 5).pass(new byte[60], 0)).isEmpty();
    }

    @Test
    void duplicatesAndCounts() {
        Faults faults = faults(FaultRates.NONE.withDuplication(0.3), 5);
        int passed = 0;
        for (int i = 0; i < 10_000; i++) {
            passed += faults.pass(new byte[60], i).size();
        }
        assertThat(faults.counters()).isEqualTo(new FaultCounters(10_000, 0, passed - 10_000, 0, 0, 0));
        assertThat(passed).isBetween(12_800, 13_200);
    }

    @Test
    void flipsOneBitAnywhereInACopy() {
        Faults faults = faults(FaultRates.NONE.withCorruption(1), 5);
        byte[] frame = new byte[8];
        var bits = new HashSet<Integer>();
        for (int i = 0; i < 2000; i++) {
            BitSet changed = BitSet.valueOf(faults.pass(frame, 0).getFirst().frame());
            assertThat(changed.cardinality()).isEqualTo(1);
            bits.add(changed.nextSetBit(0));
        }
        assertThat(bits).hasSize(64);
        assertThat(frame).isEqualTo(new byte[8]);
        assertThat(faults.counters().corrupted()).isEqualTo(2000);
        assertThat(faults.pass(new byte[0], 0)).hasSize(1);
    }

    @Test
    void holdsAReorderedFrameBackButNotTheNextOne() {
        Faults faults = faults(FaultRates.NONE.withReordering(1, 500), 5);
        long heldNs = faults.pass(new byte[60], 1000).getFirst().atNs() - 1000;
        assertThat(heldNs).isBetween(1L, 500L);
        faults.change(FaultRates.NONE);
        assertThat(faults.pass(new byte[60], 1000).getFirst().atNs()).isEqualTo(1000);
        assertThat(faults.counters().reordered()).isEqualTo(1);
    }

    @Test
    void letsLaterFramesQueueBehindADelayedOneUntilItHasPassed() {
        Faults faults = faults(FaultRates.NONE.withDelay(1, 500), 5);
        long atNs = faults.pass(new byte[60], 1000).getFirst().atNs();
        assertThat(atNs).isBetween(1001L, 1500L);
        faults.change(FaultRates.NONE);
        assertThat(faults.pass(new byte[60], 1000).getFirst().atNs()).isEqualTo(atNs);
        assertThat(faults.pass(new byte[60], 1501).getFirst().atNs()).isEqualTo(1501);
        assertThat(faults.counters().delayed()).isEqualTo(1);
    }

    @Test
    void keepsTheFateOfOtherKindsWhenOneRateChanges() {
        Faults few = faults(FaultRates.NONE.withDuplication(0.2), 9);
        Faults many =
                faults(FaultRates.NONE.withDuplication(0.2).withCorruption(0.9).withDelay(0.9, 5), 9);
        for (int i = 0; i < 1000; i++) {
            assertThat(few.pass(new byte[60], 0)).hasSameSizeAs(many.pass(new byte[60], 0));
        }
    }

    @Test
    void refusesWhatIsNoRateAndNoTime() {
        assertThatThrownBy(() -> FaultRates.NONE.withLoss(1.01))
                .hasMessage("a rate of loss of 1.01 is not allowed: 0 to 1 is");
        assertThatThrownBy(() -> FaultRates.NONE.withCorruption(Double.NaN)).hasMessageContaining("corruption");
        assertThatThrownBy(() -> FaultRates.NONE.withDelay(0.1, 0)).hasMessageContaining("1 ns to an hour");
        assertThatThrownBy(() -> FaultRates.NONE.withReordering(-0.1, 5)).hasMessageContaining("reordering");
    }

    @Test
    void spoilsAWholeWireAndHealsIt() {
        MemoryWire wire = MemoryWire.driven(WireOptions.PLAIN.withFaults(ALL, 3));
        Link a = wire.attach("a", 1500);
        Link b = wire.attach("b", 1500);
        Sink atB = new Sink();
        b.start(atB);
        a.transmit(numbered(BROADCAST, MAC_A, 1000));
        wire.run(1_000_000);

        FaultCounters counters = wire.faultCounters();
        assertThat(counters.seen()).isEqualTo(1000);
        assertThat(atB.frames).hasSize((int) (1000 - counters.lost() + counters.duplicated()));
        assertThat(counters.corrupted()).isPositive();
        assertThat(atB.numbers()).isNotEqualTo(atB.numbers().stream().sorted().toList());
        assertThat(a.counters().sent()).isEqualTo(1000);

        wire.spoil(FaultRates.NONE);
        atB.frames.clear();
        a.transmit(numbered(BROADCAST, MAC_A, 1000));
        wire.run(2_000_000);
        assertThat(atB.numbers()).isEqualTo(IntStream.range(0, 1000).boxed().toList());
        a.close();
        b.close();
        assertThat(wire.faultCounters()).isEqualTo(counters.plus(new FaultCounters(1000, 0, 0, 0, 0, 0)));
    }

    @Test
    void keepsOrderUnderDelayAloneAndLosesNothingUnderReordering() {
        assertThat(arrivals(FaultRates.NONE.withDelay(0.5, 10_000)))
                .isEqualTo(IntStream.range(0, 1000).boxed().toList());
        List<Integer> reordered = arrivals(FaultRates.NONE.withReordering(0.5, 10_000));
        assertThat(reordered).isNotEqualTo(IntStream.range(0, 1000).boxed().toList());
        assertThat(reordered.stream().sorted().toList())
                .isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void givesEachAttachmentItsOwnFate() {
        MemoryWire wire = MemoryWire.driven(
                WireOptions.PLAIN.withFaults(FaultRates.NONE.withLoss(0.5), 3).withQueueFramesMax(10_000));
        Sink sink = new Sink();
        Link a = wire.attach("a", 1500);
        Link b = wire.attach("b", 1500);
        wire.attach("c", 1500).start(sink);
        a.transmit(numbered(BROADCAST, MAC_A, 100));
        wire.run(1_000_000);
        List<Integer> ofA = List.copyOf(sink.numbers());
        sink.frames.clear();
        b.transmit(numbered(BROADCAST, MAC_A, 100));
        wire.run(2_000_000);
        assertThat(sink.numbers()).isNotEmpty().isNotEqualTo(ofA);
    }

    private static List<Integer> arrivals(FaultRates rates) {
        MemoryWire wire = MemoryWire.driven(WireOptions.PLAIN.withFaults(rates, 3));
        Link a = wire.attach("a", 1500);
        Sink sink = new Sink();
        wire.attach("b", 1500).start(sink);
        for (byte[] frame : numbered(BROADCAST, MAC_A, 1000)) {
            a.transmit(List.of(frame));
            wire.run(wire.nowNs() + 100);
        }
        wire.run(wire.nowNs() + 1_000_000);
        return sink.numbers();
    }

    private static String history(long seed) {
        Faults faults = faults(ALL, seed);
        var history = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            for (Faults.Passage passage : faults.pass(new byte[20], i)) {
                history.append(i)
                        .append(Arrays.hashCode(passage.frame()))
                        .append('@')
                        .append(passage.atNs());
            }
        }
        return history.append(faults.counters()).toString();
    }

    private static Faults faults(FaultRates rates, long seed) {
        return new Faults(rates, new SplittableRandom(seed));
    }
}
