package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.steer.Deadlines;
import io.iwcm.nic.steer.EntryUse;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.NicCounts;
import io.iwcm.nic.steer.SharedEntries;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** One shared table as the device has it. An entry that the device would not delete is tried again. */
final class DeviceTable<K> implements SharedEntries.Orders<K, Turn> {

    /** What a table's entries are told with and counted as. */
    record Kind<K>(
            Function<K, DeviceCommand> add,
            Function<K, DeviceCommand> delete,
            NicCounter added,
            NicCounter deleted,
            Consumer<K> gone) {}

    /** After so long the device is told again what it would not do. */
    static final long AGAIN_NS = 1_000_000_000L;

    private final Kind<K> kind;
    private final DeviceCommands device;
    private final NicCounts counts;
    private final SharedEntries<K, Turn> entries = new SharedEntries<>(this);
    private final Deadlines<K> stuck = new Deadlines<>();

    DeviceTable(Kind<K> kind, DeviceCommands device, NicCounts counts) {
        this.kind = kind;
        this.device = device;
        this.counts = counts;
    }

    /** @see SharedEntries#use */
    EntryUse<K> use(K key, Consumer<Turn> then, Turn turn) {
        return entries.use(key, then, turn);
    }

    /** @see SharedEntries#leave */
    void leave(EntryUse<K> use, Turn turn) {
        entries.leave(use, turn);
    }

    void tick(Turn turn) {
        for (Optional<K> due = due(turn); due.isPresent(); due = due(turn)) {
            entries.deleteAgain(due.get(), turn);
        }
    }

    private Optional<K> due(Turn turn) {
        return stuck.takeDue(turn.nowNs());
    }

    long nextNs() {
        return stuck.nextNs();
    }

    /** Entries that the device has, is given, or is yet to lose. */
    int size() {
        return entries.size();
    }

    /** Entries that the device would not delete. */
    int stuck() {
        return stuck.size();
    }

    @Override
    public void add(K key, Turn turn) {
        device.order(
                kind.add().apply(key),
                (failed, later) -> {
                    if (failed.isEmpty()) {
                        counts.add(kind.added());
                    }
                    entries.added(key, failed, later);
                },
                turn);
    }

    @Override
    public void delete(K key, Turn turn) {
        device.order(
                kind.delete().apply(key),
                (failed, later) -> {
                    if (failed.isEmpty()) {
                        counts.add(kind.deleted());
                    }
                    entries.deleted(key, failed, later);
                },
                turn);
    }

    @Override
    public void stuck(K key, Turn turn) {
        stuck.set(key, turn.nowNs() + AGAIN_NS);
    }

    @Override
    public void gone(K key) {
        kind.gone().accept(key);
    }
}
