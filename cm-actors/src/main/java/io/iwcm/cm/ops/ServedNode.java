package io.iwcm.cm.ops;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.http.HttpServer;
import io.iwcm.cm.http.Served;
import io.iwcm.cm.http.Watch;
import io.iwcm.cm.metrics.CmMetrics;
import io.iwcm.nic.settings.EffectiveSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * A connection manager with the listeners of its configuration and, where it is wanted, its HTTP API.
 *
 * @param manager does the work
 * @param http shows it
 * @param metrics measures it
 */
record ServedNode(ConnectionManager manager, Optional<HttpServer> http, Optional<CmMetrics> metrics)
        implements AutoCloseable {

    private static final String NAME = "iwcm";

    /** Starts all of it, or nothing. */
    static ServedNode start(NodeOptions options, NodeOptions.Node node, EventPrinter printer, PrintWriter out) {
        Optional<Watch> watch = node.http().map(settings -> new Watch(settings.limits()));
        Optional<CmMetrics> metrics = node.http().flatMap(_ -> node.metrics()).map(CmMetrics::new);
        CmObserver watching = watch.<CmObserver>map(one -> one).orElse(CmObserver.NONE);
        ConnectionManager manager = options.start(
                node, NAME, out, metrics.map(one -> one.observing(watching)).orElse(watching));
        try {
            metrics.ifPresent(one -> one.bind(manager));
            Optional<HttpServer> http = watch.map(one -> HttpServer.start(
                    new Served(
                            NAME,
                            BuildInfo.read().version(),
                            EffectiveSettings.of(node.config(), "iwcm").settings().stream()
                                    .map(setting ->
                                            new Served.Setting(setting.key(), setting.value(), setting.origin()))
                                    .toList(),
                            manager,
                            one,
                            printer,
                            metrics.map(measured -> measured::scrape),
                            () -> metrics.map(CmMetrics::actors).orElse(List.of())),
                    node.http().orElseThrow()));
            return new ServedNode(manager, http, metrics);
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
    }

    /** Listens, and says where. */
    void listen(Iterable<ListenOrder> orders, EventPrinter printer) {
        for (ListenOrder order : orders) {
            ListenHandle handle = Waiting.on(manager.listen(ListenOptions.of(order), printer));
            http.ifPresent(server -> server.know(handle));
            printer.say("listening on " + order.local() + " by "
                    + manager.nic().link().name());
        }
        http.ifPresent(server -> {
            server.ready();
            printer.say(server.uri().toString());
        });
    }

    /** Those who look go first, so that nobody sees a half of it. */
    @Override
    public void close() {
        http.ifPresent(server -> Waiting.on(server.stop()));
        manager.close();
        metrics.ifPresent(CmMetrics::close);
    }
}
