package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.steer.PortAllocator;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import java.util.Optional;

/** Carries out the orders that are not about one connection, and answers each. */
final class ControlOrders {

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;
    private final FlowOrders flows;
    private final PortAllocator ports;
    private final boolean announces;

    ControlOrders(Tables tables, Egress egress, QpBank qps, FlowOrders flows, PortAllocator ports, boolean announces) {
        this.tables = tables;
        this.egress = egress;
        this.qps = qps;
        this.flows = flows;
        this.ports = ports;
        this.announces = announces;
    }

    NicControl.Answer carryOut(NicControl control, Turn turn) {
        long id = control.id();
        return switch (control) {
            case NicControl.Attach(var _, Owner owner) -> {
                tables.owners.attach(owner);
                yield new NicControl.Done(id);
            }
            case NicControl.Detach(var _, Owner owner) -> {
                if (tables.owners.detach(owner)) {
                    flows.orphan(owner, turn);
                }
                yield new NicControl.Done(id);
            }
            case NicControl.Listen listen -> answer(id, listen(listen));
            case NicControl.Unlisten(var _, ListenKey key) -> {
                if (tables.flows.unlisten(key)) {
                    tables.apbvt.delete(key.local().port());
                }
                yield new NicControl.Done(id);
            }
            case NicControl.OpenFlow open -> open(open, turn);
            case NicControl.CreateQp _ -> {
                Optional<QpId> qp = qps.create();
                yield qp.isPresent()
                        ? new NicControl.QpCreated(id, qp.get())
                        : new NicControl.Failed(id, Failure.RESOURCES);
            }
            case NicControl.DestroyQp(var _, QpId qp) -> {
                qps.destroy(qp, turn);
                yield new NicControl.Done(id);
            }
            case NicControl.AddAddress(var _, LocalAddress address) -> answer(id, add(address, turn));
            case NicControl.RemoveAddress(var _, IpAddress address, int vlan) -> {
                tables.local.remove(address, vlan);
                yield new NicControl.Done(id);
            }
        };
    }

    private static NicControl.Answer answer(long id, Optional<Failure> refused) {
        return refused.isPresent() ? new NicControl.Failed(id, refused.get()) : new NicControl.Done(id);
    }

    /** A SYN entry is one use of its port, however often it is entered. */
    private Optional<Failure> listen(NicControl.Listen order) {
        ListenKey key = order.key();
        if (!tables.local.has(key.local().address(), key.vlan())) {
            return Optional.of(Failure.NOT_LOCAL);
        }
        if (key.local().port() == 0 || order.synBacklog() < 1 || order.backlog() < 1) {
            return Optional.of(Failure.DEVICE);
        }
        boolean fresh = tables.flows.listener(key).isEmpty();
        Optional<Failure> refused = tables.flows.listen(key, order.synBacklog(), order.backlog());
        if (fresh && refused.isEmpty()) {
            tables.apbvt.add(key.local().port());
        }
        return refused;
    }

    private Optional<Failure> add(LocalAddress address, Turn turn) {
        if (!LocalAddresses.isPossible(address)) {
            return Optional.of(Failure.DEVICE);
        }
        if (!tables.local.add(address)) {
            return Optional.of(Failure.RESOURCES);
        }
        if (announces) {
            egress.announce(address, turn);
        }
        return Optional.empty();
    }

    private NicControl.Answer open(NicControl.OpenFlow order, Turn turn) {
        long id = order.id();
        Endpoint remote = order.remote();
        IpAddress peer = remote.address();
        if (peer.isUnspecified() || peer.isMulticast() || remote.port() == 0) {
            return new NicControl.Failed(id, Failure.NO_ROUTE);
        }
        Optional<LocalAddress> local = order.local().address().isUnspecified()
                ? tables.routes.source(peer, order.vlan())
                : Optional.of(new LocalAddress(order.local().address(), 0, order.vlan()));
        if (local.isEmpty()) {
            return new NicControl.Failed(id, Failure.NO_ROUTE);
        }
        IpAddress ours = local.get().address();
        int vlan = local.get().vlan();
        if (ours.version() != peer.version() || !tables.local.has(ours, vlan)) {
            return new NicControl.Failed(id, Failure.NOT_LOCAL);
        }
        Optional<Hop> hop = tables.routes.to(peer, vlan);
        boolean leaves = hop.isPresent() && hop.get() instanceof Hop.Neighbour;
        if (hop.isEmpty() || (leaves && ours.isLoopback())) { // A loopback address never goes on a wire.
            return new NicControl.Failed(id, Failure.NO_ROUTE);
        }
        Optional<FlowKey> flow = order.local().port() == 0
                ? ports.allocate(ours, remote, vlan, this::isPortTaken)
                : Optional.of(new FlowKey(new Endpoint(ours, order.local().port()), remote, vlan));
        if (flow.isEmpty()) {
            return new NicControl.Failed(id, Failure.RESOURCES);
        }
        return reserve(id, flow.get(), !leaves, turn);
    }

    private NicControl.Answer reserve(long id, FlowKey flow, boolean inside, Turn turn) {
        Optional<Failure> refused = isTaken(flow) ? Optional.of(Failure.QUAD_TAKEN) : tables.flows.reserve(flow);
        if (refused.isPresent()) {
            return new NicControl.Failed(id, refused.get());
        }
        tables.flows.find(flow).ifPresent(entry -> tables.settle(entry, false, turn.nowNs()));
        return new NicControl.FlowOpened(id, flow, inside);
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
