package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.metrics.ActorReport;

/** Actors as the API shows them. */
final class ActorJson {

    private ActorJson() {}

    static ObjectNode of(ActorReport report) {
        ObjectNode node = Json.object();
        node.put("kind", report.kind().label());
        node.put("live", report.live());
        node.put("started", report.started());
        node.put("stopped", report.stopped());
        node.put("failed", report.failed());
        node.put("messages", report.messages());
        node.put("mailboxDepth", report.mailboxes().depth());
        node.set("processing", of(report.processing()));
        node.set("inMailbox", of(report.mailboxes().waiting()));
        return node;
    }

    private static ObjectNode of(ActorReport.Timing timing) {
        return Json.object()
                .put("samples", timing.samples())
                .put("p50", timing.p50())
                .put("p99", timing.p99())
                .put("max", timing.max());
    }
}
