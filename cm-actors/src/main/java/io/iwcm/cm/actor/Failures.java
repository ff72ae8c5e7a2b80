package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.spi.NicEvent;

/** What a NIC's refusal means to an application. */
final class Failures {

    private Failures() {}

    static Cause cause(NicEvent.Failure why) {
        return switch (why) {
            case NO_ROUTE, NEIGHBOUR_UNREACHABLE -> Cause.UNREACHABLE;
            // Linux's connect says EADDRNOTAVAIL of ports that have run out, too.
            case NOT_LOCAL, PORTS_EXHAUSTED -> Cause.ADDRESS_NOT_AVAILABLE;
            case QUAD_TAKEN -> Cause.ADDRESS_IN_USE;
            case BACKLOG_FULL, RESOURCES, DEVICE, NO_FLOW -> Cause.RESOURCES;
            case NOT_LISTENING, BAD_QP -> Cause.INVALID;
        };
    }
}
