package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.BridgeCounter;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkCounters;
import io.iwcm.nic.link.LinkEvent;
import io.iwcm.nic.qp.QpCounter;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToLongFunction;

/** Everything that is counted elsewhere: one metric for each constant of an enum, its sentence for help. */
final class Counted {

    private final MeterRegistry registry;

    Counted(MeterRegistry registry) {
        this.registry = registry;
    }

    /** What the connection manager counts, and between it and the NIC. */
    void of(CmCounters counters, NicHost nic) {
        for (CmCounter counter : CmCounter.values()) {
            count("iwcm_" + counter.label(), counter.sentence(), counters, from -> from.value(counter));
        }
        for (BridgeCounter counter : BridgeCounter.values()) {
            count(
                    "iwcm_bridge_" + counter.label(),
                    counter.sentence(),
                    nic,
                    from -> from.counters().value(counter));
        }
        Link link = nic.link();
        passed(link, "received", LinkCounters::received);
        passed(link, "sent", LinkCounters::sent);
        lost(link, "received", LinkCounters::receiveDropped);
        lost(link, "sent", LinkCounters::sendDropped);
        for (LinkEvent event : link.events().keySet()) {
            FunctionCounter.builder(
                            "iwcm_link_" + event.label(),
                            link,
                            from -> from.events().getOrDefault(event, 0L))
                    .tag("link", link.name())
                    .description(event.sentence())
                    .register(registry);
        }
    }

    /** What the NIC counted when it was last asked. */
    void of(Standing standing) {
        for (NicCounter counter : NicCounter.values()) {
            count(
                    "iwcm_nic_" + counter.id(),
                    counter.sentence(),
                    standing,
                    from -> from.nic().count(counter));
        }
        for (QpCounter counter : QpCounter.values()) {
            count(
                    "iwcm_qp_" + counter.id(),
                    counter.sentence(),
                    standing,
                    from -> from.nic().count(counter));
        }
        for (Drop reason : Drop.values()) {
            if (reason == Drop.NONE) continue;
            FunctionCounter.builder(
                            "iwcm_nic_drops", standing, from -> from.nic().drops(reason))
                    .tag("reason", ScrapeNames.label(reason))
                    .description("received frames that were not used, by reason")
                    .register(registry);
        }
    }

    private void passed(Link link, String direction, ToLongFunction<LinkCounters> which) {
        ofLink("iwcm_link_frames", "frames that passed the link", link, direction, which);
    }

    private void lost(Link link, String direction, ToLongFunction<LinkCounters> which) {
        ofLink("iwcm_link_drops", "frames that the link lost or could not take", link, direction, which);
    }

    private void ofLink(String name, String sentence, Link link, String direction, ToLongFunction<LinkCounters> which) {
        FunctionCounter.builder(name, link, from -> which.applyAsLong(from.counters()))
                .tag("link", link.name())
                .tag("direction", direction)
                .description(sentence)
                .register(registry);
    }

    private <T> void count(String name, String sentence, T from, ToLongFunction<T> value) {
        FunctionCounter.builder(name, from, value::applyAsLong)
                .description(sentence)
                .register(registry);
    }
}
