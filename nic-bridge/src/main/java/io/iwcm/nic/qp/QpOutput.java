package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.wire.Segment;
import java.util.Optional;

/** Where a queue pair's results go; called while an input is being worked on, in order. */
public interface QpOutput {

    /** A segment for the peer. */
    void transmit(Segment segment);

    /** An asynchronous event for the connection manager. */
    void event(AsyncEvent event);

    /**
     * The queue pair is done with the connection; the last call.
     *
     * @param timeWait what TIME_WAIT has to remember, when we closed first; empty otherwise
     */
    void ended(Optional<TimeWaitRow> timeWait);
}
