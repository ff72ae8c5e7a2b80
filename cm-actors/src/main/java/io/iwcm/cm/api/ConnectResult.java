package io.iwcm.cm.api;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import java.util.Optional;

/** How a connect ended. */
public sealed interface ConnectResult {

    /**
     * The connection stands.
     *
     * @param connection it
     * @param reply negotiated depths, the peer's raw ones, its private data
     */
    record Connected(Connection connection, CmEvent.ConnectReply reply) implements ConnectResult {}

    /**
     * There is no connection.
     *
     * @param cause why
     * @param reply what the peer said, when it was asked; empty when it never came to that
     */
    record Failed(Cause cause, Optional<CmEvent.ConnectReply> reply) implements ConnectResult {}
}
