package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.MAC_B;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultyLinkTest {

    private final MemoryWire wire = MemoryWire.live("faulty", WireOptions.PLAIN);
    private final Link far = wire.attach("far", 1500);

    @AfterEach
    void close() {
        wire.close();
    }

    @Test
    void isLateInBothDirectionsAndKeepsTheOrder() throws Exception {
        long latencyNs = 20_000_000;
        try (FaultyLink near = FaultyLink.around(wire.attach("near", 1500), FaultRates.NONE, latencyNs, 1)) {
            BlockingQueue<byte[]> there = new LinkedBlockingQueue<>();
            BlockingQueue<byte[]> back = new LinkedBlockingQueue<>();
            far.start(there::addAll);
            near.start(back::addAll);
            long sentNs = System.nanoTime();
            near.transmit(numbered(BROADCAST, MAC_A, 200));
            assertThat(numbers(there, 200))
                    .isEqualTo(IntStream.range(0, 200).boxed().toList());
            assertThat(System.nanoTime() - sentNs).isGreaterThanOrEqualTo(latencyNs);
            sentNs = System.nanoTime();
            far.transmit(numbered(BROADCAST, MAC_B, 200));
            assertThat(numbers(back, 200))
                    .isEqualTo(IntStream.range(0, 200).boxed().toList());
            assertThat(System.nanoTime() - sentNs).isGreaterThanOrEqualTo(latencyNs);
            assertThat(near.counters()).isEqualTo(new LinkCounters(200, 200, 0, 0));
        }
    }

    @Test
    void losesRepeatsAndReordersAsOftenAsToldUntilToldOtherwise() throws Exception {
        FaultRates rates = FaultRates.NONE.withLoss(0.1).withDuplication(0.1).withReordering(0.2, 5_000_000);
        try (FaultyLink near = FaultyLink.around(wire.attach("near", 1500), rates, 0, 7)) {
            BlockingQueue<byte[]> there = new LinkedBlockingQueue<>();
            far.start(there::addAll);
            near.transmit(numbered(BROADCAST, MAC_A, 1000));
            FaultCounters did = near.faults();
            assertThat(did.seen()).isEqualTo(1000);
            assertThat(did.lost()).isBetween(50L, 200L);
            assertThat(did.duplicated()).isBetween(40L, 200L);
            List<Integer> got = numbers(there, (int) (1000 - did.lost() + did.duplicated()));
            assertThat(got).isNotEqualTo(got.stream().sorted().toList());

            near.spoil(FaultRates.NONE);
            near.transmit(numbered(BROADCAST, MAC_A, 100));
            assertThat(numbers(there, 100))
                    .isEqualTo(IntStream.range(0, 100).boxed().toList());
        }
    }

    @Test
    void dropsWhatIsOnItsWayWhenItIsClosedAndWhatComesAfter() {
        FaultyLink near = FaultyLink.around(wire.attach("near", 1500), FaultRates.NONE, 3_600_000_000_000L, 1);
        near.start(_ -> {});
        near.transmit(numbered(BROADCAST, MAC_A, 1));
        near.close();
        near.transmit(numbered(BROADCAST, MAC_A, 3));
        assertThat(near.counters()).isEqualTo(new LinkCounters(0, 0, 0, 3));
    }

    private static List<Integer> numbers(BlockingQueue<byte[]> frames, int count) throws InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        while (numbers.size() < count) {
            numbers.add(Frames.number(frames.take()));
        }
        return numbers;
    }
}
