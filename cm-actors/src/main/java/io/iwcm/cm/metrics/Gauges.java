package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.rnic.BacklogUse;
import io.iwcm.nic.rnic.RnicSnapshot.Held;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What there is at the moment: connections by state, what they and the listeners hold. */
final class Gauges {

    /** Under this name the backlogs of listeners beyond the limit are added up. */
    static final String OTHER = "other";

    private record Places(int halfOpen, int waiting) {
        Places plus(Places more) {
            return new Places(halfOpen + more.halfOpen, waiting + more.waiting);
        }
    }

    private final Standing standing;
    private final int listenersMax;
    private final MultiGauge places;

    /** @param listenersMax most listeners with backlogs of their own */
    Gauges(MeterRegistry registry, Standing standing, int listenersMax) {
        this.standing = standing;
        this.listenersMax = listenersMax;
        this.places = MultiGauge.builder("iwcm_backlog_places")
                .description("places taken in the backlogs of a listening endpoint, over its addresses and VLANs")
                .register(registry);
        for (StateName state : StateName.values()) {
            if (!livesInNode(state)) continue;
            Gauge.builder("iwcm_nodes", standing, from -> inState(from.connections(), state))
                    .tag("state", ScrapeNames.label(state))
                    .description("connection nodes by state")
                    .register(registry);
        }
        Gauge.builder(
                        "iwcm_listeners",
                        standing,
                        from -> from.connections().listeners().size())
                .description("listening endpoints")
                .register(registry);
        Gauge.builder("iwcm_time_waits", standing, from -> from.nic().timeWaits())
                .description("TIME_WAIT rows")
                .register(registry);
        held(registry);
    }

    private void held(MeterRegistry registry) {
        Map<String, ToIntFunction<Held>> kinds = new LinkedHashMap<>();
        kinds.put("flows", Held::flows);
        kinds.put("syn_entries", Held::listeners);
        kinds.put("half_open", Held::halfOpen);
        kinds.put("waiting", Held::waiting);
        kinds.put("ports", Held::ports);
        kinds.put("address_handles", Held::handles);
        kinds.put("queue_pairs", Held::qps);
        kinds.put("neighbour_waiters", held -> held.underWay().waiters());
        kinds.put("loopback_frames", held -> held.underWay().loopback());
        kinds.put("device_commands", held -> held.underWay().commands());
        kinds.put("stuck_entries", held -> held.underWay().stuck());
        kinds.put("transmit_buffers", held -> held.underWay().buffers());
        kinds.put("timers", held -> held.underWay().timers());
        kinds.forEach((kind, value) -> Gauge.builder(
                        "iwcm_nic_held",
                        standing,
                        from -> value.applyAsInt(from.nic().held()))
                .tag("what", kind)
                .description("what is in use in the NIC; when all connections are over it is what it was before them")
                .register(registry));
    }

    /** The others live in a listener, in the NIC, or no longer. */
    private static boolean livesInNode(StateName state) {
        return switch (state) {
            case LISTENING, TIME_WAIT, CLOSED -> false;
            case INITED,
                    SYN_RCVD,
                    SYN_SENT,
                    ESTABLISHED,
                    MPAREQ_SENT,
                    MPAREQ_RCVD,
                    MPAREJ_RCVD,
                    OFFLOADED,
                    FIN_WAIT1,
                    FIN_WAIT2,
                    CLOSE_WAIT,
                    LAST_ACK,
                    CLOSING,
                    LISTENER_DESTROYED -> true;
        };
    }

    private static double inState(CmSnapshot snapshot, StateName state) {
        return snapshot.nodes().stream().filter(node -> node.state() == state).count();
    }

    /** Listeners come and go: to be called when the standing has been refreshed. */
    void follow() {
        Map<ListenKey, Places> taken = new HashMap<>();
        for (BacklogUse use : standing.backlogs()) taken.put(use.key(), new Places(use.halfOpen(), use.waiting()));
        Map<String, Places> byListener = new LinkedHashMap<>();
        for (CmSnapshot.Listener listener : standing.connections().listeners()) {
            String name = byListener.size() < listenersMax ? name(listener.order()) : OTHER;
            for (ListenKey key : listener.children()) {
                byListener.merge(name, taken.getOrDefault(key, new Places(0, 0)), Places::plus);
            }
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        byListener.forEach((name, sum) -> {
            rows.add(MultiGauge.Row.of(Tags.of("listener", name, "backlog", "half_open"), sum.halfOpen()));
            rows.add(MultiGauge.Row.of(Tags.of("listener", name, "backlog", "waiting"), sum.waiting()));
        });
        places.register(rows, true);
    }

    private static String name(ListenOrder order) {
        return order.vlan() == ListenOrder.ANY_VLAN
                ? order.local().toString()
                : order.local() + " vlan " + order.vlan();
    }
}
