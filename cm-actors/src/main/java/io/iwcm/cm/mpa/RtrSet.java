package io.iwcm.cm.mpa;

import io.iwcm.nic.spi.Rtr;

/**
 * A set of RTR forms: the B, C and D flags.
 *
 * @param send B, zero-length Send
 * @param write C, zero-length RDMA Write
 * @param read D, zero-length RDMA Read
 */
public record RtrSet(boolean send, boolean write, boolean read) {

    public static final RtrSet NONE = new RtrSet(false, false, false);
    public static final RtrSet WRITE_OR_READ = new RtrSet(false, true, true);

    public static RtrSet of(Rtr rtr) {
        return new RtrSet(rtr == Rtr.SEND, rtr == Rtr.WRITE, rtr == Rtr.READ);
    }

    public boolean has(Rtr rtr) {
        return switch (rtr) {
            case SEND -> send;
            case WRITE -> write;
            case READ -> read;
        };
    }

    public boolean isEmpty() {
        return !send && !write && !read;
    }

    public RtrSet and(RtrSet other) {
        return new RtrSet(send && other.send, write && other.write, read && other.read);
    }
}
