package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import java.time.Duration;
import java.util.List;

/**
 * What a connection manager is started with.
 *
 * @param params for every connection
 * @param buckets dispatchers among which the flows are divided, 1..256
 * @param stopGrace how long open connections may take to close in order when the connection manager stops; then they are
 *     reset
 * @param addresses the NIC's local addresses at the start
 * @param observer watches
 * @param marking how priorities follow from traffic classes
 * @param portMapper names endpoints on the wire
 */
public record CmOptions(
        CmParams params,
        int buckets,
        Duration stopGrace,
        List<LocalAddress> addresses,
        CmObserver observer,
        Marking marking,
        PortMapper portMapper) {

    /** A few per core of an ordinary machine. */
    public static final int BUCKETS_DEFAULT = 16;
    /** Enough for a FIN each way and a lost frame or two. */
    public static final Duration STOP_GRACE_DEFAULT = Duration.ofSeconds(5);

    /** @throws IllegalArgumentException with one sentence when a value is out of range */
    public CmOptions {
        Limits.require(buckets >= 1 && buckets <= 256, buckets + " buckets are out of range: 1..256 are allowed");
        addresses = List.copyOf(addresses);
    }

    /** In non-DSCP mode and without a port mapper. */
    public CmOptions(
            CmParams params, int buckets, Duration stopGrace, List<LocalAddress> addresses, CmObserver observer) {
        this(params, buckets, stopGrace, addresses, observer, Marking.PRECEDENCE, PortMapper.IDENTITY);
    }
}
