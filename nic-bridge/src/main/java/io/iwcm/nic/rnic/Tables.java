package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.DeviceCommand.AddPort;
import io.iwcm.nic.spi.DeviceCommand.AddQuad;
import io.iwcm.nic.spi.DeviceCommand.AddSyn;
import io.iwcm.nic.spi.DeviceCommand.DeletePort;
import io.iwcm.nic.spi.DeviceCommand.DeleteQuad;
import io.iwcm.nic.spi.DeviceCommand.DeleteSyn;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.steer.Deadlines;
import io.iwcm.nic.steer.EntryUse;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Refusals;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.NicCounts;
import io.iwcm.nic.steer.Owners;
import io.iwcm.nic.steer.QuadHash;
import io.iwcm.nic.steer.Routes;
import io.iwcm.nic.steer.SynEntry;
import io.iwcm.nic.steer.TimeWaits;
import io.iwcm.nic.wire.FlowKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The tables of one RNIC, and the one place where a flow gives back what it holds in several of them. */
final class Tables {

    final NicCounts counts = new NicCounts();
    final DropCounts drops = new DropCounts(counts);
    final Owners owners = new Owners();
    final DeviceCommands device;
    final DeviceTable<FlowKey> quads;
    final DeviceTable<ListenKey> syns;
    final DeviceTable<Integer> ports;
    final Handles handles;
    final LocalAddresses local;
    final Routes routes;
    final Neighbours neighbours;
    final QuadHash flows;
    final TimeWaits timeWaits;

    final int mtu;
    private final long claimNs;

    /** When a flow that is not in the quad hash has had its time. */
    final Deadlines<FlowKey> claims = new Deadlines<>();

    Tables(RnicConfig config, Device device) {
        RnicConfig.Limits limits = config.limits();
        this.device = new DeviceCommands(device, counts, limits.transmitMax());
        quads = table(AddQuad::new, DeleteQuad::new, NicCounter.QUAD_ADDS, NicCounter.QUAD_DELETES);
        syns = table(AddSyn::new, DeleteSyn::new, NicCounter.SYN_ADDS, NicCounter.SYN_DELETES);
        ports = table(AddPort::new, DeletePort::new, NicCounter.APBVT_ADDS, NicCounter.APBVT_DELETES);
        handles = new Handles(this, this.device);
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

    private <K> DeviceTable<K> table(
            Function<K, DeviceCommand> add, Function<K, DeviceCommand> delete, NicCounter added, NicCounter deleted) {
        return new DeviceTable<>(new DeviceTable.Kind<>(add, delete, added, deleted, _ -> {}), device, counts);
    }

    /** Whether this is still the flow that goes by its addresses. */
    boolean isThere(FlowEntry entry) {
        return flows.find(entry.flow()).filter(now -> now == entry).isPresent();
    }

    /** No address handle for this flow, for good or until it asks again. */
    void handleFailed(FlowEntry entry, Failure why, Turn turn) {
        entry.handleFreed();
        entry.refusals(new Refusals(
                Optional.of(why), entry.refusals().steering(), entry.refusals().queuePair()));
        turn.tell(entry, new NicEvent.AddressHandleFailed(why));
        settle(entry, false, turn);
    }

    /**
     * After a change: a flow that is not in the quad hash has only so much time, and one that holds nothing is forgotten,
     * unless an active open was promised it and has not {@code tidied} up.
     */
    void settle(FlowEntry entry, boolean tidied, Turn turn) {
        if (entry.isInstalled()) {
            claims.clear(entry.flow());
        } else if (entry.isBare() && (tidied || !entry.isReserved())) {
            release(entry, turn);
        } else {
            claims.set(entry.flow(), turn.nowNs() + claimNs);
        }
    }

    /** Nobody owns this flow: it has only so much time until somebody does. */
    void expire(FlowEntry entry, Turn turn) {
        claims.set(entry.flow(), turn.nowNs() + claimNs);
    }

    /** A cookie has completed a handshake: whoever gets the flow has so much time for it. False: the quad hash is full. */
    boolean promise(FlowKey flow, Owner owner, SynEntry listener, long nowNs) {
        Optional<FlowEntry> promised = flows.promise(flow, owner, listener);
        promised.ifPresent(_ -> claims.set(flow, nowNs + claimNs));
        return promised.isPresent();
    }

    /** Gives back all that a flow holds, in reverse. */
    void release(FlowEntry entry, Turn turn) {
        flows.remove(entry);
        claims.clear(entry.flow());
        leavePorts(entry, turn);
        leaveQuad(entry, turn);
        handles.free(entry, turn);
    }

    /** The queue pair of a flow is done with it: all it holds is given back, but what its owner has to hear stays. */
    void retire(FlowEntry entry, Turn turn) {
        release(entry, turn);
        flows.retire(entry);
    }

    void leavePorts(FlowEntry entry, Turn turn) {
        List<EntryUse<Integer>> uses = List.copyOf(entry.ports());
        entry.ports().clear();
        uses.forEach(use -> ports.leave(use, turn));
    }

    void leaveQuad(FlowEntry entry, Turn turn) {
        Optional<EntryUse<FlowKey>> use = entry.quad();
        entry.quad(Optional.empty());
        use.ifPresent(held -> quads.leave(held, turn));
    }

    /** What the device is to be told again by now. */
    void tick(Turn turn) {
        quads.tick(turn);
        syns.tick(turn);
        ports.tick(turn);
        handles.tick(turn);
    }

    /** Entries that the device would not delete. */
    int stuck() {
        return quads.stuck() + syns.stuck() + ports.stuck() + handles.stuck();
    }

    long nextNs() {
        long entries = Math.min(quads.nextNs(), Math.min(syns.nextNs(), ports.nextNs()));
        return Math.min(entries, Math.min(handles.nextNs(), device.nextNs()));
    }
}
