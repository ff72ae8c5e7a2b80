package io.iwcm.nic.memory;

/**
 * Part of a region as local work names it.
 *
 * @param region the region
 * @param at distance of its first octet from that of the region
 * @param length in octets, 0 or more
 */
public record Slice(MemoryRegion region, long at, long length) {

    /** All of a region. */
    public static Slice of(MemoryRegion region) {
        return new Slice(region, 0, region.length());
    }

    /** Whether it lies within its region. */
    boolean inside() {
        return at >= 0 && length >= 0 && at <= region.length() && length <= region.length() - at;
    }
}
