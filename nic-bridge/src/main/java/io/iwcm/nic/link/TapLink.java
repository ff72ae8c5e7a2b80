package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link to the Linux kernel through a TAP interface: what the kernel sends out of it we receive, what we transmit the
 * kernel receives. The receiver is called by one daemon thread, {@code iwcm-tap-NAME}. An interface that this link made
 * goes away on close; one that root made to persist stays.
 *
 * <p>When the interface is deleted under us, the thread says so in the log and ends, and what is transmitted is dropped and
 * counted.
 */
public final class TapLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(TapLink.class);
    private static final int BATCH_FRAMES_MAX = 64;
    private static final int BUFFER = 1 << 17; // Above all that a TAP can carry.
    private static final int POLL_FD = 8; // struct pollfd: int fd, short events, short revents.

    private final String interfaceName;
    private final int mtu;
    private final Tally tally = new Tally();
    private final Gate gate = new Gate();
    private final Arena arena = Arena.ofShared();
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock lifecycle = new ReentrantLock();
    private final Linux sendCalls = new Linux(arena); // Guarded by sending, as sendBuffer.
    private final MemorySegment sendBuffer = arena.allocate(BUFFER);
    private final int tapFd;
    private final int wakeFd;
    private final Thread reader;
    private volatile boolean closing;
    private boolean released; // Guarded by sending.

    private TapLink(String interfaceName, TapDevice device) {
        this.interfaceName = interfaceName;
        this.mtu = device.mtu();
        this.tapFd = device.fd();
        this.wakeFd = sendCalls.eventFd();
        this.reader =
                Thread.ofPlatform().daemon().name("iwcm-tap-" + interfaceName).unstarted(this::readUntilClosed);
        if (wakeFd < 0) {
            sendCalls.close(tapFd);
            arena.close();
            throw new LinkException("the TAP interface " + interfaceName + " cannot be opened: no event descriptor: "
                    + Linux.words(-wakeFd));
        }
    }

    /**
     * Attaches to the interface. The kernel begins to send as soon as the interface is up; until {@link #start} it queues.
     *
     * @throws LinkException when that is not possible
     */
    public static TapLink open(TapOptions options) {
        return open(options, TapDevice.DEVICE);
    }

    static TapLink open(TapOptions options, String devicePath) {
        return new TapLink(options.name(), TapDevice.open(options, devicePath));
    }

    @Override
    public String name() {
        return "tap:" + interfaceName;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public void start(Receiver receiver) {
        lifecycle.lock();
        try {
            gate.open(receiver, name());
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
            int sent = 0;
            for (byte[] frame : frames) {
                if (!released && FrameSize.fits(frame, mtu)) {
                    MemorySegment.copy(frame, 0, sendBuffer, JAVA_BYTE, 0, frame.length);
                    // A full queue (EAGAIN, ENOBUFS) or an interface that is down (EIO) loses the frame, as a cable
                    // does.
                    sent += sendCalls.write(tapFd, sendBuffer, frame.length) == frame.length ? 1 : 0;
                }
            }
            tally.sent(sent);
            tally.sendDropped(frames.size() - sent);
        } finally {
            sending.unlock();
        }
    }

    @Override
    public LinkCounters counters() {
        return tally.snapshot();
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
        try {
            if (!released) {
                sendBuffer.set(JAVA_LONG, 0, 1);
                sendCalls.write(wakeFd, sendBuffer, Long.BYTES);
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
                sendCalls.close(tapFd);
                sendCalls.close(wakeFd);
                arena.close();
            }
        } finally {
            sending.unlock();
        }
    }

    private void readUntilClosed() {
        try (Arena own = Arena.ofConfined()) {
            Linux calls = new Linux(own);
            MemorySegment buffer = own.allocate(BUFFER);
            MemorySegment pollFds = own.allocate(2 * POLL_FD, 4);
            pollFds.set(JAVA_INT, 0, tapFd);
            pollFds.set(JAVA_SHORT, 4, Linux.POLLIN);
            pollFds.set(JAVA_INT, POLL_FD, wakeFd);
            pollFds.set(JAVA_SHORT, POLL_FD + 4, Linux.POLLIN);
            int result = 0;
            while (!closing && (result >= 0 || result == -Linux.EAGAIN)) {
                result = calls.poll(pollFds, 2);
                if (result > 0 && !closing) {
                    result = readBatches(calls, buffer);
                }
            }
            if (!closing) {
                LOG.error(
                        "the TAP interface {} is lost, nothing is received any more: {}",
                        interfaceName,
                        Linux.words(-result));
            }
        } finally {
            if (closing) {
                release();
            }
        }
    }

    /** Reads until the kernel has nothing more, in batches; the result is why it ended. */
    private int readBatches(Linux calls, MemorySegment buffer) {
        int result = 1;
        while (result > 0 && !closing) {
            List<byte[]> batch = new ArrayList<>();
            while (batch.size() < BATCH_FRAMES_MAX && (result = calls.read(tapFd, buffer)) > 0) {
                byte[] frame = buffer.asSlice(0, result).toArray(JAVA_BYTE);
                if (FrameSize.fits(frame, mtu)) {
                    batch.add(frame);
                } else {
                    tally.receiveDropped(1);
                }
            }
            if (!batch.isEmpty()) {
                gate.passGuarded(batch, tally, name());
            }
        }
        return Math.min(result, 0);
    }
}
