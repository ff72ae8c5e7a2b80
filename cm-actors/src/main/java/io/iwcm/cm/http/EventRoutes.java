package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Events as Server-Sent Events. Who reads too slowly, or comes back too late, is told by a {@code gap} how many it missed; the
 * node keeps nothing for it.
 */
final class EventRoutes {

    private static final int AT_ONCE = 64;
    private static final ByteString SIGN_OF_LIFE = ByteString.fromString(":\n\n");

    private final Served served;
    private final EventLog log;
    private final int subscribersMax;
    private final Duration keepAlive;
    private final AtomicInteger subscribers = new AtomicInteger();
    private final Set<CompletableFuture<Void>> streams = ConcurrentHashMap.newKeySet();

    /** Tells the ids of this start of the node from those of another. */
    private final String start = Long.toString(Instant.now().toEpochMilli(), Character.MAX_RADIX);

    EventRoutes(Served served, int subscribersMax, Duration keepAlive) {
        this.served = served;
        this.log = served.watch().events();
        this.subscribersMax = subscribersMax;
        this.keepAlive = keepAlive;
    }

    List<Route> routes() {
        return List.of(Route.get(Route.BASE + "/events", this::follow, "connection", "listener")
                .producing(Route.Produces.EVENTS));
    }

    /** How many streams there are. */
    int subscribers() {
        return subscribers.get();
    }

    /** Completes when the streams that there are now have ended, each with all that it had to say. */
    CompletionStage<Void> ended() {
        return CompletableFuture.allOf(streams.toArray(CompletableFuture[]::new));
    }

    private record Filter(Optional<ConnectionId> connection, Optional<Long> listener) {

        boolean takes(EventLog.Entry entry) {
            return switch (entry.what()) {
                case EventLog.OfConnection(var whose, var _, long _) ->
                    connection.filter(id -> !id.equals(whose.connection().id())).isEmpty()
                            && listener.filter(id -> id != whose.connection().listener())
                                    .isEmpty();
                case EventLog.OfListener(long id, boolean _) ->
                    connection.isEmpty()
                            && listener.filter(wanted -> wanted != id).isEmpty();
            };
        }
    }

    private Answer follow(Call call) {
        Filter filter =
                new Filter(call.text("connection").map(Call::connection), call.number("listener", 1, Long.MAX_VALUE));
        if (subscribers.get() >= subscribersMax) {
            throw Problem.of(
                            StatusCodes.SERVICE_UNAVAILABLE,
                            "there are " + subscribersMax + " event streams already, which is the limit")
                    .refusal();
        }
        long from = call.lastEventId().map(this::behind).orElseGet(() -> log.last() + 1);
        return new Answer.Stream(
                Source.lazySource(() -> stream(from, filter)).mapMaterializedValue(_ -> NotUsed.notUsed()));
    }

    /** The number behind that of an event's id; all there are for an id of another start of the node. */
    private long behind(String id) {
        String[] parts = id.split("-", -1);
        if (parts.length != 2 || !parts[1].matches("\\d{1,18}")) {
            throw Problem.badRequest("Last-Event-ID is '" + id + "': the id of an event is allowed")
                    .refusal();
        }
        long number = Long.parseLong(parts[1]);
        return parts[0].equals(start) && number <= log.last() ? number + 1 : 1;
    }

    private Source<ByteString, NotUsed> stream(long from, Filter filter) {
        subscribers.incrementAndGet();
        CompletableFuture<Void> end = new CompletableFuture<>();
        streams.add(end);
        Set<CompletableFuture<Boolean>> waiting = ConcurrentHashMap.newKeySet();
        ByteString hello = ByteString.fromString("retry: 1000\nid: " + id(from - 1) + "\n\n");
        return Source.unfoldAsync(from, next -> more(next, filter, waiting))
                .prepend(Source.single(hello))
                .keepAlive(keepAlive, () -> SIGN_OF_LIFE)
                .watchTermination((_, done) -> {
                    done.whenComplete((_, _) -> {
                        subscribers.decrementAndGet();
                        waiting.forEach(log::forget);
                        streams.remove(end);
                        end.complete(null);
                    });
                    return NotUsed.notUsed();
                });
    }

    private CompletionStage<Optional<Pair<Long, ByteString>>> more(
            long next, Filter filter, Set<CompletableFuture<Boolean>> waiting) {
        CompletableFuture<Boolean> more = log.more(next);
        waiting.clear(); // The one before is done.
        waiting.add(more);
        return more.thenApply(open -> {
            if (!open) return Optional.empty();
            EventLog.Read read = log.read(next, AT_ONCE);
            return Optional.of(Pair.create(read.next(), text(read, filter)));
        });
    }

    private ByteString text(EventLog.Read read, Filter filter) {
        StringBuilder text = new StringBuilder();
        long told = 0;
        if (read.missed() > 0) {
            ObjectNode gap = Json.object().put("type", "gap");
            gap.put("at", Instant.now().toString());
            gap.put("missed", read.missed());
            told = read.next() - read.entries().size() - 1;
            tell(told, "gap", gap, text);
        }
        for (EventLog.Entry entry : read.entries()) {
            if (filter.takes(entry)) {
                ObjectNode json = json(entry);
                told = entry.number();
                tell(told, json.get("type").textValue(), json, text);
            }
        }
        // Nobody need read again, wait for, or hear that he missed, what was not meant for him.
        if (told < read.next() - 1)
            text.append("id: ").append(id(read.next() - 1)).append("\n\n");
        return ByteString.fromString(text.toString());
    }

    private void tell(long number, String type, ObjectNode json, StringBuilder text) {
        text.append("id: ").append(id(number)).append("\nevent: ").append(type).append("\ndata: ");
        text.append(new String(Json.bytes(json), StandardCharsets.UTF_8)).append("\n\n");
    }

    private String id(long number) {
        return start + "-" + number;
    }

    private ObjectNode json(EventLog.Entry entry) {
        return switch (entry.what()) {
            case EventLog.OfListener(long id, boolean up) ->
                event(up ? "LISTENER_UP" : "LISTENER_DOWN", entry.at()).put("listener", id);
            case EventLog.OfConnection(Seen whose, CmEvent event, long atNs) -> {
                ObjectNode node = json(event, entry.at());
                node.set("connection", new ConnectionJson(served).of(whose, atNs));
                long listener = whose.connection().listener();
                if (listener != 0) node.put("listener", listener);
                yield node;
            }
        };
    }

    private static ObjectNode json(CmEvent event, Instant at) {
        return switch (event) {
            case CmEvent.ConnectRequest(int revision, var peer, var suggested, var data) ->
                said(event("CONNECT_REQUEST", at).put("revision", revision), suggested, peer, data);
            case CmEvent.ConnectReply(var outcome, var depths, var peer, var data) ->
                said(caused(event("CONNECT_REPLY", at), outcome), depths, peer, data);
            case CmEvent.Established(var depths) ->
                event("ESTABLISHED", at).<ObjectNode>set("depths", Json.depths(depths));
            case CmEvent.AcceptFailed(var cause) -> caused(event("ACCEPT_FAILED", at), cause);
            case CmEvent.Disconnected(var cause) -> caused(event("DISCONNECT", at), cause);
            case CmEvent.Closed(var cause) -> caused(event("CLOSE", at), cause);
        };
    }

    private static ObjectNode event(String type, Instant at) {
        return Json.object().put("type", type).put("at", at.toString());
    }

    private static ObjectNode caused(ObjectNode node, Cause cause) {
        return node.put("cause", cause.name());
    }

    private static ObjectNode said(ObjectNode node, ReadDepths depths, PeerDepths peer, Octets data) {
        node.set("depths", Json.depths(depths));
        if (peer.present()) node.set("peerDepths", Json.depths(peer));
        if (!data.isEmpty()) node.put("privateData", Json.base64(data));
        return node;
    }
}
