package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.Apbvt;
import io.iwcm.nic.steer.Deadlines;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Refusals;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounts;
import io.iwcm.nic.steer.Owners;
import io.iwcm.nic.steer.QuadHash;
import io.iwcm.nic.steer.Routes;
import io.iwcm.nic.steer.TimeWaits;
import io.iwcm.nic.wire.FlowKey;
import java.util.Optional;

/** The tables of one RNIC, and the one place where a flow gives back what it holds in several of them. */
final class Tables {

    final NicCounts counts = new NicCounts();
    final DropCounts drops = new DropCounts(counts);
    final Owners owners = new Owners();
    final Apbvt apbvt = new Apbvt(counts);
    final LocalAddresses local;
    final Routes routes;
    final Neighbours neighbours;
    final QuadHash flows;
    final TimeWaits timeWaits;

    final int mtu;
    private final long claimNs;

    /** When a flow that is not in the quad hash has had its time. */
    final Deadlines<FlowKey> claims = new Deadlines<>();

    Tables(RnicConfig config) {
        RnicConfig.Limits limits = config.limits();
        mtu = config.mtu();
        claimNs = config.behaviour().claimNs();
        local = new LocalAddresses(config.mac(), limits.addressesMax());
        for (LocalAddress address : config.addresses()) {
            if (!LocalAddresses.isPossible(address) || !local.add(address)) {
                throw new IllegalArgumentException("address " + address.address() + "/" + address.prefixLength()
                        + " on VLAN " + address.vlan() + ": not an address of a host, or more than "
                        + limits.addressesMax());
            }
        }
        routes = new Routes(local, config.routes());
        neighbours = new Neighbours(limits.neighbours(), counts);
        flows = new QuadHash(limits.flowsMax(), limits.listenersMax(), counts);
        timeWaits = new TimeWaits(limits.timeWaitsMax(), config.behaviour().timeWaitNs(), counts);
    }

    /** No address handle for this flow, for good or until it asks again. */
    void handleFailed(FlowEntry entry, Failure why, Turn turn) {
        entry.handleFreed();
        entry.refusals(new Refusals(
                Optional.of(why), entry.refusals().steering(), entry.refusals().queuePair()));
        turn.tell(entry, new NicEvent.AddressHandleFailed(why));
        settle(entry, false, turn.nowNs());
    }

    /**
     * After a change: a flow that is not in the quad hash has only so much time, and one that holds nothing is forgotten,
     * unless an active open was promised it and has not {@code tidied} up.
     */
    void settle(FlowEntry entry, boolean tidied, long nowNs) {
        if (entry.isInstalled()) {
            claims.clear(entry.flow());
        } else if (entry.isBare() && (tidied || !entry.isReserved())) {
            release(entry);
        } else {
            claims.set(entry.flow(), nowNs + claimNs);
        }
    }

    /** Gives back all that a flow holds. */
    void release(FlowEntry entry) {
        freeHandle(entry);
        for (int use = 0; use < entry.portUses(); use++) {
            apbvt.delete(entry.flow().local().port());
        }
        entry.portUses(0);
        claims.clear(entry.flow());
        flows.remove(entry);
    }

    void freeHandle(FlowEntry entry) {
        if (entry.handle().isPresent()) {
            AddressHandle handle = entry.handle().get();
            if (!handle.ready() && handle.hop() instanceof Hop.Neighbour neighbour) {
                neighbours.cancel(neighbour, entry.flow());
            }
            entry.handleFreed();
        }
    }

    int handles() {
        return (int) flows.flows().stream()
                .filter(entry -> entry.handle().isPresent())
                .count();
    }
}
