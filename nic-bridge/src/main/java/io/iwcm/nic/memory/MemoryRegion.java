package io.iwcm.nic.memory;

import io.iwcm.nic.wire.Octets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A registered run of memory: what an STag stands for. The memory stays the application's, which must keep it alive until
 * {@link #isValid()} is false for good, that is until it has been deregistered.
 *
 * <p>An octet of it is named in two ways: by its tagged offset, unsigned and counted from {@link #base()}, as peers do, and
 * by its distance from the region's first octet, as local work does.
 */
public final class MemoryRegion {

    private final ProtectionDomain domain;
    private final int stag;
    private final long base;
    private final Access access;
    private final MemorySegment memory;
    private volatile boolean valid = true;

    MemoryRegion(ProtectionDomain domain, int stag, long base, Access access, MemorySegment memory) {
        this.domain = domain;
        this.stag = stag;
        this.base = base;
        this.access = access;
        this.memory = memory;
    }

    public ProtectionDomain domain() {
        return domain;
    }

    /** Its name on the wire: an index of 24 bits and a key of 8. */
    public int stag() {
        return stag;
    }

    /** The tagged offset of its first octet, unsigned. */
    public long base() {
        return base;
    }

    /** In octets, 1 or more. */
    public long length() {
        return memory.byteSize();
    }

    public Access access() {
        return access;
    }

    /** The memory itself. */
    public MemorySegment memory() {
        return memory;
    }

    /** False once it was invalidated or deregistered: nobody reaches it any more. */
    public boolean isValid() {
        return valid;
    }

    /** From now on nobody reaches it; its place in the table is kept until it is deregistered. */
    void invalidate() {
        valid = false;
    }

    /** The distance from its first octet of one that {@link RegionTable#reach} found in it. */
    public long at(long taggedOffset) {
        return taggedOffset - base;
    }

    /** Judges a peer's wish, exactly at 64 bits. */
    Reach reach(ProtectionDomain who, long taggedOffset, long count, boolean allowed) {
        if (!usable()) {
            return Reach.NO_SUCH_STAG;
        }
        if (who != domain) {
            return Reach.OTHER_DOMAIN;
        }
        if (!allowed) {
            return Reach.NOT_ALLOWED;
        }
        if (count > 0 && Long.compareUnsigned(taggedOffset + (count - 1), taggedOffset) < 0) {
            return Reach.WRAPS;
        }
        long at = taggedOffset - base; // Below the base it wraps to more than any length.
        boolean inside = Long.compareUnsigned(at, length()) <= 0 && count <= length() - at;
        return inside ? Reach.GOOD : Reach.OUT_OF_BOUNDS;
    }

    /** Whether it is valid and its memory still there: an application may close its arena too early. */
    public boolean usable() {
        return valid && memory.scope().isAlive();
    }

    /**
     * Copies octets of the region into a frame.
     *
     * @param at distance from its first octet
     */
    public void copyTo(long at, byte[] target, int targetAt, int count) {
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, target, targetAt, count);
    }

    /**
     * Places octets of a frame.
     *
     * @param at distance from its first octet
     */
    public void place(long at, Octets octets) {
        MemorySegment.copy(MemorySegment.ofBuffer(octets.asBuffer()), 0, memory, at, octets.length());
    }

    @Override
    public String toString() {
        return "region %08x of %d octets at %s in %s%s"
                .formatted(stag, length(), Long.toHexString(base), domain, valid ? "" : ", invalid");
    }
}
