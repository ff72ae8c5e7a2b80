package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.codec.Portable;

/** What comes of asking for an active open; exactly one. */
public sealed interface ConnectAnswer extends Portable {

    /** It is under way: exactly one {@code ConnectReply} event will say how it ended. */
    record Started(CmConnection connection) implements ConnectAnswer {}

    /** Nothing has been done and no event will follow. */
    record Refused(Cause cause) implements ConnectAnswer {}
}
