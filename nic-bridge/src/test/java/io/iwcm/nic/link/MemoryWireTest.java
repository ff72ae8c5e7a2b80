package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.MAC_B;
import static io.iwcm.nic.link.Frames.MAC_C;
import static io.iwcm.nic.link.Frames.frame;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.link.Frames.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryWireTest {

    private final MemoryWire wire = MemoryWire.driven(WireOptions.PLAIN.withLatencyNs(100));
    private final Link a = wire.attach("a", 1500);
    private final Link b = wire.attach("b", 1500);
    private final Link c = wire.attach("c", 1500);
    private final Sink atA = new Sink();
    private final Sink atB = new Sink();
    private final Sink atC = new Sink();

    @Test
    void deliversInOrderAfterTheLatencyAndNotBefore() {
        startAll();
        a.transmit(numbered(BROADCAST, MAC_A, 3));

        assertThat(wire.nextDueNs()).hasValue(100);
        assertThat(wire.run(99)).isZero();
        assertThat(atB.frames).isEmpty();

        assertThat(wire.run(100)).isEqualTo(6);
        assertThat(atB.numbers()).containsExactly(0, 1, 2);
        assertThat(atB.batchSizes).containsExactly(1, 1, 1);
        assertThat(wire.nextDueNs()).isEmpty();
        assertThat(wire.nowNs()).isEqualTo(100);
    }

    @Test
    void deliversLaterFramesAtTheirOwnTimeEvenToTheSameReceiver() {
        List<Long> times = new ArrayList<>();
        c.close(); // Nothing in between that would end a batch.
        b.start(batch -> batch.forEach(_ -> times.add(wire.nowNs())));
        a.transmit(List.of(frame(MAC_B, MAC_A, 0)));
        wire.run(50);
        a.transmit(List.of(frame(MAC_B, MAC_A, 1)));
        wire.run(149);
        assertThat(times).containsExactly(100L);
        wire.run(500);
        assertThat(times).containsExactly(100L, 150L);
    }

    @Test
    void batchesWhatArrivesAtOneInstantUpToALimit() {
        startAll();
        b.transmit(List.of(frame(BROADCAST, MAC_B, 0)));
        wire.run(100);
        a.transmit(numbered(MAC_B, MAC_A, 100));
        wire.run(200);
        assertThat(atB.batchSizes).containsExactly(64, 36);
        assertThat(atB.numbers()).isEqualTo(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    void deliversAnswersOfReceiversInTheSameRunAtTheirOwnTime() {
        List<Long> times = new ArrayList<>();
        a.start(_ -> times.add(wire.nowNs()));
        b.start(_ -> {
            times.add(wire.nowNs());
            b.transmit(List.of(frame(MAC_A, MAC_B, 1)));
        });
        a.transmit(List.of(frame(MAC_B, MAC_A, 0)));
        wire.run(1000);
        assertThat(times).containsExactly(100L, 200L);
        assertThat(wire.nowNs()).isEqualTo(1000);
    }

    @Test
    void learnsWhereAMacIsAndSparesTheOthers() {
        startAll();
        a.transmit(List.of(frame(MAC_B, MAC_A, 0))); // Unknown: flooded.
        wire.run(100);
        b.transmit(List.of(frame(MAC_A, MAC_B, 1)));
        a.transmit(List.of(frame(MAC_B, MAC_A, 2)));
        wire.run(200);
        assertThat(atA.numbers()).containsExactly(1);
        assertThat(atB.numbers()).containsExactly(0, 2);
        assertThat(atC.numbers()).containsExactly(0);
    }

    @Test
    void followsAMacThatMoves() {
        startAll();
        b.transmit(List.of(frame(BROADCAST, MAC_B, 0)));
        c.transmit(List.of(frame(BROADCAST, MAC_B, 1)));
        wire.run(100);
        a.transmit(List.of(frame(MAC_B, MAC_A, 2)));
        wire.run(200);
        assertThat(atB.numbers()).containsExactly(1);
        assertThat(atC.numbers()).containsExactly(0, 2);
    }

    @Test
    void neverSendsAFrameBackToWhereItCameFrom() {
        startAll();
        a.transmit(List.of(frame(BROADCAST, MAC_A, 0), frame(MAC_A, MAC_C, 1)));
        wire.run(100);
        assertThat(atA.frames).isEmpty();
        assertThat(atB.numbers()).containsExactly(0);
    }

    @Test
    void neverLearnsAGroupAddress() {
        startAll();
        b.transmit(List.of(frame(MAC_A, BROADCAST, 0)));
        wire.run(100);
        a.transmit(List.of(frame(BROADCAST, MAC_A, 1)));
        wire.run(200);
        assertThat(atC.numbers()).containsExactly(0, 1);
    }

    @Test
    void floodsAgainWhenTheAttachmentBehindAMacHasLeft() {
        startAll();
        b.transmit(List.of(frame(BROADCAST, MAC_B, 0)));
        wire.run(100);
        b.close();
        a.transmit(List.of(frame(MAC_B, MAC_A, 1)));
        wire.run(200);
        assertThat(atC.numbers()).containsExactly(0, 1);
    }

    @Test
    void dropsAndCountsAtTheReceiverWhatItsQueueCannotHold() {
        MemoryWire narrow = MemoryWire.driven(WireOptions.PLAIN.withQueueFramesMax(2));
        Link from = narrow.attach("from", 1500);
        Link to = narrow.attach("to", 1500);
        Sink sink = new Sink();
        to.start(sink);
        from.transmit(numbered(BROADCAST, MAC_A, 5));
        narrow.run(1_000_000);
        assertThat(sink.numbers()).containsExactly(0, 1);
        assertThat(to.counters()).isEqualTo(new LinkCounters(2, 0, 3, 0));
        assertThat(from.counters()).isEqualTo(new LinkCounters(0, 5, 0, 0));

        from.transmit(numbered(BROADCAST, MAC_A, 2)); // Places are given back on delivery.
        narrow.run(2_000_000);
        assertThat(sink.numbers()).containsExactly(0, 1, 0, 1);
    }

    @Test
    void takesFramesUpToTheMtuAndATagOnTopOfIt() {
        startAll();
        byte[] tagged = frame(BROADCAST, MAC_A, 3, 1518);
        tagged[12] = (byte) 0x81;
        tagged[13] = 0;
        a.transmit(List.of(
                frame(BROADCAST, MAC_A, 0, 1514), frame(BROADCAST, MAC_A, 1, 1515), new byte[13], new byte[0], tagged));
        wire.run(100);
        assertThat(atB.frames).extracting(f -> f.length).containsExactly(1514, 1518);
        assertThat(a.counters()).isEqualTo(new LinkCounters(0, 2, 0, 3));
    }

    @Test
    void dropsOnArrivalWhatAReceiverWithASmallerMtuCannotTake() {
        Link small = wire.attach("small", 576);
        Sink atSmall = new Sink();
        small.start(atSmall);
        a.transmit(List.of(frame(BROADCAST, MAC_A, 0, 590), frame(BROADCAST, MAC_A, 1, 591)));
        wire.run(100);
        assertThat(atSmall.numbers()).containsExactly(0);
        assertThat(small.counters()).isEqualTo(new LinkCounters(1, 0, 1, 0));
    }

    @Test
    void countsAsDroppedWhatArrivesBeforeStartOrAfterClose() {
        b.start(atB);
        a.transmit(List.of(frame(BROADCAST, MAC_A, 0)));
        b.close();
        wire.run(100);
        assertThat(atB.frames).isEmpty();
        assertThat(b.counters().receiveDropped()).isEqualTo(1);
        assertThat(c.counters().receiveDropped()).isEqualTo(1);

        b.transmit(numbered(BROADCAST, MAC_B, 3));
        assertThat(b.counters().sendDropped()).isEqualTo(3);
        assertThat(wire.nextDueNs()).isEmpty();
    }

    @Test
    void closesEveryAttachmentWithItself() {
        startAll();
        a.transmit(numbered(BROADCAST, MAC_A, 1));
        wire.close();
        wire.close();
        assertThat(wire.nextDueNs()).isEmpty();
        a.transmit(numbered(BROADCAST, MAC_A, 1));
        assertThat(a.counters()).isEqualTo(new LinkCounters(0, 1, 0, 1));
        assertThatThrownBy(() -> wire.attach("late", 1500)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesMisuse() {
        startAll();
        wire.run(50);
        assertThatThrownBy(() -> wire.run(49)).hasMessageContaining("cannot go back");
        assertThatThrownBy(() -> a.start(atA)).hasMessageContaining("memory:a was started before");
        assertThatThrownBy(() -> MemoryWire.driven(WireOptions.PLAIN.withLatencyNs(0)))
                .hasMessageContaining("1 ns or more");
        assertThatThrownBy(() -> WireOptions.PLAIN.withQueueFramesMax(0)).hasMessageContaining("1 or more");
    }

    private void startAll() {
        a.start(atA);
        b.start(atB);
        c.start(atC);
    }
}
