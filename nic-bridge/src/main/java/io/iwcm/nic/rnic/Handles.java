package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.DeviceCommand.CreateHandle;
import io.iwcm.nic.spi.DeviceCommand.FreeHandle;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.steer.AddressHandle;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.Hop;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.IpAddress;
import java.util.BitSet;

/**
 * The address handles of the device: each has a number from the moment it is asked for until the device has none under it
 * any more, whether it ever came to be or not.
 */
final class Handles {

    private final Tables tables;
    private final BitSet numbers = new BitSet();
    private final DeviceTable<CreateHandle> table;

    Handles(Tables tables, DeviceCommands device) {
        this.tables = tables;
        table = new DeviceTable<>(
                new DeviceTable.Kind<>(
                        create -> create,
                        create -> new FreeHandle(create.index()),
                        NicCounter.HANDLES_MADE,
                        NicCounter.HANDLES_FREED,
                        create -> numbers.clear(create.index())),
                device,
                tables.counts);
    }

    /** The next hop of a flow is known: the device is asked for its handle. */
    void make(FlowEntry entry, Turn turn) {
        AddressHandle handle = entry.handle().orElseThrow();
        int index = numbers.nextClearBit(0);
        numbers.set(index);
        CreateHandle create = new CreateHandle(index, entry.flow(), handle.path(), nextHop(entry, handle));
        entry.handleUse(table.use(create, later -> react(entry, later), turn));
        react(entry, turn);
    }

    private static IpAddress nextHop(FlowEntry entry, AddressHandle handle) {
        return switch (handle.hop()) {
            case Hop.Inside _ -> entry.flow().remote().address();
            case Hop.Neighbour neighbour -> neighbour.address();
        };
    }

    /** Looks at what the device has said; of a flow that is gone, or whose handle is, it has said nothing. */
    private void react(FlowEntry entry, Turn turn) {
        entry.handleUse().ifPresent(use -> {
            if (use.failure().isPresent()) {
                tables.handleFailed(entry, use.failure().get(), turn);
            } else if (use.isReady() && !entry.handle().orElseThrow().ready()) {
                entry.handleResolved();
                turn.tell(entry, new NicEvent.AddressHandleReady(tables.mtu));
            }
        });
    }

    /** Takes a flow's handle away, wherever it has got to. */
    void free(FlowEntry entry, Turn turn) {
        entry.handle().ifPresent(handle -> {
            if (!handle.ready() && handle.hop() instanceof Hop.Neighbour neighbour) {
                tables.neighbours.cancel(neighbour, entry.flow());
            }
        });
        entry.handleUse().ifPresent(use -> {
            entry.handleFreed();
            table.leave(use, turn);
        });
        entry.handleFreed();
    }

    void tick(Turn turn) {
        table.tick(turn);
    }

    long nextNs() {
        return table.nextNs();
    }

    int stuck() {
        return table.stuck();
    }

    int size() {
        return table.size();
    }
}
