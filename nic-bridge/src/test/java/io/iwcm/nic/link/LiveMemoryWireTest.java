package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.MAC_B;
import static io.iwcm.nic.link.Frames.frame;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveMemoryWireTest {

    private final MemoryWire wire = MemoryWire.live("t", WireOptions.PLAIN);
    private final Link a = wire.attach("a", 1500);
    private final Link b = wire.attach("b", 1500);

    @AfterEach
    void close() {
        wire.close();
    }

    @Test
    void deliversOnItsOwnNamedThread() throws Exception {
        var thread = new CompletableFuture<String>();
        b.start(_ -> thread.complete(Thread.currentThread().getName()));
        a.transmit(numbered(BROADCAST, MAC_A, 1));
        assertThat(thread.get()).isEqualTo("iwcm-wire-t");
    }

    @Test
    void keepsTheOrderOfEachSender() throws Exception {
        BlockingQueue<Integer> numbers = new LinkedBlockingQueue<>();
        b.start(batch -> batch.forEach(frame -> numbers.add(Frames.number(frame))));
        for (byte[] frame : numbered(BROADCAST, MAC_A, 1000)) {
            a.transmit(List.of(frame));
        }
        List<Integer> got = new ArrayList<>();
        while (got.size() < 1000) {
            got.add(numbers.take());
        }
        assertThat(got).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void goesOnAfterAReceiverThatThrows() throws Exception {
        BlockingQueue<Integer> numbers = new LinkedBlockingQueue<>();
        b.start(batch -> {
            numbers.add(Frames.number(batch.getFirst()));
            throw new IllegalStateException("on purpose");
        });
        a.transmit(List.of(frame(BROADCAST, MAC_A, 7)));
        assertThat(numbers.take()).isEqualTo(7);
        a.transmit(List.of(frame(BROADCAST, MAC_A, 8)));
        assertThat(numbers.take()).isEqualTo(8);
    }

    @Test
    void callsNoReceiverAfterItsCloseReturned() throws Exception {
        var entered = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        List<String> log = java.util.Collections.synchronizedList(new ArrayList<>());
        b.start(_ -> {
            entered.countDown();
            awaitQuietly(leave);
            log.add("received");
        });
        a.transmit(numbered(BROADCAST, MAC_A, 1));
        entered.await();
        a.transmit(numbered(BROADCAST, MAC_A, 1));
        Thread closer = Thread.ofPlatform().start(() -> {
            b.close();
            log.add("closed");
        });
        while (closer.getState() != Thread.State.WAITING) { // Until it waits for the receiver.
            Thread.onSpinWait();
        }
        leave.countDown();
        closer.join();
        wire.close();
        assertThat(log).containsExactly("received", "closed");
    }

    @Test
    void letsAReceiverCloseItsLinkAndItsWire() throws Exception {
        var done = new CompletableFuture<Boolean>();
        b.start(_ -> {
            b.close();
            wire.close();
            done.complete(true);
        });
        a.transmit(numbered(BROADCAST, MAC_A, 1));
        assertThat(done.get()).isTrue();
    }

    @Test
    void endsItsThreadOnClose() {
        MemoryWire other = MemoryWire.live("ending", WireOptions.PLAIN.withLatencyNs(3_600_000_000_000L));
        Link from = other.attach("x", 1500);
        other.attach("y", 1500);
        from.transmit(numbered(BROADCAST, MAC_B, 1)); // It has something to wait for.
        other.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("iwcm-wire-ending");
    }

    @Test
    void cannotBeDriven() {
        assertThatThrownBy(() -> wire.run(1)).hasMessageContaining("its own thread delivers");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
