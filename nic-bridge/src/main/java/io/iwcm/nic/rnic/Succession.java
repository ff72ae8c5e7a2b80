package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.TupleHash;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of the flows of a dispatcher that goes. Each goes to one of those who are there, by rendezvous hashing, under
 * a higher epoch and with all that is needed to go on: the checkpoint that its last owner stored last and the events that it
 * had not acknowledged. Its orders need not be repeated: they came in one request with the checkpoint, and so they were
 * carried out; and what the NIC has yet to answer it answers the new owner.
 *
 * <p>A flow without a checkpoint cannot be gone on with: one that was promised or prepared is given back, one that the peer
 * knows of is reset.
 */
final class Succession {

    private final Tables tables;
    private final QpBank qps;
    private final HandOvers handOvers;
    private final FlowOrders flows;
    private final TupleHash hash;
    private final LinkedHashSet<Owner> waiting = new LinkedHashSet<>();

    Succession(Tables tables, QpBank qps, HandOvers handOvers, FlowOrders flows, TupleHash hash) {
        this.tables = tables;
        this.qps = qps;
        this.handOvers = handOvers;
        this.flows = flows;
        this.hash = hash;
    }

    /**
     * Settles the estate of {@code gone}, who is not among the owners any more. When no owner is left, what can be gone on
     * with waits for the next one: queue pairs for as long as it takes, the others as long as a flow that nobody enters.
     *
     * @param handsOn otherwise all its flows end
     */
    void of(Owner gone, boolean handsOn, Turn turn) {
        if (!handsOn) {
            List.copyOf(waiting).forEach(owner -> settle(owner, false, turn));
            waiting.clear();
            settle(gone, false, turn);
        } else if (tables.owners.size() > 0) {
            settle(gone, true, turn);
        } else {
            waiting.add(gone);
            tables.flows.flowsOf(gone).forEach(entry -> wait(entry, turn));
        }
    }

    /** An owner is there: what has waited goes on. */
    void goOn(Turn turn) {
        List<Owner> estates = List.copyOf(waiting);
        waiting.clear();
        estates.forEach(gone -> settle(gone, true, turn));
    }

    private void wait(FlowEntry entry, Turn turn) {
        if (entry.checkpoint().isEmpty()) {
            giveUp(entry, turn);
        } else if (entry.phase() != Phase.QP && entry.phase() != Phase.OVER) {
            tables.expire(entry, turn);
        }
    }

    private void settle(Owner gone, boolean handsOn, Turn turn) {
        for (FlowEntry entry : tables.flows.flowsOf(gone)) {
            Optional<Owner> heir = handsOn ? tables.owners.choose(hash.of(entry.flow())) : Optional.empty();
            if (heir.isPresent() && entry.checkpoint().isPresent()) {
                handOn(entry, heir.get(), entry.checkpoint().get(), turn);
            } else {
                giveUp(entry, turn);
            }
        }
        qps.madeFor(gone).forEach(qp -> handOvers.destroy(qp, turn));
    }

    private void giveUp(FlowEntry entry, Turn turn) {
        if (entry.phase() == Phase.RESERVED || entry.phase() == Phase.OVER) {
            tables.release(entry, turn);
        } else {
            flows.orphan(entry, turn);
        }
    }

    private void handOn(FlowEntry entry, Owner heir, Checkpoint checkpoint, Turn turn) {
        tables.counts.add(NicCounter.FLOWS_HANDED_ON);
        tables.flows.handOn(entry, heir);
        if (entry.isInstalled()) {
            tables.claims.clear(entry.flow());
        }
        qps.handOn(entry, checkpoint.queuePairs(), heir);
        List<Rnic.FlowEvent> events = entry.unacknowledged().stream()
                .map(told -> new Rnic.FlowEvent(entry.flow(), entry.epoch(), told.number(), told.event()))
                .toList();
        turn.out().deliver(heir, new Rnic.Adopt(entry.flow(), entry.epoch(), checkpoint, events));
    }
}
