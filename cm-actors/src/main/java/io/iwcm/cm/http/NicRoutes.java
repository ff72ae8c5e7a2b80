package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.rnic.SteeringRow;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.wire.MacAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** What the NIC has. It is looked at on its own thread, and what was seen is put into words elsewhere. */
record NicRoutes(NicHost nic, int pageMax) {

    private static final int PAGE = 100;

    List<Route> routes() {
        return List.of(
                Route.getLater(Route.BASE + "/links", _ -> links()),
                Route.getLater(Route.BASE + "/neighbours", _ -> neighbours()),
                Route.getLater(Route.BASE + "/steering", this::steering, "limit", "after"));
    }

    private record Look(MacAddress mac, List<LocalAddress> addresses, RnicSnapshot snapshot) {}

    private CompletionStage<Answer> links() {
        return nic.inspect(rnic -> {
                    SoftRnic soft = (SoftRnic) rnic;
                    return new Look(soft.mac(), soft.addresses(), soft.snapshot());
                })
                .thenApply(look -> new Answer.Value(Json.array(List.of(look), this::link)));
    }

    private ObjectNode link(Look look) {
        Link link = nic.link();
        ObjectNode node = Json.object();
        node.put("name", link.name());
        node.put("kind", link.name().replaceFirst(":.*", ""));
        node.put("mac", look.mac().toString());
        node.put("mtu", link.mtu());
        node.put("up", true);
        node.set(
                "addresses",
                Json.array(
                        look.addresses(),
                        own -> Json.object()
                                .put("address", own.address().toString())
                                .put("prefixLength", own.prefixLength())
                                .put("vlan", own.vlan())));
        node.put("framesReceived", link.counters().received());
        node.put("framesSent", link.counters().sent());
        ObjectNode drops = node.putObject("drops");
        drops.put("receive_dropped", link.counters().receiveDropped());
        drops.put("send_dropped", link.counters().sendDropped());
        look.snapshot().drops().forEach((drop, count) -> {
            if (count != 0) drops.put(NodeRoutes.label(drop), count);
        });
        return node;
    }

    private CompletionStage<Answer> neighbours() {
        return nic.inspect(rnic -> ((SoftRnic) rnic).neighbours())
                .thenApply(rows -> new Answer.Value(Json.array(rows, NicRoutes::neighbour)));
    }

    private static ObjectNode neighbour(Neighbours.Row row) {
        ObjectNode node = Json.object();
        node.put("address", row.neighbour().address().toString());
        node.put("vlan", row.neighbour().vlan());
        node.put("state", row.state().name());
        if (!row.mac().equals(MacAddress.ZERO)) node.put("mac", row.mac().toString());
        node.put("waiters", row.waiting());
        return node;
    }

    private CompletionStage<Answer> steering(Call call) {
        int limit = call.integer("limit", 1, pageMax, Math.min(PAGE, pageMax));
        int from = call.integer("after", 0, Integer.MAX_VALUE, 0);
        return nic.inspect(rnic -> ((SoftRnic) rnic).steering(from, limit + 1)).thenApply(rows -> {
            ObjectNode page = Json.object();
            page.set("entries", Json.array(rows.stream().limit(limit).toList(), NicRoutes::entry));
            if (rows.size() > limit) page.put("next", Integer.toString(from + limit));
            return new Answer.Value(page);
        });
    }

    private static ObjectNode entry(SteeringRow row) {
        ObjectNode node = Json.object();
        node.put("kind", row.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        node.set("local", Json.endpoint(row.local()));
        row.remote().ifPresent(remote -> node.set("remote", Json.endpoint(remote)));
        node.put("vlan", row.vlan());
        row.owner().ifPresent(owner -> node.put("owner", owner.id()));
        if (row.epoch() != 0) node.put("epoch", row.epoch());
        if (row.kind() == SteeringRow.Kind.SYN) {
            node.put("halfOpen", row.places().halfOpen());
            node.put("waiting", row.places().waiting());
        }
        return node;
    }
}
