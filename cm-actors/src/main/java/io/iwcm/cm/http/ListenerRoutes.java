package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.actor.ListenOrder.AnswerPolicy;
import io.iwcm.cm.actor.ListenOrder.Backlog;
import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.rnic.SteeringRow;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Listeners: looked at, made and ended. */
record ListenerRoutes(Served served, ListenerBook book) {

    private static final int BACKLOG_MAX = 1 << 20;
    private static final double LEASE_MAX_S = 3600;
    private static final Duration LEASE_OF_ASK = Duration.ofSeconds(30);
    private static final String ALL = Route.BASE + "/listeners";
    private static final String ONE = ALL + "/{id}";

    List<Route> routes() {
        return List.of(
                Route.getLater(ALL, _ -> all()),
                Route.post(ALL, Route.Body.REQUIRED, this::listen),
                Route.getLater(ONE, call -> one(call.listener()).thenApply(Answer.Value::new)),
                Route.delete(ONE, call -> unlisten(call.listener())),
                Route.put(ONE + "/lease", call -> renew(call.listener())));
    }

    private CompletionStage<Answer> all() {
        return look().thenApply(
                        look -> new Answer.Value(Json.array(look.snapshot().listeners(), look::show)));
    }

    private CompletionStage<ObjectNode> one(long id) {
        return look().thenApply(look -> look.snapshot().listeners().stream()
                .filter(listener -> listener.id() == id)
                .findFirst()
                .map(look::show)
                .orElseThrow(() -> unknown(id)));
    }

    private static Refusal unknown(long id) {
        return Problem.notFound("there is no listener " + id).refusal();
    }

    private record Look(CmSnapshot snapshot, Map<ListenKey, SteeringRow> syns, ListenerBook book) {

        ObjectNode show(CmSnapshot.Listener listener) {
            ListenOrder order = listener.order();
            ObjectNode node = Json.object();
            node.put("id", listener.id());
            node.put("address", order.local().address().toString());
            node.put("port", order.local().port());
            if (order.vlan() != ListenOrder.ANY_VLAN) node.put("vlan", order.vlan());
            node.put("v6Only", order.familyOnly());
            node.put("backlog", order.backlog().waiting());
            node.put("synBacklog", order.backlog().halfOpen());
            node.put(
                    "answer",
                    switch (order.answer()) {
                        case AnswerPolicy.Ask _ -> "ask";
                        case AnswerPolicy.Accept _ -> "accept";
                        case AnswerPolicy.Reject _ -> "reject";
                    });
            node.put("origin", book.origin(listener.id()).name().toLowerCase(Locale.ROOT));
            book.leaseLeft(listener.id()).ifPresent(left -> node.put("leaseLeft", left));
            node.set("children", Json.array(listener.children(), this::child));
            return node;
        }

        private ObjectNode child(ListenKey key) {
            ObjectNode node = Json.endpoint(key.local());
            node.put("vlan", key.vlan());
            Optional<SteeringRow> row = Optional.ofNullable(syns.get(key));
            node.put("halfOpen", row.map(found -> found.places().halfOpen()).orElse(0));
            node.put("waiting", row.map(found -> found.places().waiting()).orElse(0));
            return node;
        }
    }

    private CompletionStage<Look> look() {
        return served.manager()
                .snapshot()
                .thenCombine(
                        served.manager().nic().inspect(rnic -> ((SoftRnic) rnic).listening()),
                        (snapshot, rows) -> new Look(
                                snapshot,
                                rows.stream()
                                        .collect(Collectors.toMap(
                                                row -> new ListenKey(row.local(), row.vlan()), Function.identity())),
                                book));
    }

    private CompletionStage<Answer> listen(Call call) {
        Fields fields = call.fields();
        ListenOptions options = options(fields);
        Optional<Duration> lease = fields.number("lease", 1, LEASE_MAX_S)
                .map(seconds -> Duration.ofNanos((long) (seconds * 1e9)))
                .or(() -> options.order().answer() instanceof AnswerPolicy.Ask
                        ? Optional.of(LEASE_OF_ASK)
                        : Optional.empty());
        fields.refuseUnknown();
        return book.listen(options, lease)
                .thenCompose(id -> one(id).thenApply(json -> new Answer.Made(json, ALL + "/" + id)));
    }

    private static ListenOptions options(Fields fields) {
        var address = fields.required("address", fields.address("address"));
        int port = fields.required("port", fields.integer("port", 1, 65_535));
        if (address.isMulticast()) throw fields.notAllowed("address", "a unicast or the unspecified address");
        ListenOrder order = new ListenOrder(
                new Endpoint(address, port),
                fields.integer("vlan", 0, 4094).orElse(ListenOrder.ANY_VLAN),
                fields.flag("v6Only").orElse(false),
                new Backlog(
                        fields.integer("synBacklog", 1, BACKLOG_MAX).orElse(Backlog.DEFAULT.halfOpen()),
                        fields.integer("backlog", 1, BACKLOG_MAX).orElse(Backlog.DEFAULT.waiting())),
                new Tos(
                        fields.integer("trafficClass", 0, 255).orElse(0),
                        fields.integer("priority", 0, 7).orElse(Tos.FROM_TRAFFIC_CLASS)),
                answer(fields));
        return ListenOptions.of(order);
    }

    private static AnswerPolicy answer(Fields fields) {
        Optional<ReadDepths> depths = depths(fields);
        Octets data =
                fields.octets("privateData", MpaCodec.privateDataMax(true)).orElse(Octets.EMPTY);
        return switch (fields.choice("answer", List.of("ask", "accept", "reject"))) {
            case "accept" ->
                new AnswerPolicy.Accept(
                        new CmConnection.Accept(Optional.empty(), depths, data), AnswerPolicy.Accept.UNLIMITED);
            case "reject" -> new AnswerPolicy.Reject(data);
            default -> new AnswerPolicy.Ask();
        };
    }

    /** Both or none: what the other would be depends on a request that is not known here. */
    static Optional<ReadDepths> depths(Fields fields) {
        Optional<Integer> ird = fields.integer("ird", 0, ReadDepths.MAX);
        Optional<Integer> ord = fields.integer("ord", 0, ReadDepths.MAX);
        if (ird.isEmpty() && ord.isEmpty()) return Optional.empty();
        return Optional.of(new ReadDepths(fields.required("ird", ird), fields.required("ord", ord)));
    }

    private CompletionStage<Answer> unlisten(long id) {
        Optional<CompletionStage<Void>> ended = book.end(id);
        if (ended.isPresent()) return ended.get().thenApply(_ -> new Answer.Done());
        return one(id).thenApply(_ -> {
            throw Problem.conflict("listener " + id + " was made inside the process, and is ended there")
                    .refusal();
        });
    }

    private CompletionStage<Answer> renew(long id) {
        boolean renewed = book.renew(id);
        return one(id).thenApply(json -> {
            if (!renewed)
                throw Problem.conflict("listener " + id + " has no lease").refusal();
            return new Answer.Value(json);
        });
    }
}
