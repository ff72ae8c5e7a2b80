package io.iwcm.cm.actor;

import io.iwcm.cm.actor.ListenOrder.Tos;
import java.util.List;

/** How the 802.1Q priority of our frames follows from their traffic class where an order names none. */
public sealed interface Marking {

    Marking PRECEDENCE = new ByPrecedence();

    /** One priority for each differentiated services code point (RFC 2474). */
    int CODE_POINTS = 64;

    /**
     * Non-DSCP mode: the priority is the precedence, the upper three bits; who answers a SYN uses the greater traffic class of
     * its own and the SYN's.
     */
    record ByPrecedence() implements Marking {}

    /**
     * DSCP mode: the priority is looked up by code point; who answers a SYN uses its own traffic class, whatever the SYN's.
     *
     * @param priorities 64 of 0..7, by code point
     */
    record ByDscp(List<Integer> priorities) implements Marking {
        public ByDscp {
            priorities = List.copyOf(priorities);
            Limits.require(
                    priorities.size() == CODE_POINTS
                            && priorities.stream().allMatch(priority -> priority >= 0 && priority <= Tos.PRIORITY_MAX),
                    "a DSCP map of " + priorities.size() + " priorities is not allowed: 64, each 0..7, are");
        }
    }

    default ListenOrder mark(ListenOrder order) {
        return new ListenOrder(
                order.local(), order.vlan(), order.familyOnly(), order.backlog(), mark(order.tos()), order.answer());
    }

    default ConnectOrder mark(ConnectOrder order) {
        return new ConnectOrder(
                order.local(),
                order.remote(),
                order.vlan(),
                order.qp(),
                mark(order.tos()),
                order.wish(),
                order.fallBack(),
                order.synTimeout());
    }

    private Tos mark(Tos tos) {
        return switch (this) {
            case ByPrecedence _ -> tos;
            case ByDscp(var priorities) ->
                tos.hasPriority() ? tos : new Tos(tos.trafficClass(), priorities.get(tos.trafficClass() >>> 2));
        };
    }
}
