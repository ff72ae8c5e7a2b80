package io.iwcm.nic.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Any link as a bad and distant one: frames take a time to pass, both ways, and on the way what {@link FaultRates} says
 * happens to them. Receiver and link are called by one daemon thread, {@code iwcm-faults-NAME}. At most
 * {@link #FRAMES_MAX} frames are on their way; the next is dropped and counted.
 */
public final class FaultyLink implements Link {

    static final int FRAMES_MAX = 16_384;
    private static final int BATCH_FRAMES_MAX = 64;

    private final Link link;
    private final long latencyNs;
    private final Faults outgoing;
    private final Faults incoming;
    private final Tally tally = new Tally();
    private final Gate gate = new Gate();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Flight> flights = new PriorityQueue<>(); // This and the next two: guarded by the lock.
    private long flightCount;
    private boolean closing;
    private final Thread thread;

    private FaultyLink(Link link, FaultRates rates, long latencyNs, long seed) {
        SplittableRandom seeds = new SplittableRandom(seed);
        this.link = link;
        this.latencyNs = latencyNs;
        this.outgoing = new Faults(rates, seeds.split());
        this.incoming = new Faults(rates, seeds.split());
        this.thread =
                Thread.ofPlatform().daemon().name("iwcm-faults-" + link.name()).unstarted(this::carryUntilClosed);
    }

    /** Takes the link over. The fate of the n-th frame of a direction follows from the seed alone. */
    public static FaultyLink around(Link link, FaultRates rates, long latencyNs, long seed) {
        FaultyLink faulty = new FaultyLink(link, rates, latencyNs, seed);
        faulty.thread.start();
        return faulty;
    }

    @Override
    public String name() {
        return link.name();
    }

    @Override
    public int mtu() {
        return link.mtu();
    }

    @Override
    public void start(Receiver receiver) {
        gate.open(receiver, name());
        link.start(batch -> tally.receiveDropped(set(false, incoming, batch)));
    }

    @Override
    public void transmit(List<byte[]> frames) {
        int dropped = set(true, outgoing, frames);
        tally.sendDropped(dropped);
    }

    /** What passed here, and what the link itself lost. */
    @Override
    public LinkCounters counters() {
        LinkCounters here = tally.snapshot();
        LinkCounters there = link.counters();
        return new LinkCounters(
                here.received(),
                there.sent(),
                here.receiveDropped() + there.receiveDropped(),
                here.sendDropped() + there.sendDropped());
    }

    @Override
    public Map<LinkEvent, Long> events() {
        return link.events();
    }

    /** What happened to frames in both directions. */
    public FaultCounters faults() {
        return outgoing.counters().plus(incoming.counters());
    }

    /** From the next frame on, other rates hold. */
    public void spoil(FaultRates rates) {
        outgoing.change(rates);
        incoming.change(rates);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            flights.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        gate.shut();
        Threads.joinUnlessCurrent(thread);
        link.close();
    }

    /** Sets frames on their way; how many there was no room for. */
    private int set(boolean leaving, Faults faults, List<byte[]> frames) {
        int dropped = 0;
        lock.lock();
        try {
            long nowNs = System.nanoTime();
            for (byte[] frame : frames) {
                for (Faults.Passage passage : faults.pass(frame, nowNs)) {
                    if (closing || flights.size() >= FRAMES_MAX) {
                        dropped++;
                    } else {
                        flights.add(new Flight(passage.atNs() + latencyNs, flightCount++, leaving, passage.frame()));
                    }
                }
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
        return dropped;
    }

    private void carryUntilClosed() {
        List<byte[]> batch = new ArrayList<>();
        try {
            for (int leaving = awaitDue(batch); leaving >= 0; leaving = awaitDue(batch)) {
                if (leaving == 1) {
                    link.transmit(List.copyOf(batch));
                } else {
                    gate.passGuarded(List.copyOf(batch), tally, name());
                }
                batch.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for frames of one direction: 1 those that leave, 0 those that arrive, -1 when closed. */
    private int awaitDue(List<byte[]> batch) throws InterruptedException {
        lock.lock();
        try {
            while (!closing) {
                Flight head = flights.peek();
                long waitNs = head == null ? Long.MAX_VALUE : head.atNs - System.nanoTime();
                if (head != null && waitNs <= 0) {
                    boolean leaving = head.leaving;
                    long nowNs = System.nanoTime();
                    while (head != null
                            && head.leaving == leaving
                            && head.atNs - nowNs <= 0
                            && batch.size() < BATCH_FRAMES_MAX) {
                        batch.add(head.frame);
                        flights.remove();
                        head = flights.peek();
                    }
                    return leaving ? 1 : 0;
                }
                changed.awaitNanos(waitNs);
            }
            return -1;
        } finally {
            lock.unlock();
        }
    }

    private record Flight(long atNs, long order, boolean leaving, byte[] frame) implements Comparable<Flight> {
        @Override
        public int compareTo(Flight that) { // By difference: System.nanoTime may wrap.
            int byTime = Long.signum(atNs - that.atNs);
            return byTime != 0 ? byTime : Long.compare(order, that.order);
        }
    }
}
