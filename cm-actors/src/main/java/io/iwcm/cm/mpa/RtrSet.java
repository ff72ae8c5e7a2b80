package io.iwcm.cm.mpa;

import io.iwcm.nic.spi.Rtr;
import java.util.Optional;

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

    RtrSet without(Rtr rtr) {
        return new RtrSet(send && rtr != Rtr.SEND, write && rtr != Rtr.WRITE, read && rtr != Rtr.READ);
    }

    /**
     * The one to take when several would do, always in this order, in both roles. Read first: it is what RNICs (irdma,
     * and cxgb4 unless told otherwise) choose, so it is the form best tried against hardware, and its response shows the
     * initiator that the responder has left start-up. Then Write, which needs no read depth. Send last: it alone uses up
     * a receive buffer of the peer's application (RFC 5040 §5.3), and few peers offer it.
     */
    public Optional<Rtr> preferred() {
        if (read) {
            return Optional.of(Rtr.READ);
        }
        if (write) {
            return Optional.of(Rtr.WRITE);
        }
        return send ? Optional.of(Rtr.SEND) : Optional.empty();
    }
}
