package io.iwcm.nic.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The regions of one NIC by STag. A place that is given to another region gets another key, so that an STag does not come
 * back at once. For one thread.
 */
public final class RegionTable {

    private static final int INDEX_SHIFT = 8;
    private static final int KEY_MASK = 0xff;

    private final List<@Nullable MemoryRegion> places = new ArrayList<>();
    private final List<Integer> keys = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final int regionsMax;
    private final LongSupplier secrets;

    /**
     * An empty table.
     *
     * @param regionsMax most regions at once, 0..2^24-1
     * @param secrets what keys are drawn from, so that peers cannot guess them
     */
    public RegionTable(int regionsMax, LongSupplier secrets) {
        this.regionsMax = regionsMax;
        this.secrets = secrets;
    }

    /** Why memory cannot be registered. */
    public enum Refusal {
        /** There are too many regions. */
        TOO_MANY,
        /** It is empty, or its last octet would lie beyond tagged offset 2^64 - 1. */
        BAD_BOUNDS,
        /** It is read-only and the rights say that it is written to. */
        READ_ONLY,
        /** It belongs to one thread alone, or is not alive. */
        CONFINED
    }

    /** Why this memory could not be registered as far as it alone decides; empty when it can. */
    public static Optional<Refusal> judge(MemorySegment memory, long base, Access access) {
        long length = memory.byteSize();
        if (length == 0 || Long.compareUnsigned(base + (length - 1), base) < 0) {
            return Optional.of(Refusal.BAD_BOUNDS);
        }
        if (access.writes() && memory.isReadOnly()) {
            return Optional.of(Refusal.READ_ONLY);
        }
        return Optional.empty();
    }

    /**
     * Registers memory that {@link #judge} found good.
     *
     * @return empty when there are too many regions
     */
    public Optional<MemoryRegion> register(ProtectionDomain domain, MemorySegment memory, long base, Access access) {
        if (size() >= regionsMax) {
            return Optional.empty();
        }
        int place;
        if (free.isEmpty()) {
            place = places.size();
            places.add(null);
            keys.add((int) secrets.getAsLong() & KEY_MASK);
        } else {
            place = free.remove();
            int other = 1 + (int) Math.floorMod(secrets.getAsLong(), (long) KEY_MASK);
            keys.set(place, (keys.get(place) + other) & KEY_MASK);
        }
        int stag = (place + 1) << INDEX_SHIFT | keys.get(place); // No STag is 0: there are peers that refuse it.
        MemoryRegion region = new MemoryRegion(domain, stag, base, access, memory);
        places.set(place, region);
        return Optional.of(region);
    }

    /** Ends a region and gives its place back. Not there any more: nothing happens. */
    public void deregister(MemoryRegion region) {
        int place = (region.stag() >>> INDEX_SHIFT) - 1;
        if (place < places.size() && places.get(place) == region) {
            region.invalidate();
            places.set(place, null);
            free.add(place);
        }
    }

    /** Makes a region unreachable on local order. */
    public void invalidate(MemoryRegion region) {
        region.invalidate();
    }

    /**
     * Makes the region unreachable that a peer names (RFC 5040 §5.3).
     *
     * @return what is in the way; then nothing was done
     */
    public Reach invalidate(int stag, ProtectionDomain who) {
        Optional<MemoryRegion> region = find(stag);
        Reach reach =
                region.map(found -> found.reach(who, found.base(), 0, true)).orElse(Reach.NO_SUCH_STAG);
        if (reach == Reach.GOOD) {
            region.get().invalidate();
        }
        return reach;
    }

    /** The region of this STag, valid or not. */
    public Optional<MemoryRegion> find(int stag) {
        int place = (stag >>> INDEX_SHIFT) - 1;
        return place >= 0 && place < places.size()
                ? Optional.ofNullable(places.get(place)).filter(region -> region.stag() == stag)
                : Optional.empty();
    }

    /** Whether a peer may write there. */
    public static Reach reachToWrite(Optional<MemoryRegion> region, ProtectionDomain who, long offset, long count) {
        return region.map(
                        found -> found.reach(who, offset, count, found.access().remoteWrite()))
                .orElse(Reach.NO_SUCH_STAG);
    }

    /** Whether a peer may read there. */
    public static Reach reachToRead(Optional<MemoryRegion> region, ProtectionDomain who, long offset, long count) {
        return region.map(
                        found -> found.reach(who, offset, count, found.access().remoteRead()))
                .orElse(Reach.NO_SUCH_STAG);
    }

    public int size() {
        return places.size() - free.size();
    }
}
