package io.iwcm.cm.api;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import java.util.Optional;

/** How a connect ended: exactly one of the two, exactly once. */
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
     * @param cause why; its errno and librdmacm's event with it
     * @param reply what the peer said, when it was asked; empty when it never came to that
     */
    record Failed(Cause cause, Optional<CmEvent.ConnectReply> reply) implements ConnectResult {

        /** The cause in words with its errno and librdmacm's event. */
        @Override
        public String toString() {
            return cause.phrase() + " (" + cause.errnoName() + ", " + cause.rdmaCmEvent() + ")";
        }
    }

    /** The connection, for those to whom everything else is an error: then a {@link CmException} says why. */
    default Connection orElseThrow() {
        return switch (this) {
            case Connected(var connection, var _) -> connection;
            case Failed failed -> throw new CmException(failed.cause(), "there is no connection: " + failed);
        };
    }
}
