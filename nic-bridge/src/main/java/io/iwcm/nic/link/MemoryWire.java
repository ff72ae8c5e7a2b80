package io.iwcm.nic.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An Ethernet segment in memory: a switch that learns which attachment a MAC address is behind and floods the rest.
 *
 * <p>It runs in one of two ways. <b>Driven</b>: time is virtual and starts at 0, nothing moves until {@link #run} is
 * called, receivers are called by that thread, and everything repeats exactly; attach, transmit and run from one thread.
 * <b>Live</b>: time is real and receivers are called by the wire's own thread, {@code iwcm-wire-NAME}; everything else
 * may be called from any thread.
 */
public final class MemoryWire implements AutoCloseable {

    static final int BATCH_FRAMES_MAX = 64;
    private static final int LEARNED_MAX = 4096;
    private static final int SOURCE_MAC = 6;
    private static final int MAC_LENGTH = 6;

    private final String name;
    private final WireOptions options;
    private final boolean live;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private final List<MemoryPort> ports = new ArrayList<>();
    private final Map<Long, MemoryPort> learned = new HashMap<>();
    private final SplittableRandom seeds;
    private FaultRates rates;
    private FaultCounters faultsOfClosed = new FaultCounters(0, 0, 0, 0, 0, 0);
    private long virtualNowNs;
    private long flightCount;
    private boolean closed;
    private Thread thread = Thread.currentThread();

    private MemoryWire(String name, WireOptions options, boolean live) {
        this.name = name;
        this.options = options;
        this.live = live;
        this.rates = options.faults();
        this.seeds = new SplittableRandom(options.seed());
    }

    /** A wire in virtual time: see {@link #run}. */
    public static MemoryWire driven(WireOptions options) {
        if (options.latencyNs() < 1) {
            throw new IllegalArgumentException("a driven wire needs a latency of 1 ns or more");
        }
        return new MemoryWire("driven", options, false);
    }

    /** A wire in real time with a thread of its own. */
    public static MemoryWire live(String name, WireOptions options) {
        MemoryWire wire = new MemoryWire(name, options, true);
        wire.thread = Thread.ofPlatform().daemon().name("iwcm-wire-" + name).unstarted(wire::deliverUntilClosed);
        wire.thread.start();
        return wire;
    }

    /** A new attachment, {@code memory:NAME}. Until it is started, frames for it are dropped and counted. */
    public Link attach(String portName, int mtu) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the wire " + name + " is closed");
            }
            MemoryPort port = new MemoryPort(this, portName, mtu, new Faults(rates, seeds.split()));
            ports.add(port);
            return port;
        } finally {
            lock.unlock();
        }
    }

    /** Nanoseconds since a driven wire began; real time ({@link System#nanoTime}) on a live one. */
    public long nowNs() {
        if (live) {
            return System.nanoTime();
        }
        lock.lock();
        try {
            return virtualNowNs;
        } finally {
            lock.unlock();
        }
    }

    /** When the next frame arrives; empty when none is on its way. */
    public OptionalLong nextDueNs() {
        lock.lock();
        try {
            Flight head = flights.peek();
            return head == null ? OptionalLong.empty() : OptionalLong.of(head.atNs());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers, in order of arrival, all that is due up to and including {@code untilNs}, also what receivers transmit
     * meanwhile; then it is {@code untilNs}. While a receiver runs, {@link #nowNs} is the time of arrival. What a receiver
     * throws comes out here.
     *
     * @return how many frames were delivered
     */
    public int run(long untilNs) {
        if (live) {
            throw new IllegalStateException("the wire " + name + " is live: its own thread delivers");
        }
        if (untilNs < nowNs()) {
            throw new IllegalArgumentException("time cannot go back from " + nowNs() + " to " + untilNs + " ns");
        }
        int delivered = 0;
        for (var next = takeDue(untilNs); next.isPresent(); next = takeDue(untilNs)) {
            next.get().port().deliver(next.get().frames());
            delivered += next.get().frames().size();
        }
        lock.lock();
        try {
            virtualNowNs = untilNs;
        } finally {
            lock.unlock();
        }
        return delivered;
    }

    /** From now on the wire errs as told; what is on its way arrives as it was. */
    public void spoil(FaultRates next) {
        lock.lock();
        try {
            rates = next;
            ports.forEach(port -> port.faults().change(next));
        } finally {
            lock.unlock();
        }
    }

    /** What the faults of all attachments did, closed ones included. */
    public FaultCounters faultCounters() {
        lock.lock();
        try {
            FaultCounters sum = faultsOfClosed;
            for (MemoryPort port : ports) {
                sum = sum.plus(port.faults().counters());
            }
            return sum;
        } finally {
            lock.unlock();
        }
    }

    /** Closes every attachment; what was on its way is dropped. Idempotent. */
    @Override
    public void close() {
        List<MemoryPort> open;
        lock.lock();
        try {
            closed = true;
            open = List.copyOf(ports);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        open.forEach(MemoryPort::close);
        if (live) {
            Threads.joinUnlessCurrent(thread);
        }
        lock.lock();
        try {
            flights.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Takes frames from an attachment. */
    void carry(MemoryPort from, List<byte[]> frames) {
        lock.lock();
        try {
            if (!ports.contains(from)) {
                from.tally().sendDropped(frames.size());
                return;
            }
            long nowNs = live ? System.nanoTime() : virtualNowNs;
            for (byte[] frame : frames) {
                if (!from.fits(frame)) {
                    from.tally().sendDropped(1);
                    continue;
                }
                from.tally().sent(1);
                learn(from, macAt(frame, SOURCE_MAC));
                for (Faults.Passage passage : from.faults().pass(frame, nowNs)) {
                    forward(from, passage.frame(), passage.atNs() + options.latencyNs());
                }
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The attachment leaves the segment. */
    void detach(MemoryPort port) {
        lock.lock();
        try {
            if (ports.remove(port)) {
                faultsOfClosed = faultsOfClosed.plus(port.faults().counters());
                learned.values().removeIf(port::equals);
            }
        } finally {
            lock.unlock();
        }
    }

    private void learn(MemoryPort from, long mac) {
        if (!isGroup(mac) && (learned.size() < LEARNED_MAX || learned.containsKey(mac))) {
            learned.put(mac, from);
        }
    }

    private void forward(MemoryPort from, byte[] frame, long atNs) {
        MemoryPort known = learned.get(macAt(frame, 0)); // Never one for a group: those are not learned.
        if (known != null) {
            if (known != from) { // A switch sends nothing back to where it came from.
                enqueue(known, frame, atNs);
            }
            return;
        }
        for (MemoryPort port : ports) {
            if (port != from) {
                enqueue(port, frame, atNs);
            }
        }
    }

    private void enqueue(MemoryPort to, byte[] frame, long atNs) {
        if (!to.fits(frame) || !to.reserve(options.queueFramesMax())) {
            to.tally().receiveDropped(1);
            return;
        }
        flights.add(new Flight(atNs, flightCount++, to, frame));
    }

    /** The earliest frames for one attachment, no later than {@code untilNs}; empty when none is due. */
    private Optional<Arrival> takeDue(long untilNs) {
        lock.lock();
        try {
            List<byte[]> batch = new ArrayList<>();
            Flight head = flights.peek();
            if (head == null || head.atNs() - untilNs > 0) {
                return Optional.empty();
            }
            // In virtual time a batch is one instant; in real time it is whatever is late.
            long batchUntilNs = live ? untilNs : head.atNs();
            MemoryPort port = head.to();
            while (head != null
                    && head.to() == port
                    && head.atNs() - batchUntilNs <= 0
                    && batch.size() < BATCH_FRAMES_MAX) {
                batch.add(head.frame());
                flights.remove();
                head = flights.peek();
            }
            port.release(batch.size());
            virtualNowNs = live ? virtualNowNs : batchUntilNs;
            return Optional.of(new Arrival(port, batch));
        } finally {
            lock.unlock();
        }
    }

    private void deliverUntilClosed() {
        while (awaitDue()) {
            takeDue(System.nanoTime()).ifPresent(due -> due.port().deliverGuarded(due.frames()));
        }
    }

    /** Waits until a frame is due; false when the wire is closed. */
    private boolean awaitDue() {
        lock.lock();
        try {
            while (!closed) {
                Flight head = flights.peek();
                long waitNs = head == null ? Long.MAX_VALUE : head.atNs() - System.nanoTime();
                if (waitNs <= 0) {
                    return true;
                }
                changed.awaitNanos(waitNs);
            }
            return false;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static long macAt(byte[] frame, int at) {
        long mac = 0;
        for (int i = at; i < at + MAC_LENGTH; i++) {
            mac = mac << 8 | (frame[i] & 0xff);
        }
        return mac;
    }

    private static boolean isGroup(long mac) {
        return (mac & 0x0100_0000_0000L) != 0;
    }

    private record Flight(long atNs, long order, MemoryPort to, byte[] frame) implements Comparable<Flight> {
        @Override
        public int compareTo(Flight that) { // By difference: System.nanoTime may wrap.
            int byTime = Long.signum(atNs - that.atNs);
            return byTime != 0 ? byTime : Long.compare(order, that.order);
        }
    }

    private record Arrival(MemoryPort port, List<byte[]> frames) {}
}
