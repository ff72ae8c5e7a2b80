package io.iwcm.cm.actor;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.Endpoint;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Which listener has which SYN entry. A listener wants one on every address and VLAN that it covers; where several want
 * the same, the most specific one has it, and when that goes, the next.
 */
final class ListenPlan {

    private ListenPlan() {}

    /** The SYN entries that should be in, and whose. */
    static Map<ListenKey, Long> arrange(Map<Long, ListenOrder> listeners, Collection<LocalAddress> addresses) {
        Map<ListenKey, Long> plan = new LinkedHashMap<>();
        for (LocalAddress address : addresses) {
            listeners.forEach((id, order) -> {
                if (!covers(order, address)) return;
                ListenKey key = new ListenKey(
                        new Endpoint(address.address(), order.local().port()), address.vlan());
                plan.merge(key, id, (rival, _) -> {
                    ListenOrder present = Objects.requireNonNull(listeners.get(rival));
                    return rank(order, address) > rank(present, address) ? id : rival;
                });
            });
        }
        return plan;
    }

    /** Whether two listeners would be one endpoint, so that the second is "address in use". */
    static boolean collide(ListenOrder one, ListenOrder other) {
        return one.local().equals(other.local()) && one.vlan() == other.vlan();
    }

    static boolean covers(ListenOrder order, LocalAddress address) {
        if (order.vlan() != ListenOrder.ANY_VLAN && order.vlan() != address.vlan()) return false;
        if (!order.isWildcard()) return order.local().address().equals(address.address());
        boolean sameFamily = sameFamily(order, address);
        return sameFamily || (!order.local().address().isV4() && !order.familyOnly());
    }

    private static int rank(ListenOrder order, LocalAddress address) {
        return (order.isWildcard() ? 0 : 4)
                + (order.vlan() == ListenOrder.ANY_VLAN ? 0 : 2)
                + (sameFamily(order, address) ? 1 : 0);
    }

    private static boolean sameFamily(ListenOrder order, LocalAddress address) {
        return order.local().address().version() == address.address().version();
    }
}
