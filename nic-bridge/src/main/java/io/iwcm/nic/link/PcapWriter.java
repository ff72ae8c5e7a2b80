package io.iwcm.nic.link;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Writes Ethernet frames to a pcap file with nanosecond time stamps (magic a1b23c4d, little endian, link type 1). Not
 * thread safe.
 */
public final class PcapWriter implements AutoCloseable {

    static final int MAGIC_NS = 0xa1b23c4d;
    static final int LINK_ETHERNET = 1;
    static final int SNAP_LENGTH = 262_144;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final long SECOND_NS = 1_000_000_000L;

    private final String target;
    private final OutputStream out;

    private PcapWriter(String target, OutputStream out) {
        this.target = target;
        this.out = out;
    }

    /**
     * Creates the file, or empties it.
     *
     * @throws LinkException when it cannot be written
     */
    public static PcapWriter create(Path file) {
        try {
            return onto(Files.newOutputStream(file), file.toString());
        } catch (IOException e) {
            throw failure(file.toString(), e);
        }
    }

    /** Writes onto a stream, which {@link #close} closes; {@code target} names it in errors. */
    public static PcapWriter onto(OutputStream stream, String target) {
        PcapWriter writer = new PcapWriter(target, new BufferedOutputStream(stream, 1 << 16));
        ByteBuffer header = ByteBuffer.allocate(FILE_HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(MAGIC_NS)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(0)
                .putInt(0);
        header.putInt(SNAP_LENGTH).putInt(LINK_ETHERNET);
        writer.put(header.array());
        return writer;
    }

    /**
     * Appends one frame.
     *
     * @param epochNs nanoseconds since 1970, not negative; virtual time may start at 0
     * @throws LinkException when the file cannot be written
     */
    public void write(long epochNs, byte[] frame) {
        int kept = Math.min(frame.length, SNAP_LENGTH);
        ByteBuffer header = ByteBuffer.allocate(RECORD_HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt((int) Math.floorDiv(epochNs, SECOND_NS)).putInt((int) Math.floorMod(epochNs, SECOND_NS));
        header.putInt(kept).putInt(frame.length);
        put(header.array());
        put(kept == frame.length ? frame : java.util.Arrays.copyOf(frame, kept));
    }

    /** Makes what was written visible to readers of the file. */
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw failure(target, e);
        }
    }

    /** Flushes and closes the file. */
    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw failure(target, e);
        }
    }

    private void put(byte[] octets) {
        try {
            out.write(octets);
        } catch (IOException e) {
            throw failure(target, e);
        }
    }

    private static LinkException failure(String target, IOException e) {
        String why = switch (e) {
            case NoSuchFileException _ -> "its directory does not exist";
            case AccessDeniedException _ -> "permission is denied";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            case IOException other -> String.valueOf(other.getMessage());
        };
        return new LinkException("the capture file " + target + " cannot be written: " + why, e);
    }
}
