package io.iwcm.cm.api;

import io.iwcm.cm.proto.CmEvent;

/**
 * Takes the events of connections.
 *
 * <p>For one connection: one at a time, in order, each once, nothing after {@link CmEvent.Closed}, and nothing at all after
 * a failed {@link CmEvent.ConnectReply} or a reject. Events of different connections may come at the same time.
 *
 * <p>It is called on virtual threads named {@code iwcm-application}, never on one that connections or the NIC need. So it
 * may block; its connection's next event waits for it, and nobody else does.
 *
 * <p>When it throws, that connection is ended as if the application had died: one that waits for an answer is rejected, one
 * that stands is closed. It hears no more of it; its other connections and its listener go on. Counter:
 * {@code consumer_failures}.
 */
@FunctionalInterface
public interface ConnectionHandler {

    /** Looks at nothing. */
    ConnectionHandler NONE = (_, _) -> {};

    /**
     * Something happened to a connection.
     *
     * @param connection whose; the same object for all events of one connection
     * @param event what happened
     */
    void onEvent(Connection connection, CmEvent event);
}
