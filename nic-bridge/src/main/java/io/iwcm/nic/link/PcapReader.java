package io.iwcm.nic.link;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads capture files frame by frame: pcap in both byte orders with micro- or nanoseconds, and pcapng (enhanced and simple
 * packet blocks; others are skipped). Holds one record in memory at a time. A file that is cut short or contradicts itself
 * ends in a {@link LinkException} that says where; frames before that place were good. Not thread safe.
 */
public final class PcapReader implements AutoCloseable {

    /** No record, block or frame may be longer; real ones are far below. */
    static final int RECORD_MAX = 16 * 1024 * 1024;

    private static final int MAGIC_US = 0xa1b2c3d4;
    private static final int MAGIC_BLOCKS = 0x0a0d0d0a; // The same in both byte orders.
    private static final int FILE_HEADER_REST = 20;
    private static final int RECORD_HEADER = 16;

    private final Input input;
    private final Format format;

    private PcapReader(Input input, Format format) {
        this.input = input;
        this.format = format;
    }

    /**
     * Opens a file and reads its header.
     *
     * @throws LinkException when it cannot be read or is no capture
     */
    public static PcapReader open(Path file) {
        try {
            return from(Files.newInputStream(file), file.toString());
        } catch (NoSuchFileException e) {
            throw new LinkException("the capture file " + file + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new LinkException("the capture file " + file + " cannot be read: permission is denied", e);
        } catch (IOException e) {
            throw new LinkException("the capture file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Reads from a stream, which {@link #close} closes; {@code source} names it in errors. */
    public static PcapReader from(InputStream stream, String source) {
        Input input = new Input(new BufferedInputStream(stream, 1 << 16), source);
        try {
            return new PcapReader(input, formatOf(input));
        } catch (LinkException e) {
            input.close();
            throw e;
        }
    }

    /** All frames of a file. For files that fit into memory. */
    public static List<PcapFrame> readAll(Path file) {
        try (PcapReader reader = open(file)) {
            List<PcapFrame> frames = new ArrayList<>();
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                frames.add(next.get());
            }
            return frames;
        }
    }

    /**
     * The next frame; empty at the end of the file.
     *
     * @throws LinkException when the file is malformed from here on
     */
    public Optional<PcapFrame> next() {
        return format.next();
    }

    @Override
    public void close() {
        input.close();
    }

    /** What differs between pcap and pcapng once the beginning is read. */
    interface Format {
        Optional<PcapFrame> next();
    }

    private static Format formatOf(Input input) {
        ByteBuffer magic = input.next(4, "the file's magic number").orElseThrow(() -> input.malformed("it is empty"));
        int big = magic.getInt(0);
        if (big == MAGIC_BLOCKS) {
            return new PcapBlocks(input);
        }
        int little = Integer.reverseBytes(big);
        boolean isBig = big == MAGIC_US || big == PcapWriter.MAGIC_NS;
        if (!isBig && little != MAGIC_US && little != PcapWriter.MAGIC_NS) {
            throw input.malformed("it begins with " + Integer.toHexString(big) + ", and neither pcap nor pcapng does");
        }
        ByteOrder order = isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int unitNs = (isBig ? big : little) == MAGIC_US ? 1000 : 1;
        ByteBuffer rest = input.need(FILE_HEADER_REST, "the file header").order(order);
        int major = rest.getShort(0) & 0xffff;
        if (major != 2) {
            throw input.malformed("its version is " + major + ", and only 2 is known");
        }
        int linkType = rest.getInt(16) & 0xffff; // Above are the FCS length and reserved bits.
        return new Records(input, order, unitNs, linkType);
    }

    /** The records of a pcap file. */
    private record Records(Input input, ByteOrder order, int unitNs, int linkType) implements Format {
        @Override
        public Optional<PcapFrame> next() {
            return input.next(RECORD_HEADER, "a record header").map(header -> frame(header.order(order)));
        }

        private PcapFrame frame(ByteBuffer header) {
            long epochNs =
                    (header.getInt(0) & 0xffff_ffffL) * 1_000_000_000L + (header.getInt(4) & 0xffff_ffffL) * unitNs;
            int kept = input.checkedLength(header.getInt(8), "a record");
            int length = input.checkedLength(header.getInt(12), "a frame");
            if (kept > length) {
                throw input.malformed("a record keeps " + kept + " octets of a frame of " + length);
            }
            return new PcapFrame(epochNs, linkType, input.need(kept, "a record").array(), length);
        }
    }

    /** A stream that knows where it is, and refuses what the file does not hold. */
    static final class Input {
        private final InputStream stream;
        private final String source;
        private long at;

        Input(InputStream stream, String source) {
            this.stream = stream;
            this.source = source;
        }

        /** Exactly {@code count} octets, or empty when the file ends right here. */
        Optional<ByteBuffer> next(int count, String what) {
            try {
                byte[] octets = stream.readNBytes(count);
                if (octets.length == 0 && count > 0) {
                    return Optional.empty();
                }
                if (octets.length < count) {
                    throw malformed("the file ends inside " + what);
                }
                at += count;
                return Optional.of(ByteBuffer.wrap(octets));
            } catch (IOException e) {
                throw new LinkException("the capture file " + source + " cannot be read: " + e.getMessage(), e);
            }
        }

        /** Exactly {@code count} octets that must be there. */
        ByteBuffer need(int count, String what) {
            return next(count, what).orElseThrow(() -> malformed("the file ends inside " + what));
        }

        int checkedLength(int unsigned, String what) {
            if (Integer.compareUnsigned(unsigned, RECORD_MAX) > 0) {
                throw malformed(what + " claims " + Integer.toUnsignedString(unsigned) + " octets, and at most "
                        + RECORD_MAX + " are read");
            }
            return unsigned;
        }

        LinkException malformed(String why) {
            return new LinkException("the capture file " + source + " is malformed at octet " + at + ": " + why);
        }

        void close() {
            try {
                stream.close();
            } catch (IOException e) {
                throw new LinkException("the capture file " + source + " cannot be closed: " + e.getMessage(), e);
            }
        }
    }
}
