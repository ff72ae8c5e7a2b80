package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.nic.bridge.BridgeCounter;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/** What runs here. */
final class NodeRoutes {

    private static final double MS_PER_S = 1e3;

    private final Served served;
    private final BooleanSupplier ready;
    private final MemberList members;
    private final Instant started = Instant.now();

    /** @param ready whether it takes what it is asked */
    NodeRoutes(Served served, BooleanSupplier ready) {
        this.served = served;
        this.ready = ready;
        this.members = new MemberList(served.manager().system());
    }

    List<Route> routes() {
        return List.of(
                Route.getLater(Route.BASE + "/node", _ -> node()),
                Route.get(Route.BASE + "/config", _ -> config()),
                Route.post(Route.BASE + "/reload", Route.Body.NONE, _ -> reload()),
                Route.getLater(Route.BASE + "/counters", _ -> counters()),
                Route.get(Route.BASE + "/members", _ -> members.list(ready.getAsBoolean())),
                Route.get(Route.BASE + "/actors", _ -> actors()),
                Route.get(Route.BASE + "/openapi.yaml", _ -> contract()).producing(Route.Produces.YAML),
                Route.getLater("/metrics", _ -> metrics()).producing(Route.Produces.PROMETHEUS),
                Route.get("/health/live", _ -> new Answer.Value(Json.object().put("live", true))),
                Route.get("/health/ready", _ -> readiness()));
    }

    /** A scrape waits for the NIC and the connections, so it is not made on one of their threads. */
    private CompletionStage<Answer> metrics() {
        Supplier<String> scrape = served.scrape()
                .orElseThrow(() -> Problem.notFound("nothing is measured: iwcm.metrics.enabled is false")
                        .refusal());
        return CompletableFuture.supplyAsync(
                () -> new Answer.Text(scrape.get().getBytes(StandardCharsets.UTF_8)),
                task -> Thread.ofVirtual().name("iwcm-scrape").start(task));
    }

    private CompletionStage<Answer> node() {
        return served.manager().snapshot().thenApply(this::node);
    }

    private Answer node(CmSnapshot snapshot) {
        ObjectNode node = Json.object();
        node.put("name", served.name());
        node.put("version", served.version());
        node.put("java", Runtime.version().toString());
        node.put("started", started.toString());
        node.put("uptime", Duration.between(started, Instant.now()).toMillis() / MS_PER_S);
        node.put("ready", ready.getAsBoolean());
        ObjectNode connections = node.putObject("connections");
        snapshot.nodes().stream()
                .collect(Collectors.groupingBy(CmSnapshot.Node::state, TreeMap::new, Collectors.counting()))
                .forEach((state, count) -> connections.put(state.name(), count));
        node.put("listeners", snapshot.listeners().size());
        return new Answer.Value(node);
    }

    private Answer config() {
        return new Answer.Value(Json.array(
                served.settings().shown(),
                setting -> Json.object()
                        .put("key", setting.key())
                        .put("value", setting.value())
                        .put("origin", setting.origin())));
    }

    /** It waits for the NIC and the connections, so it is not made on one of their threads. */
    private CompletionStage<Answer> reload() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Reloaded reloaded = served.settings().reload();
                        ObjectNode node = Json.object();
                        node.set("done", Json.array(reloaded.done(), TextNode::valueOf));
                        node.set("failed", Json.array(reloaded.failed(), TextNode::valueOf));
                        node.set("restart", Json.array(reloaded.restart(), TextNode::valueOf));
                        return new Answer.Value(node);
                    } catch (IllegalArgumentException e) {
                        throw Problem.of(StatusCodes.UNPROCESSABLE_CONTENT, String.valueOf(e.getMessage()))
                                .refusal();
                    }
                },
                task -> Thread.ofVirtual().name("iwcm-reload").start(task));
    }

    private CompletionStage<Answer> counters() {
        return served.manager()
                .nic()
                .inspect(rnic -> ((SoftRnic) rnic).snapshot())
                .thenApply(this::counters);
    }

    private Answer counters(RnicSnapshot nic) {
        List<ObjectNode> all = new ArrayList<>();
        served.manager()
                .counters()
                .values()
                .forEach((counter, value) -> all.add(counter("cm", counter.label(), value, counter.sentence())));
        for (BridgeCounter counter : BridgeCounter.values()) {
            long value = served.manager().nic().counters().value(counter);
            all.add(counter("ilq", counter.label(), value, counter.sentence()));
        }
        for (NicCounter counter : NicCounter.values()) {
            all.add(counter("nic", counter.id(), nic.count(counter), counter.sentence()));
        }
        for (RnicSnapshot.Count count : nic.ofQueuePairs()) {
            all.add(counter("qp", count.id(), count.value(), count.sentence()));
        }
        for (Drop drop : Drop.values()) {
            if (drop != Drop.NONE) all.add(counter("drop", label(drop), nic.drops(drop), drop.sentence()));
        }
        var link = served.manager().nic().link().counters();
        all.add(counter("link", "received", link.received(), "frames handed to the receiver"));
        all.add(counter("link", "sent", link.sent(), "frames that the link has taken"));
        all.add(counter("link", "receive_dropped", link.receiveDropped(), "frames lost on the way in"));
        all.add(counter("link", "send_dropped", link.sendDropped(), "frames that the link could not take"));
        return new Answer.Value(Json.array(all, node -> node));
    }

    static String label(Drop drop) {
        return drop.name().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode counter(String group, String name, long value, String sentence) {
        return Json.object()
                .put("group", group)
                .put("name", name)
                .put("value", value)
                .put("sentence", sentence);
    }

    private Answer actors() {
        return new Answer.Value(Json.array(served.actors().get(), ActorJson::of));
    }

    private Answer readiness() {
        ObjectNode node = Json.object().put("ready", ready.getAsBoolean());
        return ready.getAsBoolean() ? new Answer.Value(node) : new Answer.NotReady(node);
    }

    private static Answer contract() {
        try (InputStream in = NodeRoutes.class.getResourceAsStream("openapi.yaml")) {
            if (in == null) throw new IllegalStateException("openapi.yaml is not on the class path");
            return new Answer.Text(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("openapi.yaml cannot be read", e);
        }
    }
}
