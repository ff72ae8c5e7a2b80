package io.iwcm.nic.link;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link that writes all that passes another one, both ways, to a pcap file. A frame is written before it is passed on, so
 * an answer never stands before its question, and the file can be read while it grows. When the file can no longer be
 * written, recording ends, the frames go on, and {@link #failure} says why.
 */
public final class Recorder implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    private final Link link;
    private final PcapWriter writer;
    private final LongSupplier epochNs;
    private final Object writing = new Object();
    private boolean recording = true;
    private Optional<LinkException> failure = Optional.empty();

    private Recorder(Link link, PcapWriter writer, LongSupplier epochNs) {
        this.link = link;
        this.writer = writer;
        this.epochNs = epochNs;
    }

    /**
     * Records onto a fresh file. Closing the recorder closes the link and the file.
     *
     * @param epochNs the time stamps: nanoseconds since 1970, or virtual time
     * @throws LinkException when the file cannot be written; the link stays open
     */
    public static Recorder around(Link link, Path file, LongSupplier epochNs) {
        return around(link, PcapWriter.create(file), epochNs);
    }

    /** Records onto a writer, which it closes. */
    public static Recorder around(Link link, PcapWriter writer, LongSupplier epochNs) {
        return new Recorder(link, writer, epochNs);
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
        link.start(batch -> {
            record(batch);
            receiver.frames(batch);
        });
    }

    @Override
    public void transmit(List<byte[]> frames) {
        record(frames);
        link.transmit(frames);
    }

    @Override
    public LinkCounters counters() {
        return link.counters();
    }

    @Override
    public Map<LinkEvent, Long> events() {
        return link.events();
    }

    /** Why the file is incomplete, if it is. */
    public Optional<LinkException> failure() {
        synchronized (writing) {
            return failure;
        }
    }

    @Override
    public void close() {
        try {
            link.close();
        } finally {
            endRecording(Optional.empty());
        }
    }

    private void record(List<byte[]> frames) {
        synchronized (writing) {
            if (!recording) {
                return;
            }
            try {
                long nowNs = epochNs.getAsLong();
                frames.forEach(frame -> writer.write(nowNs, frame));
                writer.flush();
            } catch (LinkException e) {
                endRecording(Optional.of(e));
            }
        }
    }

    private void endRecording(Optional<LinkException> why) {
        synchronized (writing) {
            if (!recording) {
                return;
            }
            recording = false;
            failure = why;
            try {
                writer.close();
            } catch (LinkException e) {
                failure = failure.or(() -> Optional.of(e));
            }
            failure.ifPresent(e -> LOG.warn("recording of {} ends early: {}", link.name(), e.getMessage()));
        }
    }
}
