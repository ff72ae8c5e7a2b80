package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.codec.Portable;

/** What came of an {@link AddressChange}. */
public sealed interface AddressAnswer extends Portable {

    /** The NIC has carried it out, or there was nothing to do. */
    record Done() implements AddressAnswer {}

    /** The NIC did not take an address, which is forgotten; or the connection manager is stopping. */
    record Refused(Cause cause) implements AddressAnswer {}
}
