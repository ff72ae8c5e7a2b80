package io.iwcm.nic.testkit;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An RNIC that decides nothing: it keeps what it is given for the test to take, and does what the test has scripted. Its
 * queues may be read from any thread.
 */
public final class FakeRnic implements Rnic {

    /** What an input comes to. */
    @FunctionalInterface
    public interface Reaction<T> {
        void to(T input, Output out);
    }

    /** A request and whose it was. */
    public record Requested(Owner from, NicRequest request) {}

    private final BlockingQueue<List<byte[]>> batches = new LinkedBlockingQueue<>();
    private final BlockingQueue<Requested> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<NicControl> controls = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> ticks = new LinkedBlockingQueue<>();
    private volatile Reaction<List<byte[]>> onFrames = (_, _) -> {};
    private volatile Reaction<Requested> onRequest = (_, _) -> {};
    private volatile Reaction<NicControl> onControl = (order, out) -> out.answer(new NicControl.Done(order.id()));
    private volatile Reaction<Long> onTick = (_, _) -> {};
    private volatile long deadlineNs = Long.MAX_VALUE;

    public FakeRnic onFrames(Reaction<List<byte[]>> reaction) {
        onFrames = reaction;
        return this;
    }

    public FakeRnic onRequest(Reaction<Requested> reaction) {
        onRequest = reaction;
        return this;
    }

    public FakeRnic onControl(Reaction<NicControl> reaction) {
        onControl = reaction;
        return this;
    }

    public FakeRnic onTick(Reaction<Long> reaction) {
        onTick = reaction;
        return this;
    }

    public void dueAt(long atNs) {
        deadlineNs = atNs;
    }

    public List<byte[]> takeBatch() {
        return take(batches);
    }

    public Requested takeRequest() {
        return take(requests);
    }

    /** The next order of this kind; others before it are skipped. */
    public <T extends NicControl> T takeControl(Class<T> kind) {
        NicControl order = take(controls);
        while (!kind.isInstance(order)) order = take(controls);
        return kind.cast(order);
    }

    public long takeTick() {
        return take(ticks);
    }

    /** Whether there is no request that has not been taken. */
    public boolean hasNoRequest() {
        return requests.isEmpty();
    }

    private static <T> T take(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(30, TimeUnit.SECONDS);
            if (next == null) throw new AssertionError("the RNIC was not told within 30 s");
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void frames(List<byte[]> batch, long nowNs, Output out) {
        batches.add(batch);
        onFrames.to(batch, out);
    }

    @Override
    public void request(Owner from, NicRequest request, long nowNs, Output out) {
        Requested requested = new Requested(from, request);
        requests.add(requested);
        onRequest.to(requested, out);
    }

    @Override
    public void control(NicControl control, long nowNs, Output out) {
        controls.add(control);
        onControl.to(control, out);
    }

    @Override
    public void tick(long nowNs, Output out) {
        deadlineNs = Long.MAX_VALUE;
        ticks.add(nowNs);
        onTick.to(nowNs, out);
    }

    @Override
    public long nextDeadlineNs() {
        return deadlineNs;
    }
}
