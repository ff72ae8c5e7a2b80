package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Letter;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import java.util.Optional;

/** Carries out the orders that are not about one connection, and answers each, some of them later. */
final class ControlOrders {

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;
    private final Succession succession;
    private final HandOvers handOvers;
    private final Listens listens;
    private final Openings openings;
    private final boolean announces;

    ControlOrders(
            Tables tables,
            Egress egress,
            QpBank qps,
            Succession succession,
            HandOvers handOvers,
            Listens listens,
            Openings openings,
            boolean announces) {
        this.tables = tables;
        this.egress = egress;
        this.qps = qps;
        this.succession = succession;
        this.handOvers = handOvers;
        this.listens = listens;
        this.openings = openings;
        this.announces = announces;
    }

    void carryOut(NicControl control, Turn turn) {
        long id = control.id();
        switch (control) {
            case NicControl.Attach(var _, Owner owner, Optional<Owner> replaces) -> {
                tables.owners.attach(owner);
                replaces.filter(before -> !before.equals(owner)).ifPresent(before -> detach(before, true, turn));
                succession.goOn(turn);
                done(id, turn);
            }
            case NicControl.Detach(var _, Owner owner, boolean handsOn) -> {
                detach(owner, handsOn, turn);
                done(id, turn);
            }
            case NicControl.Listen listen -> listens.listen(listen, turn);
            case NicControl.Unlisten(var _, ListenKey key) -> {
                listens.unlisten(key, turn);
                done(id, turn);
            }
            case NicControl.OpenFlow open -> openings.open(open, turn);
            case NicControl.CreateQp(var _, Optional<Owner> owner) -> {
                boolean wanted =
                        owner.filter(maker -> !tables.owners.has(maker)).isEmpty();
                Optional<QpId> qp = wanted ? qps.create(owner) : Optional.empty();
                turn.out()
                        .answer(
                                qp.isPresent()
                                        ? new NicControl.QpCreated(id, qp.get())
                                        : new NicControl.Failed(id, Failure.RESOURCES));
            }
            case NicControl.DestroyQp(var _, QpId qp) -> {
                handOvers.destroy(qp, turn);
                done(id, turn);
            }
            case NicControl.Forward(var _, FlowKey flow, Letter letter) ->
                turn.out().answer(answer(id, forward(flow, letter, turn)));
            case NicControl.AddAddress(var _, LocalAddress address) ->
                turn.out().answer(answer(id, add(address, turn)));
            case NicControl.RemoveAddress(var _, IpAddress address, int vlan) -> {
                tables.local.remove(address, vlan);
                done(id, turn);
            }
        }
    }

    private static void done(long id, Turn turn) {
        turn.out().answer(new NicControl.Done(id));
    }

    private void detach(Owner owner, boolean handsOn, Turn turn) {
        if (tables.owners.detach(owner) || !handsOn) {
            succession.of(owner, handsOn, turn);
        }
    }

    private Optional<Failure> forward(FlowKey flow, Letter letter, Turn turn) {
        Optional<Owner> owner = tables.flows.ownerOf(flow);
        owner.ifPresent(to -> turn.out().deliver(to, new Rnic.Forwarded(flow, letter)));
        return owner.isPresent() ? Optional.empty() : Optional.of(Failure.NO_FLOW);
    }

    private static NicControl.Answer answer(long id, Optional<Failure> refused) {
        return refused.isPresent() ? new NicControl.Failed(id, refused.get()) : new NicControl.Done(id);
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
}
