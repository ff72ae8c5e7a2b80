package io.iwcm.cm.api;

import io.iwcm.cm.proto.CmEvent;

/**
 * Takes the events of connections. For one connection: one at a time, in order, each once, nothing after
 * {@link CmEvent.Closed}. Events of different connections may come at the same time. A handler may block; its connection's
 * next event waits for it. When it throws, that connection is ended and hears no more; its listener goes on.
 */
@FunctionalInterface
public interface ConnectionHandler {

    /** Looks at nothing. */
    ConnectionHandler NONE = (_, _) -> {};

    void onEvent(Connection connection, CmEvent event);
}
