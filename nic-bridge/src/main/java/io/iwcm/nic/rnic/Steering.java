package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.steer.EntryUse;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.FlowEntry.Refusals;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The way of a flow into the quad hash and out of it. It is in, and its owner is told, when the device has its entry and the
 * bit of its port if it has asked for that too; when either fails, both are given back.
 */
final class Steering {

    private final Tables tables;

    Steering(Tables tables) {
        this.tables = tables;
    }

    /** Asks for the flow's entry; {@link #react} at the end of the request says how it stands. */
    void ask(FlowEntry entry, Optional<ListenKey> listener, Turn turn) {
        Optional<Failure> refused = refusal(entry, listener);
        refusals(entry, refused);
        if (refused.isPresent()) {
            turn.tell(entry, new NicEvent.SteeringFailed(refused.get()));
            return;
        }
        entry.steeringAsked(true);
        if (entry.quad().isEmpty()) {
            entry.quad(Optional.of(tables.quads.use(entry.flow(), later -> react(entry, later), turn)));
        }
    }

    private Optional<Failure> refusal(FlowEntry entry, Optional<ListenKey> listener) {
        if (!tables.local.has(entry.flow().local().address(), entry.flow().vlan())) {
            return Optional.of(Failure.NOT_LOCAL);
        }
        return entry.isInstalled() || entry.isSteeringAsked() ? Optional.empty() : tables.flows.admit(entry, listener);
    }

    private static void refusals(FlowEntry entry, Optional<Failure> refused) {
        Refusals before = entry.refusals();
        entry.refusals(new Refusals(before.handle(), refused, before.queuePair()));
    }

    /** One more use of the flow's port. */
    void addPort(FlowEntry entry, Turn turn) {
        int port = entry.flow().local().port();
        entry.ports().add(tables.ports.use(port, later -> react(entry, later), turn));
    }

    /** One use less. */
    void deletePort(FlowEntry entry, Turn turn) {
        List<EntryUse<Integer>> ports = entry.ports();
        if (!ports.isEmpty()) {
            tables.ports.leave(ports.removeLast(), turn);
        }
    }

    /** Takes the flow out, or ends its way in. A queue pair's entry is the queue pair's. */
    void remove(FlowEntry entry, Turn turn) {
        if (entry.phase() != Phase.QP) {
            entry.steeringAsked(false);
            tables.flows.uninstall(entry);
            tables.flows.move(entry, BacklogPlace.NONE);
            tables.leaveQuad(entry, turn);
        }
    }

    /** Looks at what the device has said by now. What it says of a flow that is gone concerns nobody. */
    void react(FlowEntry entry, Turn turn) {
        if (!tables.isThere(entry)) {
            return;
        }
        Optional<Failure> failed = Stream.concat(entry.quad().stream(), entry.ports().stream())
                .flatMap(use -> use.failure().stream())
                .findFirst();
        if (failed.isPresent()) {
            fail(entry, failed.get(), turn);
        } else if (entry.isSteeringAsked() && isReady(entry)) {
            entry.steeringAsked(false);
            if (!entry.isInstalled()) {
                tables.flows.installed(entry);
            }
            tables.settle(entry, false, turn);
            turn.tell(entry, new NicEvent.SteeringInstalled());
        }
    }

    private static boolean isReady(FlowEntry entry) {
        return entry.quad().filter(EntryUse::isReady).isPresent()
                && entry.ports().stream().allMatch(EntryUse::isReady);
    }

    private void fail(FlowEntry entry, Failure why, Turn turn) {
        if (!entry.isSteeringAsked()) { // A use of the port that nobody waits for.
            entry.ports().removeIf(use -> use.failure().isPresent());
            return;
        }
        tables.leavePorts(entry, turn);
        remove(entry, turn);
        entry.steeringAsked(false);
        refusals(entry, Optional.of(why));
        turn.tell(entry, new NicEvent.SteeringFailed(why));
        tables.settle(entry, false, turn);
    }
}
