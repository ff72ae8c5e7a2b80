package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.trace.ConnectionHistory;
import io.iwcm.cm.trace.HistoryText;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Connections as the API shows them. */
record ConnectionJson(Served served) {

    private static final double NS_PER_S = 1e9;

    ObjectNode of(Seen seen) {
        return of(seen, served.nowNs());
    }

    /** @param nowNs the moment that its age is told of */
    ObjectNode of(Seen seen, long nowNs) {
        CmConnection connection = seen.connection();
        ObjectNode node = Json.object();
        node.put("id", connection.id().toString());
        node.put("role", connection.role().name().toLowerCase(Locale.ROOT));
        node.put("state", seen.state().name());
        node.set("local", Json.endpoint(connection.shown().local()));
        node.set("remote", Json.endpoint(connection.shown().remote()));
        node.put("vlan", connection.shown().vlan());
        if (connection.listener() != 0) node.put("listener", connection.listener());
        node.put("started", time(seen.bornNs()));
        node.put("age", (nowNs - seen.bornNs()) / NS_PER_S);
        seen.history().map(ConnectionHistory::facts).ifPresent(facts -> facts(facts, node));
        return node;
    }

    private void facts(ConnectionHistory.Facts facts, ObjectNode node) {
        facts.endedNs().ifPresent(atNs -> node.put("ended", time(atNs)));
        facts.cause().ifPresent(cause -> node.put("cause", cause.name()));
        facts.depths().ifPresent(depths -> node.set("depths", Json.depths(depths)));
        facts.peer().filter(peer -> peer.present()).ifPresent(peer -> node.set("peerDepths", Json.depths(peer)));
        facts.revision().ifPresent(revision -> node.put("revision", revision));
        if (!facts.privateData().isEmpty()) node.put("privateData", Json.base64(facts.privateData()));
    }

    /** With all that is kept of what it went through. */
    ObjectNode withHistory(Seen seen) {
        ObjectNode node = of(seen);
        node.set(
                "history",
                Json.array(seen.history().map(HistoryText::lines).orElse(java.util.List.of()), ConnectionJson::line));
        seen.history().ifPresent(history -> node.put("forgotten", history.forgotten()));
        return node;
    }

    private static ObjectNode line(HistoryText.Line line) {
        ObjectNode node = Json.object();
        node.put("at", line.seconds());
        node.put("kind", line.kind().name().toLowerCase(Locale.ROOT));
        node.put("text", line.text());
        line.change().ifPresent(change -> {
            node.put("from", change.from().name());
            node.put("to", change.to().name());
        });
        return node;
    }

    private String time(long atNs) {
        return served.timeOf(atNs).truncatedTo(ChronoUnit.MICROS).toString();
    }
}
