package io.iwcm.nic.spi;

import io.iwcm.nic.wire.FlowKey;
import java.util.List;
import java.util.Optional;

/**
 * Everything that one step of a connection asks of its NIC: carried out in order and together, after the checkpoint has
 * been stored (output commit).
 *
 * @param flow the connection
 * @param epoch the epoch under which the sender owns the flow; 0 before the flow is in the quad hash
 * @param id counts the requests of this sender for this flow, from 1; a repeated id is answered again and not carried out
 *     again
 * @param seen the number of the last event of this flow that the sender has worked on: those up to it need not be kept for
 *     whoever adopts the flow; 0 when there was none
 * @param commands the orders, in order
 * @param checkpoint the connection's state after this step; empty when nothing must be kept
 */
public record NicRequest(
        FlowKey flow, long epoch, long id, long seen, List<NicCommand> commands, Optional<Checkpoint> checkpoint) {

    public NicRequest {
        commands = List.copyOf(commands);
    }

    /** A request that acknowledges no event. */
    public NicRequest(FlowKey flow, long epoch, long id, List<NicCommand> commands, Optional<Checkpoint> checkpoint) {
        this(flow, epoch, id, 0, commands, checkpoint);
    }
}
