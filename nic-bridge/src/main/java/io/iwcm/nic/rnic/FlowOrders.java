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
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.LastSent;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.FlowEntry.Refusals;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.Optional;

/**
 * Carries out what connections ask for: the checkpoint is stored first, then the orders take effect one after the other, so
 * that nothing is on the wire which the checkpoint does not know (output commit).
 */
final class FlowOrders {

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;

    FlowOrders(Tables tables, Egress egress, QpBank qps) {
        this.tables = tables;
        this.egress = egress;
        this.qps = qps;
    }

    void request(Owner from, NicRequest request, Turn turn) {
        switch (tables.flows.judge(from, request)) {
            case FRESH -> carryOut(entry(request), request, turn);
            case REPEATED -> {
                tables.counts.add(NicCounter.REQUESTS_REPEATED);
                FlowEntry entry = entry(request);
                request.commands().forEach(command -> answerAgain(entry, command, turn));
            }
            case TAKEN -> {
                tables.counts.add(NicCounter.QUAD_TAKEN);
                refuse(from, request, Failure.QUAD_TAKEN, turn);
            }
            case SUPERSEDED -> superseded(from, request, turn);
            case UNKNOWN -> unknown(from, request, turn);
        }
    }

    private FlowEntry entry(NicRequest request) {
        return tables.flows.find(request.flow()).orElseThrow();
    }

    /** The first one hears of a flow, or of whoever wants the flow that an active open was promised. */
    private void unknown(Owner from, NicRequest request, Turn turn) {
        if (onlyTidiesUp(request)) {
            if (!request.commands().isEmpty()) {
                tables.flows.find(request.flow()).ifPresent(tables::release);
            }
        } else if (!tables.owners.has(from)) {
            superseded(from, request, turn);
        } else {
            Optional<FlowEntry> claimed = tables.flows.claim(from, request);
            if (claimed.isPresent()) {
                carryOut(claimed.get(), request, turn);
            } else {
                refuse(from, request, Failure.RESOURCES, turn);
            }
        }
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
        request.checkpoint().ifPresent(checkpoint -> entry.store(checkpoint, request.id()));
        for (NicCommand command : request.commands()) {
            carryOut(entry, command, turn);
            if (tables.flows.find(entry.flow()).isEmpty()) {
                return; // Its queue pair has ended, and everything with it.
            }
        }
        if (!entry.isInstalled() && request.commands().stream().anyMatch(FlowOrders::endsFlow)) {
            tables.release(entry);
        } else {
            tables.settle(entry, request.commands().stream().anyMatch(FlowOrders::tidiesUp), turn.nowNs());
        }
    }

    private void carryOut(FlowEntry entry, NicCommand command, Turn turn) {
        switch (command) {
            case NicCommand.CreateAh(Path path) -> createHandle(entry, path, turn);
            case NicCommand.FreeAh _ -> tables.freeHandle(entry);
            case NicCommand.AddQuadHash(Optional<ListenKey> listener) -> install(entry, listener, turn);
            case NicCommand.DeleteQuadHash _ -> {
                if (entry.phase() == Phase.ILQ) { // A queue pair's entry is the queue pair's.
                    tables.flows.uninstall(entry);
                }
            }
            case NicCommand.AddApbvt _ -> {
                tables.apbvt.add(entry.flow().local().port());
                entry.portUses(entry.portUses() + 1);
            }
            case NicCommand.DeleteApbvt _ -> {
                if (entry.portUses() > 0) {
                    tables.apbvt.delete(entry.flow().local().port());
                    entry.portUses(entry.portUses() - 1);
                }
            }
            case NicCommand.MoveInBacklog(BacklogPlace to) -> move(entry, to);
            case NicCommand.Transmit(Segment segment) -> transmit(entry, segment, turn);
            case NicCommand.ModifyQp(QpId qp, HandOver handOver) -> handOver(entry, qp, handOver, turn);
            case NicCommand.Reinject(Segment segment) -> {
                if (entry.phase() == Phase.QP) {
                    qps.segment(entry, segment, turn);
                } else {
                    tables.drops.add(Drop.NO_STEERING);
                }
            }
            case NicCommand.TerminateQp(QpId qp, TermCode code) ->
                qps.order(entry, qp, turn, (pair, port) -> pair.terminate(code, turn.nowNs(), port));
            case NicCommand.CloseQp(QpId qp) ->
                qps.order(entry, qp, turn, (pair, port) -> pair.close(turn.nowNs(), port));
            case NicCommand.AbortQp(QpId qp) ->
                qps.order(entry, qp, turn, (pair, port) -> pair.abort(turn.nowNs(), port));
            case NicCommand.EnterTimeWait(TimeWaitRow row) -> {
                if (entry.phase() == Phase.ILQ) {
                    tables.timeWaits.enter(entry.flow(), row, turn.nowNs());
                    tables.flows.uninstall(entry);
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
            case Hop.Inside inside -> ready(entry, new AddressHandle(path, inside, true), turn);
            case Hop.Neighbour neighbour -> {
                switch (tables.neighbours.ask(neighbour, flow, turn.nowNs(), egress.asking(turn))) {
                    case READY -> ready(entry, new AddressHandle(path, neighbour, true), turn);
                    case WAITING -> entry.handle(new AddressHandle(path, neighbour, false));
                    case REFUSED -> tables.handleFailed(entry, Failure.RESOURCES, turn);
                }
            }
        }
    }

    private void ready(FlowEntry entry, AddressHandle handle, Turn turn) {
        entry.handle(handle);
        answerHandle(entry, turn);
    }

    private void answerHandle(FlowEntry entry, Turn turn) {
        if (entry.handle().isPresent() && entry.handle().get().ready()) {
            turn.tell(entry, new NicEvent.AddressHandleReady(tables.mtu));
        }
    }

    private void install(FlowEntry entry, Optional<ListenKey> listener, Turn turn) {
        FlowKey flow = entry.flow();
        Optional<Failure> refused = !tables.local.has(flow.local().address(), flow.vlan())
                ? Optional.of(Failure.NOT_LOCAL)
                : tables.flows.install(entry, listener);
        Refusals before = entry.refusals();
        entry.refusals(new Refusals(before.handle(), refused, before.queuePair()));
        turn.tell(
                entry,
                refused.isPresent() ? new NicEvent.SteeringFailed(refused.get()) : new NicEvent.SteeringInstalled());
    }

    private void move(FlowEntry entry, BacklogPlace to) {
        if (entry.place() == BacklogPlace.HALF_OPEN && to != BacklogPlace.HALF_OPEN) {
            // The handshake is complete: what reopened the flow was no old duplicate (RFC 9293 §3.6.1, MAY-2).
            tables.timeWaits.forget(entry.flow());
        }
        tables.flows.move(entry, to);
    }

    private void transmit(FlowEntry entry, Segment segment, Turn turn) {
        Optional<AddressHandle> handle = entry.handle().filter(AddressHandle::ready);
        if (handle.isEmpty() || entry.phase() == Phase.QP) {
            tables.counts.add(NicCounter.TRANSMITS_WITHOUT_HANDLE);
            return;
        }
        SeqNum end = segment.end();
        SeqNum nxt = entry.lastSent().map(LastSent::nxt).filter(end::before).orElse(end);
        entry.lastSent(new LastSent(nxt, segment.hasAck() ? Optional.of(segment.ack()) : Optional.empty()));
        if (egress.send(entry.flow(), handle.get(), segment, turn)) {
            tables.counts.add(NicCounter.PKT_SENT);
        }
    }

    private void handOver(FlowEntry entry, QpId qp, HandOver handOver, Turn turn) {
        Optional<AddressHandle> handle = entry.handle().filter(AddressHandle::ready);
        Optional<Failure> refused = Optional.empty();
        if (entry.phase() != Phase.ILQ || handle.isEmpty()) {
            refused = Optional.of(Failure.DEVICE);
        } else if (!qps.isFree(qp)) {
            refused = Optional.of(Failure.BAD_QP);
        }
        Refusals before = entry.refusals();
        entry.refusals(new Refusals(before.handle(), before.steering(), refused));
        if (refused.isPresent()) {
            turn.tell(entry, new NicEvent.ModifyQpFailed(refused.get()));
        } else {
            qps.takeOver(qp, entry, handle.orElseThrow(), handOver, turn);
        }
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

    /**
     * Ends the flows of a dispatcher that is gone: the peer of each is reset, whatever the flow holds is given back. Nobody
     * adopts them.
     */
    void orphan(Owner gone, Turn turn) {
        for (FlowEntry entry : tables.flows.flows()) {
            if (!entry.owner().equals(Optional.of(gone))) {
                continue;
            }
            tables.counts.add(NicCounter.FLOWS_ORPHANED);
            if (entry.phase() == Phase.QP) {
                qps.abort(entry, turn);
            } else {
                if (entry.phase() == Phase.ILQ) {
                    reset(entry, turn);
                }
                tables.release(entry);
            }
        }
    }

    /** A peer that was sent nothing knows of nothing. */
    private void reset(FlowEntry entry, Turn turn) {
        entry.lastSent().ifPresent(last -> {
            int flags = last.ack().isPresent() ? Segment.RST | Segment.ACK : Segment.RST;
            SeqNum ack = last.ack().orElse(new SeqNum(0));
            transmit(entry, new Segment(last.nxt(), ack, flags, 0, TcpOptions.NONE, Octets.EMPTY), turn);
        });
    }
}
