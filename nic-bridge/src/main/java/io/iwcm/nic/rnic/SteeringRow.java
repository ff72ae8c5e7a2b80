package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.SynEntry;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import java.util.Optional;

/**
 * One entry by which frames are steered, for people.
 *
 * @param kind what it does with frames
 * @param local our end
 * @param remote the peer's end; empty for a SYN entry
 * @param vlan the VLAN, 0 for none
 * @param owner the dispatcher whose it is; empty where none is
 * @param epoch under which it is owned, 0 where it is not
 * @param places places taken in the backlogs of a SYN entry; of others none
 */
public record SteeringRow(
        Kind kind,
        Endpoint local,
        Optional<Endpoint> remote,
        int vlan,
        Optional<Owner> owner,
        long epoch,
        Places places) {

    /** What an entry does with frames. */
    public enum Kind {
        /** SYNs go to a listener. */
        SYN,
        /** Promised to an active open. */
        RESERVED,
        /** A connection prepares. */
        CLAIMED,
        /** Frames go to the connection manager. */
        ILQ,
        /** Frames go to a queue pair. */
        QP,
        /** Late frames are answered. */
        TIME_WAIT
    }

    /** Places taken by half-open connections and by those that wait for the application. */
    public record Places(int halfOpen, int waiting) {
        static final Places NONE = new Places(0, 0);
    }

    static SteeringRow of(SynEntry entry) {
        return new SteeringRow(
                Kind.SYN,
                entry.key().local(),
                Optional.empty(),
                entry.key().vlan(),
                Optional.empty(),
                0,
                new Places(entry.halfOpen(), entry.waiting()));
    }

    static SteeringRow of(FlowEntry entry) {
        Kind kind = switch (entry.phase()) {
            case RESERVED -> Kind.RESERVED;
            case CLAIMED -> Kind.CLAIMED;
            case ILQ -> Kind.ILQ;
            case QP -> Kind.QP;
            case OVER -> Kind.TIME_WAIT; // Not among the flows that are walked through.
        };
        return of(kind, entry.flow(), entry.owner(), entry.epoch());
    }

    static SteeringRow ofTimeWait(FlowKey flow) {
        return of(Kind.TIME_WAIT, flow, Optional.empty(), 0);
    }

    private static SteeringRow of(Kind kind, FlowKey flow, Optional<Owner> owner, long epoch) {
        return new SteeringRow(kind, flow.local(), Optional.of(flow.remote()), flow.vlan(), owner, epoch, Places.NONE);
    }
}
