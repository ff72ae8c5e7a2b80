package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.steer.EntryUse;
import io.iwcm.nic.steer.SynEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that are listened on, as far as the device is concerned: each is a SYN entry and one use of its port, and
 * lives when the device has both. Who asked is answered then; when one of them fails, the other is given back.
 */
final class Listens {

    private static final class Row {
        private final ListenKey key;
        private final List<Long> waiting = new ArrayList<>(1);
        private @Nullable EntryUse<ListenKey> syn;
        private @Nullable EntryUse<Integer> port;

        Row(ListenKey key) {
            this.key = key;
        }
    }

    private final Tables tables;
    private final LinkedHashMap<ListenKey, Row> rows = new LinkedHashMap<>();

    Listens(Tables tables) {
        this.tables = tables;
    }

    /** A SYN entry is one use of its port, however often it is entered; again, it is given other limits. */
    void listen(NicControl.Listen order, Turn turn) {
        ListenKey key = order.key();
        Optional<Failure> refused = refusal(order);
        if (refused.isPresent()) {
            turn.out().answer(new NicControl.Failed(order.id(), refused.get()));
            return;
        }
        Row row = rows.get(key);
        if (row == null) {
            Row fresh = new Row(key);
            rows.put(key, fresh);
            fresh.waiting.add(order.id());
            fresh.port = tables.ports.use(key.local().port(), later -> react(fresh, later), turn);
            fresh.syn = tables.syns.use(key, later -> react(fresh, later), turn);
            react(fresh, turn);
        } else {
            row.waiting.add(order.id());
            react(row, turn);
        }
    }

    private Optional<Failure> refusal(NicControl.Listen order) {
        ListenKey key = order.key();
        if (!tables.local.has(key.local().address(), key.vlan())) {
            return Optional.of(Failure.NOT_LOCAL);
        }
        if (key.local().port() == 0 || order.synBacklog() < 1 || order.backlog() < 1) {
            return Optional.of(Failure.DEVICE);
        }
        return tables.flows.listen(key, order.synBacklog(), order.backlog(), order.offer());
    }

    /** Flows that came by it stay; who still waits for it is refused. */
    void unlisten(ListenKey key, Turn turn) {
        Row row = rows.get(key);
        if (row != null) {
            end(row, Failure.NOT_LISTENING, turn);
        }
    }

    private void react(Row row, Turn turn) {
        EntryUse<ListenKey> syn = row.syn;
        EntryUse<Integer> port = row.port;
        if (rows.get(row.key) != row || syn == null || port == null) {
            return;
        }
        Optional<Failure> failed = port.failure().or(syn::failure);
        if (failed.isPresent()) {
            end(row, failed.get(), turn);
        } else if (syn.isReady() && port.isReady()) {
            tables.flows.listener(row.key).ifPresent(SynEntry::live);
            List<Long> waiting = List.copyOf(row.waiting);
            row.waiting.clear();
            waiting.forEach(id -> turn.out().answer(new NicControl.Done(id)));
        }
    }

    private void end(Row row, Failure why, Turn turn) {
        rows.remove(row.key);
        tables.flows.unlisten(row.key);
        if (row.syn != null) {
            tables.syns.leave(row.syn, turn);
        }
        if (row.port != null) {
            tables.ports.leave(row.port, turn);
        }
        row.waiting.forEach(id -> turn.out().answer(new NicControl.Failed(id, why)));
    }
}
