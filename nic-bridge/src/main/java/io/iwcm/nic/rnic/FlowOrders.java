package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.EntryUse;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.FlowEntry.Refusals;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import java.util.Optional;

/**
 * Carries out what connections ask for: the checkpoint is stored first, then the orders take effect one after the other, so
 * that nothing is on the wire which the checkpoint does not know (output commit).
 */
final class FlowOrders {

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;
    private final Steering steering;
    private final HandOvers handOvers;

    FlowOrders(Tables tables, Egress egress, QpBank qps, Steering steering, HandOvers handOvers) {
        this.tables = tables;
        this.egress = egress;
        this.qps = qps;
        this.steering = steering;
        this.handOvers = handOvers;
    }

    void request(Owner from, NicRequest request, Turn turn) {
        if (!tables.owners.has(from)) { // It woke up late: whatever it had is somebody else's or nobody's.
            superseded(from, request, turn);
            return;
        }
        switch (tables.flows.judge(from, request)) {
            case FRESH -> carryOut(entry(request), request, turn);
            case REPEATED -> {
                tables.counts.add(NicCounter.REQUESTS_REPEATED);
                FlowEntry entry = entry(request);
                entry.acknowledge(request.seen());
                request.commands().forEach(command -> answerAgain(entry, command, turn));
            }
            case TAKEN -> {
                tables.counts.add(NicCounter.QUAD_TAKEN);
                refuse(from, request, Failure.QUAD_TAKEN, turn);
            }
            case SUPERSEDED -> superseded(from, request, turn);
            case OVER -> tables.flows.over(from, request).ifPresent(ended -> tables.flows.settle(ended, request));
            case UNKNOWN -> unknown(from, request, turn);
        }
    }

    private FlowEntry entry(NicRequest request) {
        return tables.flows.find(request.flow()).orElseThrow();
    }

    /** The first one hears of a flow, or of whoever wants the flow that an active open was promised. */
    private void unknown(Owner from, NicRequest request, Turn turn) {
        Optional<FlowEntry> reserved = tables.flows.find(request.flow());
        boolean promised = reserved.isEmpty() || !isBeingEntered(reserved.get());
        if (onlyTidiesUp(request)) {
            if (promised && !request.commands().isEmpty()) {
                reserved.ifPresent(entry -> tables.release(entry, turn));
            }
        } else if (!promised) {
            refuse(from, request, Failure.QUAD_TAKEN, turn);
        } else {
            Optional<FlowEntry> claimed = tables.flows.claim(from, request);
            if (claimed.isPresent()) {
                carryOut(claimed.get(), request, turn);
            } else {
                refuse(from, request, Failure.RESOURCES, turn);
            }
        }
    }

    /** The device has not answered yet, and so nobody has been promised the flow. */
    private static boolean isBeingEntered(FlowEntry entry) {
        return entry.quad().filter(EntryUse::isWaiting).isPresent();
    }

    /** Nothing happens; who only wanted to give something back has nothing to learn either. */
    private void superseded(Owner from, NicRequest request, Turn turn) {
        if (!onlyTidiesUp(request)) {
            tables.counts.add(NicCounter.SUPERSEDED);
            tell(from, request.flow(), new NicEvent.Superseded(), turn);
        }
    }

    private void refuse(Owner from, NicRequest request, Failure why, Turn turn) {
        for (NicCommand command : request.commands()) {
            if (command instanceof NicCommand.CreateAh) {
                tell(from, request.flow(), new NicEvent.AddressHandleFailed(why), turn);
            } else if (command instanceof NicCommand.AddQuadHash) {
                tell(from, request.flow(), new NicEvent.SteeringFailed(why), turn);
            }
        }
    }

    private void tell(Owner to, FlowKey flow, NicEvent event, Turn turn) {
        long epoch = tables.flows.find(flow).map(FlowEntry::epoch).orElse(0L);
        turn.out().event(to, new Rnic.FlowEvent(flow, epoch, event));
    }

    private static boolean onlyTidiesUp(NicRequest request) {
        return request.commands().stream().allMatch(FlowOrders::tidiesUp);
    }

    private static boolean tidiesUp(NicCommand command) {
        return command instanceof NicCommand.FreeAh
                || command instanceof NicCommand.DeleteQuadHash
                || command instanceof NicCommand.DeleteApbvt
                || (command instanceof NicCommand.MoveInBacklog(BacklogPlace to) && to == BacklogPlace.NONE);
    }

    private static boolean endsFlow(NicCommand command) {
        return command instanceof NicCommand.DeleteQuadHash || command instanceof NicCommand.EnterTimeWait;
    }

    private void carryOut(FlowEntry entry, NicRequest request, Turn turn) {
        entry.store(request.checkpoint(), request.id());
        entry.acknowledge(request.seen());
        for (NicCommand command : request.commands()) {
            carryOut(entry, command, turn);
            if (!tables.isThere(entry)) {
                return; // Its queue pair has ended, and everything with it.
            }
        }
        steering.react(entry, turn);
        if (!tables.isThere(entry)) {
            return;
        }
        if (!entry.isInstalled() && request.commands().stream().anyMatch(FlowOrders::endsFlow)) {
            tables.release(entry, turn);
        } else {
            tables.settle(entry, request.commands().stream().anyMatch(FlowOrders::tidiesUp), turn);
        }
    }

    private void carryOut(FlowEntry entry, NicCommand command, Turn turn) {
        switch (command) {
            case NicCommand.CreateAh(Path path) -> createHandle(entry, path, turn);
            case NicCommand.FreeAh _ -> tables.handles.free(entry, turn);
            case NicCommand.AddQuadHash(Optional<ListenKey> listener) -> steering.ask(entry, listener, turn);
            case NicCommand.DeleteQuadHash _ -> steering.remove(entry, turn);
            case NicCommand.AddApbvt _ -> steering.addPort(entry, turn);
            case NicCommand.DeleteApbvt _ -> steering.deletePort(entry, turn);
            case NicCommand.MoveInBacklog(BacklogPlace to) -> move(entry, to);
            case NicCommand.Transmit(Segment segment) -> egress.transmit(entry, segment, turn);
            case NicCommand.ModifyQp(QpId qp, HandOver handOver) -> handOvers.begin(entry, qp, handOver, turn);
            case NicCommand.Reinject(Segment segment) -> {
                if (entry.phase() == Phase.QP) {
                    qps.segment(entry, segment, turn);
                } else if (!handOvers.keep(entry, segment)) {
                    tables.drops.add(Drop.NO_STEERING);
                }
            }
            case NicCommand.TerminateQp(QpId qp, TermCode code) -> handOvers.terminate(entry, qp, code, turn);
            case NicCommand.CloseQp(QpId qp) -> handOvers.close(entry, qp, turn);
            case NicCommand.AbortQp(QpId qp) -> handOvers.abort(entry, qp, turn);
            case NicCommand.EnterTimeWait(TimeWaitRow row) -> {
                if (entry.phase() == Phase.ILQ) {
                    tables.timeWaits.enter(entry.flow(), row, turn.nowNs());
                    steering.remove(entry, turn);
                }
            }
        }
    }

    private void createHandle(FlowEntry entry, Path path, Turn turn) {
        FlowKey flow = entry.flow();
        if (entry.handle().isPresent()) {
            answerHandle(entry, turn);
            return;
        }
        if (!tables.local.has(flow.local().address(), flow.vlan())) {
            tables.handleFailed(entry, Failure.NOT_LOCAL, turn);
            return;
        }
        Optional<Hop> hop = tables.routes.to(flow.remote().address(), flow.vlan());
        if (hop.isEmpty()) {
            tables.handleFailed(entry, Failure.NO_ROUTE, turn);
            return;
        }
        switch (hop.get()) {
            case Hop.Inside inside -> make(entry, new AddressHandle(path, inside, false), turn);
            case Hop.Neighbour neighbour -> {
                switch (tables.neighbours.ask(neighbour, flow, turn.nowNs(), egress.asking(turn))) {
                    case READY -> make(entry, new AddressHandle(path, neighbour, false), turn);
                    case WAITING -> entry.handle(new AddressHandle(path, neighbour, false));
                    case REFUSED -> tables.handleFailed(entry, Failure.RESOURCES, turn);
                }
            }
        }
    }

    private void make(FlowEntry entry, AddressHandle handle, Turn turn) {
        entry.handle(handle);
        tables.handles.make(entry, turn);
    }

    private void answerHandle(FlowEntry entry, Turn turn) {
        if (entry.handle().isPresent() && entry.handle().get().ready()) {
            turn.tell(entry, new NicEvent.AddressHandleReady(tables.mtu));
        }
    }

    private void move(FlowEntry entry, BacklogPlace to) {
        if (entry.place() == BacklogPlace.HALF_OPEN && to != BacklogPlace.HALF_OPEN) {
            // The handshake is complete: what reopened the flow was no old duplicate (RFC 9293 §3.6.1, MAY-2).
            tables.timeWaits.forget(entry.flow());
        }
        tables.flows.move(entry, to);
    }

    /** The answer that an order has had, if it has had one. */
    private void answerAgain(FlowEntry entry, NicCommand command, Turn turn) {
        Refusals refusals = entry.refusals();
        switch (command) {
            case NicCommand.CreateAh _ -> {
                answerHandle(entry, turn);
                if (entry.handle().isEmpty()) {
                    refusals.handle().ifPresent(why -> turn.tell(entry, new NicEvent.AddressHandleFailed(why)));
                }
            }
            case NicCommand.AddQuadHash _ -> {
                if (entry.isInstalled()) {
                    turn.tell(entry, new NicEvent.SteeringInstalled());
                } else {
                    refusals.steering().ifPresent(why -> turn.tell(entry, new NicEvent.SteeringFailed(why)));
                }
            }
            case NicCommand.ModifyQp _ -> {
                if (entry.phase() == Phase.QP) {
                    AsyncEvent established = AsyncEvent.of(AsyncEvent.Code.LLP_CONNECTION_ESTABLISHED);
                    turn.tell(entry, new NicEvent.QpEvent(established));
                } else {
                    refusals.queuePair().ifPresent(why -> turn.tell(entry, new NicEvent.ModifyQpFailed(why)));
                }
            }
            case NicCommand.FreeAh _,
                    NicCommand.DeleteQuadHash _,
                    NicCommand.AddApbvt _,
                    NicCommand.DeleteApbvt _,
                    NicCommand.MoveInBacklog _,
                    NicCommand.Transmit _,
                    NicCommand.Reinject _,
                    NicCommand.TerminateQp _,
                    NicCommand.CloseQp _,
                    NicCommand.AbortQp _,
                    NicCommand.EnterTimeWait _ -> {}
        }
    }

    /** Ends a flow that nobody adopts: its peer is reset, whatever the flow holds is given back. */
    void orphan(FlowEntry entry, Turn turn) {
        tables.counts.add(NicCounter.FLOWS_ORPHANED);
        entry.forgetCheckpoint();
        if (entry.phase() == Phase.QP) {
            qps.abort(entry, turn);
        } else {
            if (entry.phase() == Phase.ILQ) {
                egress.reset(entry, turn);
            }
            tables.release(entry, turn);
        }
    }
}
