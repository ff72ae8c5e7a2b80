package io.iwcm.nic.bridge;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.verbs.VerbsDevice;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that owns the RNIC: received batches, orders and time go in, batches to send come out. Whatever thread the
 * stream runs on, only one is ever here, and that is what makes the RNIC single-threaded.
 *
 * <p>When the code of the RNIC throws, what was lost is one batch, order or tick: it is counted and logged, and the NIC with
 * all its other connections goes on.
 */
final class RnicStage
        extends AbstractGraphStageWithMaterializedValue<FlowShape<List<byte[]>, List<byte[]>>, Inbox<NicInput>> {

    /** Inputs taken at once before frames have their turn again. */
    private static final int INPUTS_AT_ONCE = 256;

    private static final Logger LOG = LoggerFactory.getLogger(RnicStage.class);

    private final Inlet<List<byte[]>> in = Inlet.create("RnicStage.in");
    private final Outlet<List<byte[]>> out = Outlet.create("RnicStage.out");
    private final FlowShape<List<byte[]>, List<byte[]>> shape = FlowShape.of(in, out);
    private final Rnic rnic;
    private final IlqLimits limits;
    private final NanoClock clock;
    private final FrameObserver observer;
    private final BridgeCounters counters;

    RnicStage(Rnic rnic, IlqLimits limits, NanoClock clock, FrameObserver observer, BridgeCounters counters) {
        this.rnic = rnic;
        this.limits = limits;
        this.clock = clock;
        this.observer = observer;
        this.counters = counters;
    }

    @Override
    public FlowShape<List<byte[]>, List<byte[]>> shape() {
        return shape;
    }

    @Override
    public Pair<GraphStageLogic, Inbox<NicInput>> createLogicAndMaterializedValuePair(Attributes attributes) {
        Logic logic = new Logic();
        return Pair.create(logic, logic.inbox);
    }

    private static final Duration SOON = Duration.ofNanos(1);

    /** What is due later is looked at again by then. */
    private static final Duration LATEST = Duration.ofHours(1);

    private final class Logic extends TimerGraphStageLogic {

        private final AsyncCallback<Object> woken = createAsyncCallback(_ -> workOnInbox());
        private final Inbox<NicInput> inbox = new Inbox<>(() -> woken.invoke(Boolean.TRUE));
        private final Outgoing outgoing = new Outgoing(limits, counters);
        private long armedAtNs = Long.MAX_VALUE;
        private int pushed;
        private boolean stopping;

        Logic() {
            super(shape);
            setHandler(in, new AbstractInHandler() {
                @Override
                public void onPush() {
                    workOnFrames(grab(in));
                    tryPull(in);
                }
            });
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    guarded(() -> rnic.transmitted(pushed)); // Who asks for more has sent what he had.
                    pushed = 0;
                    pushFrames();
                }
            });
        }

        @Override
        public void preStart() {
            rnic.wakeWith(() -> inbox.add(new NicInput.Rung()));
            pull(in);
            rearm();
        }

        @Override
        public void postStop() {
            inbox.close();
        }

        @Override
        public void onTimer(Object key) {
            armedAtNs = Long.MAX_VALUE;
            guarded(() -> rnic.tick(clock.nowNs(), outgoing));
            flush();
        }

        private void workOnFrames(List<byte[]> batch) {
            counters.count(BridgeCounter.FRAMES_TO_NIC, batch.size());
            long nowNs = clock.nowNs();
            if (observer != FrameObserver.NONE) {
                batch.forEach(frame -> watched(() -> observer.frameReceived(frame, nowNs)));
            }
            guarded(() -> rnic.frames(batch, nowNs, outgoing));
            flush();
        }

        private void workOnInbox() {
            inbox.drain(INPUTS_AT_ONCE, input -> guarded(() -> workOn(input)));
            flush();
            if (stopping && !outgoing.hasFrames()) completeStage();
        }

        private void workOn(NicInput input) {
            switch (input) {
                case NicInput.Requested(var from, var request) -> rnic.request(from, request, clock.nowNs(), outgoing);
                case NicInput.Ordered(var order, var replyTo) -> order(outgoing.register(order, replyTo));
                case NicInput.Attached(var owner, var replaces, var to, var replyTo) -> {
                    outgoing.attach(owner, to);
                    replaces.ifPresent(outgoing::detach);
                    order(outgoing.register(new NicControl.Attach(0, owner, replaces), replyTo));
                }
                case NicInput.Detached(var owner, var from, boolean handsOn) -> {
                    if (outgoing.detach(owner, from)) order(new NicControl.Detach(0, owner, handsOn));
                }
                case NicInput.Granted(var owner, int entries) -> outgoing.grant(owner, entries);
                case NicInput.Announced(var announcement) -> announcement.send();
                case NicInput.Inspected(var look) -> look.accept(rnic);
                case NicInput.Worked(var order) -> {
                    if (rnic instanceof VerbsDevice device) device.verbs(order, clock.nowNs(), outgoing);
                }
                case NicInput.Rung _ -> rnic.tick(clock.nowNs(), outgoing);
                case NicInput.Stopped _ -> stopping = true;
            }
        }

        private void order(NicControl order) {
            rnic.control(order, clock.nowNs(), outgoing);
        }

        private void flush() {
            outgoing.deliver();
            pushFrames();
            rearm();
        }

        private void pushFrames() {
            if (!outgoing.hasFrames() || !isAvailable(out)) return;
            List<byte[]> batch = outgoing.takeFrames();
            counters.count(BridgeCounter.FRAMES_TO_LINK, batch.size());
            if (observer != FrameObserver.NONE) {
                long nowNs = clock.nowNs();
                batch.forEach(frame -> watched(() -> observer.frameSent(frame, nowNs)));
            }
            pushed = batch.size();
            push(out, batch);
        }

        /** An armed timer that comes too early does no harm; one that would come too late is replaced. */
        private void rearm() {
            long atNs = rnic.nextDeadlineNs();
            if (atNs == Long.MAX_VALUE || armedAtNs <= atNs) return;
            armedAtNs = atNs;
            scheduleOnce("tick", until(atNs, clock.nowNs()));
        }

        /** A scheduler takes no delay of any length, and a device may name any time, also one long past. */
        private static Duration until(long atNs, long nowNs) {
            if (atNs <= nowNs) return SOON;
            long leftNs = atNs - nowNs;
            return leftNs < 0 || leftNs > LATEST.toNanos() ? LATEST : Duration.ofNanos(leftNs);
        }

        /** An observer that throws has failed, not the NIC; the log has the first time, the counter all. */
        private void watched(Runnable report) {
            try {
                report.run();
            } catch (RuntimeException e) {
                if (counters.value(BridgeCounter.OBSERVER_FAILURES) == 0) LOG.warn("an observer of frames failed", e);
                counters.count(BridgeCounter.OBSERVER_FAILURES);
            }
        }

        private void guarded(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException e) {
                counters.count(BridgeCounter.NIC_FAILURES);
                LOG.error("the NIC failed on one input and goes on", e);
            }
        }
    }
}
