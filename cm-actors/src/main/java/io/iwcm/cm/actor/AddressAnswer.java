package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;

/** What came of an {@link AddressChange}. */
public sealed interface AddressAnswer {

    /** The NIC has carried it out, or there was nothing to do. */
    record Done() implements AddressAnswer {}

    /** The NIC did not take an address, which is forgotten; or the connection manager is stopping. */
    record Refused(Cause cause) implements AddressAnswer {}
}
