package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.steer.EntryUse;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.PortAllocator;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import java.util.Optional;

/**
 * Chooses the local ends of active opens. A flow is promised when the device has its entry: one that the device knows already
 * costs another port, not the connection.
 */
final class Openings {

    /** Ports tried besides the first when the device has the quad and the port is ours to choose. */
    private static final int OTHER_PORTS_MAX = 2;

    private final Tables tables;
    private final PortAllocator ports;

    Openings(Tables tables, PortAllocator ports) {
        this.tables = tables;
        this.ports = ports;
    }

    /** An order, with the local end as far as it is chosen, and how many ports it may still try. */
    private record Opening(
            long id, Owner owner, IpAddress ours, int port, Endpoint remote, int vlan, boolean inside, int triesLeft) {
        Opening again() {
            return new Opening(id, owner, ours, port, remote, vlan, inside, triesLeft - 1);
        }
    }

    void open(NicControl.OpenFlow order, Turn turn) {
        Endpoint remote = order.remote();
        IpAddress peer = remote.address();
        if (!tables.owners.has(order.owner())) { // Nobody would give it back.
            refuse(order.id(), Failure.DEVICE, turn);
            return;
        }
        if (peer.isUnspecified() || peer.isMulticast() || remote.port() == 0) {
            refuse(order.id(), Failure.NO_ROUTE, turn);
            return;
        }
        Optional<LocalAddress> local = order.local().address().isUnspecified()
                ? tables.routes.source(peer, order.vlan())
                : Optional.of(new LocalAddress(order.local().address(), 0, order.vlan()));
        if (local.isEmpty()) {
            refuse(order.id(), Failure.NO_ROUTE, turn);
            return;
        }
        IpAddress ours = local.get().address();
        int vlan = local.get().vlan();
        if (ours.version() != peer.version() || !tables.local.has(ours, vlan)) {
            refuse(order.id(), Failure.NOT_LOCAL, turn);
            return;
        }
        Optional<Hop> hop = tables.routes.to(peer, vlan);
        boolean leaves = hop.isPresent() && hop.get() instanceof Hop.Neighbour;
        if (hop.isEmpty() || (leaves && ours.isLoopback())) { // A loopback address never goes on a wire.
            refuse(order.id(), Failure.NO_ROUTE, turn);
            return;
        }
        int port = order.local().port();
        int tries = port == 0 ? OTHER_PORTS_MAX : 0;
        reserve(new Opening(order.id(), order.owner(), ours, port, remote, vlan, !leaves, tries), turn);
    }

    private void reserve(Opening opening, Turn turn) {
        Optional<FlowKey> flow = opening.port() == 0
                ? ports.allocate(opening.ours(), opening.remote(), opening.vlan(), this::isPortTaken)
                : Optional.of(
                        new FlowKey(new Endpoint(opening.ours(), opening.port()), opening.remote(), opening.vlan()));
        if (flow.isEmpty()) {
            refuse(opening.id(), Failure.PORTS_EXHAUSTED, turn);
            return;
        }
        Optional<Failure> refused = isTaken(flow.get())
                ? Optional.of(Failure.QUAD_TAKEN)
                : tables.flows.reserve(flow.get(), opening.owner());
        if (refused.isPresent()) {
            refuse(opening.id(), refused.get(), turn);
            return;
        }
        FlowEntry entry = tables.flows.find(flow.get()).orElseThrow();
        EntryUse<FlowKey> quad = tables.quads.use(flow.get(), later -> promise(opening, entry, later), turn);
        entry.quad(Optional.of(quad));
        if (!quad.isWaiting()) {
            promise(opening, entry, turn);
        }
    }

    private void promise(Opening opening, FlowEntry entry, Turn turn) {
        if (!tables.isThere(entry)) { // Whoever asked is gone.
            refuse(opening.id(), Failure.DEVICE, turn);
            return;
        }
        Optional<Failure> failed = entry.quad().flatMap(EntryUse::failure);
        if (failed.isEmpty()) {
            tables.settle(entry, false, turn);
            turn.out().answer(new NicControl.FlowOpened(opening.id(), entry.flow(), opening.inside()));
        } else if (failed.get() == Failure.QUAD_TAKEN && opening.triesLeft() > 0) {
            tables.counts.add(NicCounter.QUAD_RETRIES);
            reserve(opening.again(), turn); // The taken one is still reserved: it is not chosen again.
            tables.release(entry, turn);
        } else {
            tables.release(entry, turn);
            refuse(opening.id(), failed.get(), turn);
        }
    }

    private static void refuse(long id, Failure why, Turn turn) {
        turn.out().answer(new NicControl.Failed(id, why));
    }

    /** A chosen port is besides nobody's who listens. */
    private boolean isPortTaken(FlowKey flow) {
        return isTaken(flow) || tables.flows.listener(ListenKey.of(flow)).isPresent();
    }

    /** In use, in TIME_WAIT, or a connection of an endpoint with itself. */
    private boolean isTaken(FlowKey flow) {
        return tables.flows.find(flow).isPresent()
                || tables.timeWaits.has(flow)
                || flow.local().equals(flow.remote());
    }
}
