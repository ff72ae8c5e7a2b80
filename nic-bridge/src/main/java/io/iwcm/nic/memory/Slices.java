package io.iwcm.nic.memory;

import io.iwcm.nic.wire.Octets;
import java.util.List;

/**
 * A scatter/gather list: what one message is taken from or placed in, part after part.
 *
 * @param parts at most {@link #PARTS_MAX}
 */
public record Slices(List<Slice> parts) {

    public static final int PARTS_MAX = 16;

    /** No memory at all: enough for a message without payload. */
    public static final Slices NONE = new Slices(List.of());

    public Slices {
        parts = List.copyOf(parts);
    }

    /** All of a region. */
    public static Slices of(MemoryRegion region) {
        return new Slices(List.of(Slice.of(region)));
    }

    /** Part of a region. */
    public static Slices of(MemoryRegion region, long at, long length) {
        return new Slices(List.of(new Slice(region, at, length)));
    }

    /** Octets in all; those of a list that is not {@link #sound} mean nothing. */
    public long length() {
        long length = 0;
        for (Slice part : parts) {
            length += part.length();
        }
        return length;
    }

    /** Whether every part lies within a region of this domain that allows it, and all are one message at most. */
    public boolean sound(ProtectionDomain domain, boolean written) {
        long length = 0;
        for (Slice part : parts) {
            boolean good = part.inside()
                    && part.region().domain() == domain
                    && (!written || part.region().access().writes());
            if (!good) {
                return false;
            }
            length += part.length();
            if (length > 0xffff_ffffL) { // RFC 5041 §4.3: message offsets have 32 bits.
                return false;
            }
        }
        return parts.size() <= PARTS_MAX;
    }

    /** Whether the memory is still there and its regions valid. */
    public boolean usable() {
        for (Slice part : parts) {
            if (!part.region().usable()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Copies octets of the message into a frame.
     *
     * @param from where in the message; {@code count} octets are there
     */
    public void copyTo(long from, byte[] target, int targetAt, int count) {
        long skip = from;
        int copied = 0;
        for (Slice part : parts) {
            if (copied == count) {
                return;
            }
            if (skip >= part.length()) {
                skip -= part.length();
            } else {
                int run = (int) Math.min(count - copied, part.length() - skip);
                part.region().copyTo(part.at() + skip, target, targetAt + copied, run);
                copied += run;
                skip = 0;
            }
        }
    }

    /**
     * Places octets of the message.
     *
     * @param from where in the message; there is room for them
     */
    public void place(long from, Octets octets) {
        long skip = from;
        Octets left = octets;
        for (Slice part : parts) {
            if (left.isEmpty()) {
                return;
            }
            if (skip >= part.length()) {
                skip -= part.length();
            } else {
                int run = (int) Math.min(left.length(), part.length() - skip);
                part.region().place(part.at() + skip, left.slice(0, run));
                left = left.from(run);
                skip = 0;
            }
        }
    }
}
