package io.iwcm.nic.testkit;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A link that ends in the test: what is transmitted can be taken, what the test gives is received. */
public final class FakeLink implements Link {

    private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
    private final CompletableFuture<Receiver> receiver = new CompletableFuture<>();
    private volatile boolean closed;

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public int mtu() {
        return 1500;
    }

    @Override
    public void start(Receiver to) {
        receiver.complete(to);
    }

    /** Waits for the start, then delivers on the caller's thread. */
    public void receive(byte[]... frames) {
        receiver.join().frames(new ArrayList<>(List.of(frames)));
    }

    @Override
    public void transmit(List<byte[]> frames) {
        sent.addAll(frames);
    }

    public byte[] takeSent() {
        try {
            byte[] frame = sent.poll(30, TimeUnit.SECONDS);
            if (frame == null) throw new AssertionError("nothing was sent within 30 s");
            return frame;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public boolean hasSentNothing() {
        return sent.isEmpty();
    }

    @Override
    public LinkCounters counters() {
        return new LinkCounters(0, 0, 0, 0);
    }

    @Override
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }
}
