package io.iwcm.nic.bridge;

import io.iwcm.nic.link.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/**
 * What a link receives, as batches. Between the link's thread and the stream lies a queue of at most
 * {@code queueFramesMax} frames; the frames for which there is no room are dropped and counted.
 */
final class LinkSource extends GraphStage<SourceShape<List<byte[]>>> {

    /** Small batches that have piled up leave together, up to this many frames. */
    static final int BATCH_FRAMES_MAX = 256;

    private final Outlet<List<byte[]>> out = Outlet.create("LinkSource.out");
    private final SourceShape<List<byte[]>> shape = SourceShape.of(out);
    private final Link link;
    private final int queueFramesMax;
    private final BridgeCounters counters;

    LinkSource(Link link, int queueFramesMax, BridgeCounters counters) {
        this.link = link;
        this.queueFramesMax = queueFramesMax;
        this.counters = counters;
    }

    @Override
    public SourceShape<List<byte[]>> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {

        private final Queue<List<byte[]>> queue = new ConcurrentLinkedQueue<>();
        private final AtomicInteger queuedFrames = new AtomicInteger();
        private final AsyncCallback<Object> arrived = createAsyncCallback(_ -> pushQueued());
        private final AtomicBoolean woken = new AtomicBoolean();

        Logic() {
            super(shape);
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    pushQueued();
                }
            });
        }

        @Override
        public void preStart() {
            link.start(this::receive);
        }

        /** On the link's thread. */
        private void receive(List<byte[]> batch) {
            int room = queueFramesMax - queuedFrames.get(); // Only this thread adds: room can only grow meanwhile.
            if (room < batch.size()) {
                counters.count(BridgeCounter.RECEIVE_QUEUE_DROPS, batch.size() - Math.max(room, 0));
                if (room <= 0) return;
                batch = batch.subList(0, room);
            }
            queuedFrames.addAndGet(batch.size());
            queue.add(batch);
            if (woken.compareAndSet(false, true)) arrived.invoke(Boolean.TRUE);
        }

        private void pushQueued() {
            woken.set(false);
            if (!isAvailable(out)) return; // The next pull looks again.
            List<byte[]> batch = queue.poll();
            if (batch == null) return;

            queuedFrames.addAndGet(-batch.size());
            push(out, queue.isEmpty() ? batch : withMore(batch));
        }

        private List<byte[]> withMore(List<byte[]> first) {
            List<byte[]> batch = new ArrayList<>(first);
            for (List<byte[]> next = queue.peek();
                    next != null && batch.size() + next.size() <= BATCH_FRAMES_MAX;
                    next = queue.peek()) {
                queue.remove();
                queuedFrames.addAndGet(-next.size());
                batch.addAll(next);
            }
            return batch;
        }
    }
}
