package io.iwcm.nic.rnic;

import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.NicCounts;
import io.iwcm.nic.wire.Drop;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Frames that were not used, by reason. */
final class DropCounts {

    private final long[] drops = new long[Drop.values().length];
    private final NicCounts counts;

    DropCounts(NicCounts counts) {
        this.counts = counts;
    }

    void add(Drop why) {
        drops[why.ordinal()]++;
        if (isError(why)) {
            counts.add(NicCounter.RCVD_PKT_ERR);
        }
    }

    /** Whether the frame was wrong, rather than somebody else's or unwanted. */
    private static boolean isError(Drop why) {
        return switch (why) {
            case NONE,
                    ETH_NOT_FOR_US,
                    ETH_UNKNOWN_TYPE,
                    ARP_UNUSED,
                    IP_UNKNOWN_PROTOCOL,
                    ICMP_UNUSED,
                    NO_STEERING,
                    ADDRESS_NOT_LOCAL,
                    SYN_BACKLOG_FULL,
                    BACKLOG_FULL,
                    ILQ_FULL,
                    SUPERSEDED,
                    LINK_QUEUE_FULL -> false;
            case ETH_TRUNCATED,
                    ETH_BAD_SOURCE,
                    VLAN_TRUNCATED,
                    VLAN_STACKED,
                    VLAN_RESERVED,
                    ARP_MALFORMED,
                    ARP_INVALID,
                    IPV4_TRUNCATED,
                    IPV4_BAD_VERSION,
                    IPV4_BAD_HEADER_LENGTH,
                    IPV4_BAD_TOTAL_LENGTH,
                    IPV4_BAD_CHECKSUM,
                    IPV4_FRAGMENT,
                    IPV6_TRUNCATED,
                    IPV6_BAD_VERSION,
                    IPV6_BAD_PAYLOAD_LENGTH,
                    IPV6_BAD_EXTENSION,
                    IPV6_BAD_OPTION,
                    IPV6_ROUTED,
                    IPV6_EXTENSION_LIMIT,
                    IPV6_FRAGMENT,
                    IP_BAD_SOURCE,
                    IP_BAD_DESTINATION,
                    ICMP_MALFORMED,
                    ICMP_BAD_CHECKSUM,
                    ND_INVALID,
                    TCP_TRUNCATED,
                    TCP_BAD_OFFSET,
                    TCP_BAD_CHECKSUM,
                    TCP_BAD_PORT,
                    TCP_BAD_FLAGS -> true;
        };
    }

    /** All reasons with their counts; unmodifiable. */
    Map<Drop, Long> snapshot() {
        EnumMap<Drop, Long> copy = new EnumMap<>(Drop.class);
        for (Drop why : Drop.values()) {
            copy.put(why, drops[why.ordinal()]);
        }
        return Collections.unmodifiableMap(copy);
    }
}
