package io.iwcm.nic.link;

import io.iwcm.nic.link.QemuStreamOptions.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link to one guest, or to any program, over a TCP or Unix socket: each frame behind its length, as QEMU's {@code -netdev
 * stream} speaks. The receiver is called by one daemon thread, {@code iwcm-NAME}.
 *
 * <p>While no peer is attached, what is transmitted is dropped and counted, as on a cable that is not plugged in. One peer
 * at a time: others are turned away. One that announces a frame that cannot be is cut off. When the peer goes we listen
 * on, or try to connect again: after {@code retryNsMin}, twice as late each time until a frame has come.
 */
public final class QemuStreamLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(QemuStreamLink.class);
    private static final int BATCH_FRAMES_MAX = 64;

    private final QemuStreamOptions options;
    private final String name;
    private final Tally tally = new Tally();
    private final EventTally events = new EventTally(
            LinkEvent.CONNECTS,
            LinkEvent.CONNECT_FAILURES,
            LinkEvent.DISCONNECTS,
            LinkEvent.WRONG_LENGTHS,
            LinkEvent.STRANGERS);
    private final Gate gate = new Gate();
    private final FrameStream.Buffers buffers = FrameStream.Buffers.allocate();
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock lifecycle = new ReentrantLock();
    private final SocketOpening opening;
    private final Selector selector;
    private final Thread thread;
    private @Nullable FrameStream peer; // Guarded by sending; changed by the thread alone.
    private boolean attempting; // This and the two below: the thread's own.
    private long retryAtNs;
    private long retryWaitNs;
    private volatile boolean closing;

    private QemuStreamLink(QemuStreamOptions options, SocketOpening opening, Selector selector) {
        this.options = options;
        this.opening = opening;
        this.selector = selector;
        this.name = "qemu-stream:" + opening.place();
        this.retryWaitNs = options.retryNsMin();
        this.thread = Thread.ofPlatform().daemon().name("iwcm-" + name).unstarted(this::runUntilClosed);
    }

    /**
     * Listens at once, or begins to connect when it is started.
     *
     * @throws LinkException when that is not possible; that nobody is there to connect to is not such a case
     */
    public static QemuStreamLink open(QemuStreamOptions options) {
        SocketOpening opening = SocketOpening.of(options);
        try {
            Selector selector = Selector.open();
            opening.listen(selector);
            return new QemuStreamLink(options, opening, selector);
        } catch (IOException e) {
            opening.close();
            throw new LinkException("the QEMU link to " + options.place() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int mtu() {
        return options.mtu();
    }

    @Override
    public void start(Receiver receiver) {
        lifecycle.lock();
        try {
            gate.open(receiver, name);
            if (!closing) {
                retryAtNs = System.nanoTime();
                thread.start();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    @Override
    public void transmit(List<byte[]> frames) {
        sending.lock();
        try {
            FrameStream to = peer;
            int taken = 0;
            if (to != null) {
                for (byte[] frame : frames) {
                    taken += FrameSize.fits(frame, options.mtu()) && to.add(frame) ? 1 : 0;
                }
                flush(to);
            }
            tally.sent(taken);
            tally.sendDropped(frames.size() - taken);
        } finally {
            sending.unlock();
        }
    }

    @Override
    public LinkCounters counters() {
        return tally.snapshot();
    }

    @Override
    public Map<LinkEvent, Long> events() {
        return events.snapshot();
    }

    @Override
    public void close() {
        lifecycle.lock();
        try {
            closing = true;
            selector.wakeup();
        } finally {
            lifecycle.unlock();
        }
        gate.shut();
        if (Thread.currentThread() == thread) {
            return; // A receiver closes its own link: the thread gives everything back when the receiver returns.
        }
        Threads.joinUnlessCurrent(thread);
        release();
    }

    private void runUntilClosed() {
        try {
            while (!closing) {
                connectIfDue();
                selector.select(this::ready, waitMs());
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.error("the link {} has failed and nothing is received any more", name, e);
        } finally {
            release();
        }
    }

    /** Until the next try; 0 is for ever. */
    private long waitMs() {
        if (!wantsToConnect()) {
            return 0;
        }
        return Math.max(1, (retryAtNs - System.nanoTime() + 999_999) / 1_000_000);
    }

    private boolean wantsToConnect() {
        return options.role() == Role.CONNECT && !attempting && peer == null;
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.isConnectable()) {
                finishConnect((SocketChannel) key.channel());
            } else if (peer != null && peer.channel() == key.channel()) {
                if (key.isWritable()) {
                    flushLater(peer);
                }
                read(peer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() throws IOException {
        Optional<SocketChannel> channel = opening.accept();
        if (channel.isEmpty()) {
            return;
        }
        if (peer == null) {
            attach(channel.get());
            return;
        }
        channel.get().close();
        events.count(LinkEvent.STRANGERS);
        LOG.warn("{} turned a peer away: another is attached", name);
    }

    private void connectIfDue() {
        if (!wantsToConnect() || retryAtNs - System.nanoTime() > 0) {
            return;
        }
        try {
            SocketChannel channel = opening.connect();
            if (channel.isConnected()) {
                attach(channel);
            } else {
                channel.register(selector, SelectionKey.OP_CONNECT);
                attempting = true;
            }
        } catch (IOException e) {
            connectFailed(e);
        }
    }

    private void finishConnect(SocketChannel channel) throws IOException {
        attempting = false;
        try {
            channel.finishConnect();
            attach(channel);
        } catch (IOException e) {
            channel.close();
            connectFailed(e);
        }
    }

    private void connectFailed(IOException why) {
        if (retryWaitNs == options.retryNsMin()) { // The first of a row speaks for all.
            LOG.warn("{} has no peer yet and tries on: {}", name, why.getMessage());
        }
        events.count(LinkEvent.CONNECT_FAILURES);
        retryLater();
    }

    private void retryLater() {
        retryAtNs = System.nanoTime() + retryWaitNs;
        retryWaitNs = retryWaitNs > options.retryNsMax() / 2 ? options.retryNsMax() : retryWaitNs * 2;
    }

    private void attach(SocketChannel channel) throws IOException {
        SocketOpening.prepare(channel);
        channel.register(selector, SelectionKey.OP_READ);
        events.count(LinkEvent.CONNECTS);
        LOG.info("{} has a peer", name);
        sending.lock();
        try {
            peer = new FrameStream(channel, buffers);
        } finally {
            sending.unlock();
        }
    }

    private void detach(String why) throws IOException {
        sending.lock();
        try {
            if (peer != null) {
                peer.channel().close();
            }
            peer = null;
        } finally {
            sending.unlock();
        }
        events.count(LinkEvent.DISCONNECTS);
        LOG.info("{} has lost its peer: {}", name, why);
        retryLater();
    }

    private void read(FrameStream from) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        FrameStream.Reading reading;
        try {
            reading = from.read(frames);
        } catch (IOException e) { // Reset by the peer: as good as ended.
            detach(String.valueOf(e.getMessage()));
            return;
        }
        deliver(frames);
        switch (reading) {
            case READ -> {}
            case ENDED -> detach("it has ended the connection");
            case WRONG_LENGTH -> {
                events.count(LinkEvent.WRONG_LENGTHS);
                detach("it announced a frame of a length that none can have");
            }
        }
    }

    private void deliver(List<byte[]> frames) {
        List<byte[]> fitting = frames.stream()
                .filter(frame -> FrameSize.fits(frame, options.mtu()))
                .toList();
        tally.receiveDropped(frames.size() - fitting.size());
        retryWaitNs = frames.isEmpty() ? retryWaitNs : options.retryNsMin();
        for (int from = 0; from < fitting.size(); from += BATCH_FRAMES_MAX) {
            int to = Math.min(from + BATCH_FRAMES_MAX, fitting.size());
            gate.passGuarded(fitting.subList(from, to), tally, name);
        }
    }

    /** As {@link #flush}, from the link's own thread. */
    private void flushLater(FrameStream to) {
        sending.lock();
        try {
            flush(to);
        } finally {
            sending.unlock();
        }
    }

    /** Writes what the peer takes, and the thread goes on with the rest when it takes more. */
    private void flush(FrameStream to) {
        try {
            SelectionKey key = to.channel().keyFor(selector);
            int interest = to.flush() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
            if (key.isValid() && key.interestOps() != interest) {
                key.interestOps(interest);
                selector.wakeup();
            }
        } catch (IOException e) { // What is wrong with the connection, reading says too.
            LOG.debug("{} cannot write", name, e);
        }
    }

    private void release() {
        sending.lock();
        try {
            opening.close();
            if (peer != null) {
                peer.channel().close();
                peer = null;
            }
            for (SelectionKey key : selector.isOpen() ? selector.keys() : List.<SelectionKey>of()) {
                key.channel().close(); // A connect that was under way.
            }
            selector.close();
        } catch (IOException e) {
            LOG.warn("{} was not closed in order", name, e);
        } finally {
            sending.unlock();
        }
    }
}
