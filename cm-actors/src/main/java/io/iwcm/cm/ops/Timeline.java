package io.iwcm.cm.ops;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.cm.trace.EventText;
import io.iwcm.cm.trace.FrameText;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Prints frames, states and events of one or several connection managers that live by one clock, a line each. Time counts
 * from the first line. Where both ends of a wire are watched, only sent frames are printed, so that each shows once.
 *
 * <p>Reports come from several threads; a line waits until it is {@link #SETTLE_NS} old, and lines leave in the order of
 * their time. {@link #flush} lets all of them leave.
 */
final class Timeline {

    private static final double NS_PER_MS = 1e6;
    private static final long SETTLE_NS = 200_000_000L;

    private static final Executor SOON = CompletableFuture.delayedExecutor(SETTLE_NS, TimeUnit.NANOSECONDS);

    private final PrintWriter out;
    private final boolean received;
    private final FrameText frames = new FrameText();
    private final PriorityQueue<Line> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Line::atNs).thenComparingLong(Line::count));
    private OptionalLong startNs = OptionalLong.empty();
    private long count;
    private long settledTo = -1;
    private boolean settling;

    /**
     * What happened.
     *
     * @param count keeps the order of reports of one moment
     * @param what in words; a frame's only when its turn has come, since its numbers are relative to frames before it
     */
    private record Line(long atNs, long count, String name, String mark, Supplier<String> what) {}

    /** @param received print received frames too: the other end is not watched */
    Timeline(PrintWriter out, boolean received) {
        this.out = out;
        this.received = received;
    }

    /** Watches the manager that people know by {@code name}. */
    CmObserver watch(String name) {
        return new Watch(name);
    }

    /** Prints what waits. */
    synchronized void flush() {
        print(Long.MAX_VALUE);
    }

    private synchronized void add(long nowNs, String name, String mark, Supplier<String> what) {
        waiting.add(new Line(nowNs, count++, name, mark, what));
        print(nowNs - SETTLE_NS);
        if (waiting.isEmpty() || settling) return;
        settling = true;
        SOON.execute(this::settle);
    }

    /** When nothing more comes for a while, there is nothing to wait for. */
    private synchronized void settle() {
        settling = false;
        long newest = waiting.stream().mapToLong(Line::count).max().orElse(0);
        if (newest == settledTo) print(Long.MAX_VALUE);
        settledTo = newest;
        if (waiting.isEmpty()) return;
        settling = true;
        SOON.execute(this::settle);
    }

    private void print(long untilNs) {
        while (!waiting.isEmpty() && waiting.peek().atNs() <= untilNs) {
            Line line = waiting.remove();
            if (startNs.isEmpty()) startNs = OptionalLong.of(line.atNs());
            double ms = (line.atNs() - startNs.getAsLong()) / NS_PER_MS;
            out.printf(
                    "%10.3f ms  %-10s %s %s%n",
                    ms, line.name(), line.mark(), line.what().get());
        }
        out.flush();
    }

    private String frame(byte[] frame) {
        String ends = FrameText.ends(frame);
        return (ends.isEmpty() ? "" : ends + "  ") + frames.describe(frame);
    }

    private final class Watch implements CmObserver {

        private final String name;

        Watch(String name) {
            this.name = name;
        }

        @Override
        public void frameReceived(byte[] frame, long nowNs) {
            if (received) add(nowNs, name, "<", () -> frame(frame));
        }

        @Override
        public void frameSent(byte[] frame, long nowNs) {
            add(nowNs, name, ">", () -> frame(frame));
        }

        @Override
        public void began(CmConnection connection, Step first, long nowNs) {
            add(nowNs, name, "=", () -> connection.id() + " " + first.next().name());
        }

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
            StateName to = step.next().name();
            if (from != to) add(nowNs, name, "=", () -> connection.id() + " " + from + " -> " + to);
        }

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {
            add(nowNs, name, "!", () -> connection.id() + " " + EventText.describe(event));
        }
    }
}
