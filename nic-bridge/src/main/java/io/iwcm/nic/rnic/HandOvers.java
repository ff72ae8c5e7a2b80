package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.QpContext;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.FlowEntry.Refusals;
import io.iwcm.nic.wire.Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Connections on their way to a queue pair. Until the device says that it is in RTS the flow stays what it was, and whoever
 * ends it in between ends the way too: what the device says then is undone.
 */
final class HandOvers {

    /** Segments kept for a queue pair on its way: a peer that is told nothing yet has little to say. */
    private static final int KEPT_MAX = 64;

    private static final class Way {
        private final FlowEntry entry;
        private final AddressHandle handle;
        private final QpContext context;
        private final List<Segment> kept = new ArrayList<>();
        private Optional<TermCode> terminate = Optional.empty();
        private boolean over;

        Way(FlowEntry entry, AddressHandle handle, QpContext context) {
            this.entry = entry;
            this.handle = handle;
            this.context = context;
        }
    }

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;
    private final HashMap<QpId, Way> ways = new HashMap<>();
    private final HashMap<FlowEntry, Way> byEntry = new HashMap<>();

    HandOvers(Tables tables, Egress egress, QpBank qps) {
        this.tables = tables;
        this.egress = egress;
        this.qps = qps;
    }

    void begin(FlowEntry entry, QpId qp, HandOver handOver, Turn turn) {
        Optional<AddressHandle> handle = entry.handle().filter(AddressHandle::ready);
        if (entry.phase() != Phase.ILQ || handle.isEmpty()) {
            refuse(entry, Failure.DEVICE, turn);
        } else if (!qps.take(qp)) {
            refuse(entry, Failure.BAD_QP, turn);
        } else {
            refusals(entry, Optional.empty());
            QpContext context = new QpContext(
                    egress.addressing(entry.flow(), handle.get(), turn),
                    handOver.tcp(),
                    handOver.rdma(),
                    handOver.lsmm());
            Way way = new Way(entry, handle.get(), context);
            ways.put(qp, way);
            byEntry.put(entry, way);
            tables.device.order(
                    new DeviceCommand.QpToRts(qp, context), (failed, later) -> arrive(qp, way, failed, later), turn);
        }
    }

    private void arrive(QpId qp, Way way, Optional<Failure> failed, Turn turn) {
        ways.remove(qp, way);
        byEntry.remove(way.entry, way);
        boolean wanted = !way.over && tables.isThere(way.entry) && way.entry.phase() == Phase.ILQ;
        if (failed.isPresent()) {
            qps.giveBack(qp);
            if (wanted) {
                refuse(way.entry, failed.get(), turn);
            }
        } else if (wanted) {
            qps.takeOver(qp, way.entry, way.handle, way.context, turn);
            for (Segment segment : way.kept) {
                if (way.entry.phase() == Phase.QP) { // One before may have ended it.
                    qps.segment(way.entry, segment, turn);
                }
            }
            way.terminate.ifPresent(code -> qps.terminate(way.entry, qp, code, turn));
        } else {
            qps.toError(qp, turn);
        }
    }

    /**
     * Keeps a segment that its connection gives back, for the queue pair's first step: a reset comes only once. False: there
     * is no way, or too much is kept.
     */
    boolean keep(FlowEntry entry, Segment segment) {
        Way way = byEntry.get(entry);
        if (way == null || way.over || way.kept.size() == KEPT_MAX) {
            return false;
        }
        way.kept.add(segment);
        return true;
    }

    private static void refuse(FlowEntry entry, Failure why, Turn turn) {
        refusals(entry, Optional.of(why));
        turn.tell(entry, new NicEvent.ModifyQpFailed(why));
    }

    private static void refusals(FlowEntry entry, Optional<Failure> refused) {
        Refusals before = entry.refusals();
        entry.refusals(new Refusals(before.handle(), before.steering(), refused));
    }

    /** The queue pair's first words are to be its last. */
    void terminate(FlowEntry entry, QpId qp, TermCode code, Turn turn) {
        Optional<Way> way = wayOf(entry, qp);
        if (way.isPresent()) {
            way.get().terminate = Optional.of(code);
        } else {
            qps.terminate(entry, qp, code, turn);
        }
    }

    void close(FlowEntry entry, QpId qp, Turn turn) {
        if (!turnBack(entry, qp, turn)) {
            qps.close(entry, qp, turn);
        }
    }

    void abort(FlowEntry entry, QpId qp, Turn turn) {
        if (!turnBack(entry, qp, turn)) {
            qps.abort(entry, qp, turn);
        }
    }

    /** Ends a queue pair, and the way to it: the connection is told that it cannot have it. */
    void destroy(QpId qp, Turn turn) {
        Way way = ways.get(qp);
        if (way != null && !way.over) {
            way.over = true;
            if (tables.isThere(way.entry)) {
                refuse(way.entry, Failure.BAD_QP, turn);
            }
        }
        qps.destroy(qp, turn);
    }

    /** A connection that is not to be is reset as if its queue pair had done it. */
    private boolean turnBack(FlowEntry entry, QpId qp, Turn turn) {
        Optional<Way> way = wayOf(entry, qp);
        way.ifPresent(found -> {
            found.over = true;
            egress.reset(entry, turn);
            turn.tell(entry, new NicEvent.QpEvent(AsyncEvent.of(AsyncEvent.Code.RESET_SENT)));
        });
        return way.isPresent();
    }

    private Optional<Way> wayOf(FlowEntry entry, QpId qp) {
        @Nullable Way way = ways.get(qp);
        return Optional.ofNullable(way).filter(found -> found.entry == entry && !found.over);
    }
}
