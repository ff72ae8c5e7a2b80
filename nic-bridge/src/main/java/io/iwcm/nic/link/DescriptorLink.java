package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link on a descriptor of the kernel that moves many frames by one call. The receiver is called by one daemon thread,
 * {@code iwcm-NAME}, which also looks after the device once a second.
 */
final class DescriptorLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(DescriptorLink.class);
    private static final int POLL_FD = 8; // struct pollfd: int fd, short events, short revents.
    private static final long LOOK_NS = 1_000_000_000;

    private final Device device;
    private final Gate gate = new Gate();
    private final Arena arena = Arena.ofShared();
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock lifecycle = new ReentrantLock();
    private final Linux wakeCalls; // Guarded by sending.
    private final int wakeFd;
    private final Thread reader;
    private volatile boolean closing;
    private boolean released; // Guarded by sending.

    /**
     * Opens the device and takes it over.
     *
     * @param opening gets memory that lives as long as the link; what it throws is passed on
     */
    DescriptorLink(Function<Arena, Device> opening) {
        try {
            device = opening.apply(arena);
        } catch (LinkException e) {
            arena.close();
            throw e;
        }
        wakeCalls = new Linux(arena);
        wakeFd = wakeCalls.eventFd();
        reader = Thread.ofPlatform().daemon().name("iwcm-" + device.name()).unstarted(this::readUntilClosed);
        if (wakeFd < 0) {
            device.close();
            arena.close();
            throw new LinkException(
                    "the link " + device.name() + " cannot be opened: no event descriptor: " + Linux.words(-wakeFd));
        }
    }

    /** What differs between descriptors. {@link #receive} and {@link #look} are the reader's, {@link #send} the senders'. */
    interface Device {
        /** The link's. */
        String name();

        int mtu();

        int fd();

        Tally tally();

        /** Adds what has arrived, at most one batch; then not negative, or a negative errno when there was nothing. */
        int receive(List<byte[]> batch);

        /** Sends in order; how many were taken. */
        int send(List<byte[]> frames);

        /**
         * Called every second, and when receiving has failed.
         *
         * @param errno why it failed, or 0
         * @return false when nothing can ever come again
         */
        boolean look(int errno);

        Map<LinkEvent, Long> events();

        void close();
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public int mtu() {
        return device.mtu();
    }

    @Override
    public void start(Receiver receiver) {
        lifecycle.lock();
        try {
            gate.open(receiver, device.name());
            if (!closing) {
                reader.start();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    @Override
    public void transmit(List<byte[]> frames) {
        sending.lock();
        try {
            List<byte[]> fitting = frames.stream()
                    .filter(frame -> FrameSize.fits(frame, device.mtu()))
                    .toList();
            int sent = released ? 0 : device.send(fitting);
            device.tally().sent(sent);
            device.tally().sendDropped(frames.size() - sent);
        } finally {
            sending.unlock();
        }
    }

    @Override
    public LinkCounters counters() {
        return device.tally().snapshot();
    }

    @Override
    public Map<LinkEvent, Long> events() {
        return device.events();
    }

    @Override
    public void close() {
        lifecycle.lock();
        try {
            closing = true;
            wakeReader();
        } finally {
            lifecycle.unlock();
        }
        gate.shut();
        if (Thread.currentThread() == reader) {
            return; // A receiver closes its own link: the thread gives everything back when the receiver returns.
        }
        Threads.joinUnlessCurrent(reader);
        release();
    }

    private void wakeReader() {
        sending.lock();
        try (Arena own = Arena.ofConfined()) {
            if (!released) {
                MemorySegment one = own.allocate(JAVA_LONG);
                one.set(JAVA_LONG, 0, 1);
                wakeCalls.write(wakeFd, one, Long.BYTES);
            }
        } finally {
            sending.unlock();
        }
    }

    private void release() {
        sending.lock();
        try {
            if (!released) {
                released = true;
                device.close();
                wakeCalls.close(wakeFd);
                arena.close();
            }
        } finally {
            sending.unlock();
        }
    }

    private void readUntilClosed() {
        try (Arena own = Arena.ofConfined()) {
            Linux calls = new Linux(own);
            MemorySegment pollFds = own.allocate(2 * POLL_FD, 4);
            pollFds.set(JAVA_INT, 0, device.fd());
            pollFds.set(JAVA_SHORT, 4, Linux.POLLIN);
            pollFds.set(JAVA_INT, POLL_FD, wakeFd);
            pollFds.set(JAVA_SHORT, POLL_FD + 4, Linux.POLLIN);
            long lookAtNs = System.nanoTime();
            boolean standing = true;
            while (!closing && standing) {
                int result = calls.poll(pollFds, 2, (int) (LOOK_NS / 1_000_000));
                if (result > 0 && !closing) {
                    result = readBatches();
                }
                boolean failed = result < 0 && result != -Linux.EAGAIN;
                if (failed || System.nanoTime() - lookAtNs >= 0) {
                    lookAtNs = System.nanoTime() + LOOK_NS;
                    standing = closing || device.look(failed ? -result : 0);
                }
            }
            if (!standing) {
                LOG.error("{} is lost, nothing is received any more", device.name());
            }
        } finally {
            if (closing) {
                release();
            }
        }
    }

    /** Reads until the kernel has nothing more, but not for ever; the result is why it ended. */
    private int readBatches() {
        int result = 0;
        for (int round = 0; round < ROUNDS_MAX && result >= 0 && !closing; round++) {
            List<byte[]> batch = new ArrayList<>();
            result = device.receive(batch);
            if (!batch.isEmpty()) {
                gate.passGuarded(batch, device.tally(), device.name());
            }
        }
        return Math.min(result, 0);
    }

    private static final int ROUNDS_MAX = 64;
}
