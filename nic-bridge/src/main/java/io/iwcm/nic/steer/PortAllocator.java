package io.iwcm.nic.steer;

import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses local ports of active opens from a range: unique per local address, remote endpoint and VLAN, and not to be
 * guessed from outside (RFC 6056 §3.3.4, double-hash port selection). Holds no port itself: what is in use is asked.
 */
public final class PortAllocator {

    private static final int COUNTERS = 256;

    private final int first;
    private final int count;
    private final TupleHash hash;
    private final NicCounts counts;
    private final int[] next = new int[COUNTERS];

    /**
     * @param first lowest port, 1..65535
     * @param last highest port, {@code first}..65535
     */
    public PortAllocator(int first, int last, TupleHash hash, NicCounts counts) {
        if (first < 1 || last > 0xffff || first > last) {
            throw new IllegalArgumentException(
                    "port range " + first + ".." + last + ": two ports of 1..65535 in rising order are allowed");
        }
        this.first = first;
        this.count = last - first + 1;
        this.hash = hash;
        this.counts = counts;
    }

    /**
     * A flow with a port of ours that nobody uses, or empty when every port of the range is used toward this remote end.
     *
     * @param inUse whether a flow cannot be had
     */
    public Optional<FlowKey> allocate(IpAddress local, Endpoint remote, int vlan, Predicate<FlowKey> inUse) {
        long h = hash.of(new FlowKey(new Endpoint(local, 0), remote, vlan));
        int offset = (int) Long.remainderUnsigned(h, count);
        int counter = (int) (h >>> 56) % COUNTERS;
        for (int tried = 0; tried < count; tried++) {
            int port = first + (offset + next[counter]) % count;
            next[counter] = (next[counter] + 1) % count;
            FlowKey flow = new FlowKey(new Endpoint(local, port), remote, vlan);
            if (!inUse.test(flow)) {
                return Optional.of(flow);
            }
        }
        counts.add(NicCounter.PORTS_EXHAUSTED);
        return Optional.empty();
    }
}
