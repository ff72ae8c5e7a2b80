package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.NicCounts;
import java.util.HashMap;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commands that the device has been given and what is to be done with their outcomes. An outcome is worked on in the
 * turn in which it comes, never inside the call that started the command.
 */
final class DeviceCommands implements Device.Completions {

    /** What is done with an outcome. */
    interface Done {
        void completed(Optional<Failure> failed, Turn turn);
    }

    private static final class Flight {
        private final Done done;
        private boolean starting = true;
        private boolean landed;
        private Optional<Failure> failed = Optional.empty();

        Flight(Done done) {
            this.done = done;
        }
    }

    private final Device device;
    private final NicCounts counts;
    private final SendBuffers buffers;
    private final HashMap<Long, Flight> flights = new HashMap<>();
    private long lastId;
    private @Nullable Turn turn;

    DeviceCommands(Device device, NicCounts counts, int buffersMax) {
        this.device = device;
        this.counts = counts;
        this.buffers = new SendBuffers(buffersMax, counts);
    }

    /** Whatever the device says from now on belongs to this turn. */
    void begin(Turn next) {
        turn = next;
        buffers.begin();
    }

    void order(DeviceCommand command, Done done, Turn now) {
        long id = ++lastId;
        Flight flight = new Flight(done);
        flights.put(id, flight);
        counts.add(NicCounter.DEVICE_COMMANDS);
        device.submit(id, command, now.nowNs(), this);
        flight.starting = false;
        if (flight.landed) {
            done.completed(flight.failed, now);
        }
    }

    /** Sends a frame, in order; false when there is no buffer for it. */
    boolean transmit(byte[] frame, SendBuffers.Whom whom, Turn now) {
        boolean taken = buffers.take(whom);
        if (taken) {
            device.transmit(frame, now.nowNs(), this);
        }
        return taken;
    }

    void ringWith(Runnable bell) {
        device.ringWith(bell);
    }

    void poll(Turn now) {
        device.poll(now.nowNs(), this);
    }

    long nextNs() {
        return device.nextPollNs();
    }

    /** Commands that have not completed. */
    int underWay() {
        return flights.size();
    }

    @Override
    public void completed(long id, Optional<Failure> failed) {
        Flight flight = flights.remove(id);
        if (flight == null) {
            counts.add(NicCounter.DEVICE_STRAYS);
            return;
        }
        if (failed.isPresent()) {
            counts.add(NicCounter.DEVICE_FAILURES);
        }
        flight.landed = true;
        flight.failed = failed;
        if (!flight.starting) {
            flight.done.completed(failed, now());
        }
    }

    @Override
    public void toLink(byte[] frame) {
        now().out().transmit(frame);
    }

    @Override
    public void buffersFree(int frames) {
        buffers.free(frames);
    }

    int buffersInUse() {
        return buffers.inUse();
    }

    private Turn now() {
        return Objects.requireNonNull(turn, "nothing is ordered or polled outside of a turn");
    }
}
