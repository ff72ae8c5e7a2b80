package io.iwcm.nic.testkit;

import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.DeviceCommand.AddPort;
import io.iwcm.nic.spi.DeviceCommand.AddQuad;
import io.iwcm.nic.spi.DeviceCommand.AddSyn;
import io.iwcm.nic.spi.DeviceCommand.CreateHandle;
import io.iwcm.nic.spi.DeviceCommand.DeletePort;
import io.iwcm.nic.spi.DeviceCommand.DeleteQuad;
import io.iwcm.nic.spi.DeviceCommand.DeleteSyn;
import io.iwcm.nic.spi.DeviceCommand.FreeHandle;
import io.iwcm.nic.spi.DeviceCommand.QpToClosing;
import io.iwcm.nic.spi.DeviceCommand.QpToError;
import io.iwcm.nic.spi.DeviceCommand.QpToRts;
import io.iwcm.nic.spi.NicEvent.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A device that does as it is told by a test: it holds commands until they are released, in any order; delays them; fails
 * those it is to fail; and says by itself when what is above breaks the contract: an entry added or deleted twice, two
 * commands about one entry at a time. A command takes effect when it completes. Threads may share it.
 */
public final class FakeDevice implements Device {

    /** A command under way. */
    private record Flight(long id, DeviceCommand command, Object subject, long dueNs, Optional<Failure> failure) {}

    /** Fails the command that comes when the countdown ends, or all if there is none. */
    private static final class Fault {
        private final Predicate<DeviceCommand> which;
        private final Failure why;
        private int countdown;

        Fault(Predicate<DeviceCommand> which, int nth, Failure why) {
            this.which = which;
            this.why = why;
            this.countdown = nth;
        }

        boolean strikes(DeviceCommand command) {
            if (!which.test(command)) {
                return false;
            }
            if (countdown == ALWAYS) {
                return true;
            }
            return countdown > 0 && --countdown == 0;
        }
    }

    private static final int ALWAYS = -1;

    private final List<Flight> flights = new ArrayList<>();
    private final List<byte[]> frames = new ArrayList<>();
    private final List<Class<? extends DeviceCommand>> held = new ArrayList<>();
    private final Map<Class<? extends DeviceCommand>, Long> delaysNs = new HashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<DeviceCommand> log = new ArrayList<>();
    private final Set<Object> entries = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private Optional<Random> chaos = Optional.empty();
    private long chaosDelayNs;
    private int chaosFaultsInHundred;
    private boolean holdsFrames;
    private int framesToLose;
    private Runnable bell = () -> {};

    // What the test says

    /** From now on commands of this kind wait until they are released. */
    public synchronized FakeDevice hold(Class<? extends DeviceCommand> kind) {
        held.add(kind);
        return this;
    }

    /** From now on commands of this kind take so long. */
    public synchronized FakeDevice delay(Class<? extends DeviceCommand> kind, long ns) {
        delaysNs.put(kind, ns);
        return this;
    }

    /** The nth command of this kind from now, 1 or more, fails. */
    public FakeDevice fail(Class<? extends DeviceCommand> kind, int nth, Failure why) {
        return fault(kind::isInstance, nth, why);
    }

    /** Every command of this kind fails from now on. */
    public FakeDevice failAll(Class<? extends DeviceCommand> kind, Failure why) {
        return fault(kind::isInstance, ALWAYS, why);
    }

    private synchronized FakeDevice fault(Predicate<DeviceCommand> which, int nth, Failure why) {
        faults.add(new Fault(which, nth, why));
        return this;
    }

    /** From now on every command takes up to so long and some fail. */
    public synchronized FakeDevice chaos(Random random, long delayMaxNs, int faultsInHundred) {
        chaos = Optional.of(random);
        chaosDelayNs = delayMaxNs;
        chaosFaultsInHundred = faultsInHundred;
        return this;
    }

    /** Commands are no longer held, delayed or failed; what is under way stays under way. */
    public synchronized FakeDevice behave() {
        held.clear();
        delaysNs.clear();
        faults.clear();
        chaos = Optional.empty();
        return this;
    }

    /** Frames wait from now on, and leave when {@link #releaseFrames} says so. */
    public synchronized FakeDevice holdFrames() {
        holdsFrames = true;
        return this;
    }

    /** The next frames are lost. */
    public synchronized FakeDevice loseFrames(int count) {
        framesToLose = count;
        return this;
    }

    /** Lets the oldest commands of this kind that are held complete. */
    public void release(Class<? extends DeviceCommand> kind, int count) {
        synchronized (this) {
            int left = count;
            for (int i = 0; i < flights.size() && left > 0; i++) {
                Flight flight = flights.get(i);
                if (kind.isInstance(flight.command()) && flight.dueNs() == Long.MAX_VALUE) {
                    flights.set(i, due(flight));
                    left--;
                }
            }
        }
        bell.run();
    }

    /** Lets all commands complete that are held, the latest first if {@code reversed}. */
    public void releaseAll(boolean reversed) {
        synchronized (this) {
            flights.replaceAll(flight -> flight.dueNs() == Long.MAX_VALUE ? due(flight) : flight);
            if (reversed) {
                List<Flight> turned = flights.reversed().stream().toList();
                flights.clear();
                flights.addAll(turned);
            }
        }
        bell.run();
    }

    /** Lets this many frames leave. */
    public void releaseFrames() {
        synchronized (this) {
            holdsFrames = false;
        }
        bell.run();
    }

    private static Flight due(Flight flight) {
        return new Flight(flight.id(), flight.command(), flight.subject(), Long.MIN_VALUE, flight.failure());
    }

    // What the test asks

    /** All commands since the last time, in the order they were given. */
    public synchronized List<DeviceCommand> take() {
        List<DeviceCommand> taken = List.copyOf(log);
        log.clear();
        return taken;
    }

    public synchronized int underWay() {
        return flights.size();
    }

    public synchronized boolean isUnderWay(Class<? extends DeviceCommand> kind) {
        return flights.stream().anyMatch(flight -> kind.isInstance(flight.command()));
    }

    /** What the device has: entries, port bits, handles and connected queue pairs. */
    public synchronized Set<Object> entries() {
        return Set.copyOf(entries);
    }

    /** What was done that the contract forbids. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    // What the RNIC says

    @Override
    public synchronized void submit(long id, DeviceCommand command, long nowNs, Completions to) {
        log.add(command);
        Object subject = subject(command);
        if (!(command instanceof QpToError)
                && flights.stream().anyMatch(flight -> flight.subject().equals(subject))) {
            violations.add(command + " while another is under way");
        }
        Flight flight = new Flight(id, command, subject, dueNs(command, nowNs), failure(command));
        if (flight.dueNs() <= nowNs && flights.stream().noneMatch(other -> other.dueNs() <= nowNs)) {
            complete(flight, to);
        } else {
            flights.add(flight);
        }
    }

    private long dueNs(DeviceCommand command, long nowNs) {
        if (held.stream().anyMatch(kind -> kind.isInstance(command))) {
            return Long.MAX_VALUE;
        }
        long delayNs = chaos.map(random -> random.nextLong(chaosDelayNs + 1))
                .orElseGet(() -> delaysNs.getOrDefault(command.getClass(), 0L));
        return nowNs + delayNs;
    }

    private Optional<Failure> failure(DeviceCommand command) {
        Optional<Failure> scripted = Optional.empty();
        for (Fault fault : faults) {
            if (fault.strikes(command)) scripted = Optional.of(fault.why);
        }
        return scripted.or(() -> chaos.filter(random -> random.nextInt(100) < chaosFaultsInHundred)
                .map(_ -> Failure.DEVICE));
    }

    @Override
    public synchronized void transmit(byte[] frame, long nowNs, Completions to) {
        if (framesToLose > 0) {
            framesToLose--;
            to.buffersFree(1);
        } else if (holdsFrames || !frames.isEmpty()) {
            frames.add(frame);
        } else {
            to.toLink(frame);
        }
    }

    @Override
    public synchronized void poll(long nowNs, Completions to) {
        List<Flight> due = new ArrayList<>();
        for (Iterator<Flight> each = flights.iterator(); each.hasNext(); ) {
            Flight flight = each.next();
            if (flight.dueNs() <= nowNs) {
                each.remove();
                due.add(flight);
            }
        }
        due.forEach(flight -> complete(flight, to));
        if (!holdsFrames) {
            List<byte[]> leaving = List.copyOf(frames);
            frames.clear();
            leaving.forEach(to::toLink);
        }
    }

    @Override
    public synchronized long nextPollNs() {
        long next = !holdsFrames && !frames.isEmpty() ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (Flight flight : flights) {
            next = Math.min(next, flight.dueNs());
        }
        return next;
    }

    @Override
    public synchronized void ringWith(Runnable bell) {
        this.bell = bell;
    }

    private void complete(Flight flight, Completions to) {
        if (flight.failure().isEmpty()) {
            takeEffect(flight);
        }
        to.completed(flight.id(), flight.failure());
    }

    private void takeEffect(Flight flight) {
        boolean right = switch (flight.command()) {
            case AddSyn _, AddQuad _, AddPort _, CreateHandle _, QpToRts _ -> entries.add(flight.subject());
            case DeleteSyn _, DeleteQuad _, DeletePort _, FreeHandle _ -> entries.remove(flight.subject());
            case QpToClosing _ -> true; // An error may have interrupted it.
            case QpToError _ -> entries.remove(flight.subject()) || true;
        };
        if (!right) {
            violations.add(flight.command() + " takes no effect");
        }
    }

    /** What a command is about, as the key of an entry. */
    private static Object subject(DeviceCommand command) {
        return switch (command) {
            case AddSyn(var key) -> key;
            case DeleteSyn(var key) -> key;
            case AddQuad(var flow) -> flow;
            case DeleteQuad(var flow) -> flow;
            case AddPort(int port) -> "port " + port;
            case DeletePort(int port) -> "port " + port;
            case CreateHandle create -> "handle " + create.index();
            case FreeHandle(int index) -> "handle " + index;
            case QpToRts(var qp, var _) -> qp;
            case QpToClosing(var qp) -> qp;
            case QpToError(var qp) -> qp;
        };
    }
}
