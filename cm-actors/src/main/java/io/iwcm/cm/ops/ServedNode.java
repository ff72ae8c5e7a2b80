package io.iwcm.cm.ops;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.CmException;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.http.HttpServer;
import io.iwcm.cm.http.Reloaded;
import io.iwcm.cm.http.Served;
import io.iwcm.cm.http.Watch;
import io.iwcm.cm.metrics.CmMetrics;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * A connection manager with the listeners of its configuration and, where it is wanted, its HTTP API.
 *
 * @param manager does the work
 * @param settings its listeners and addresses follow them
 * @param http shows it
 * @param metrics measures it
 */
record ServedNode(
        ConnectionManager manager, LiveSettings settings, Optional<HttpServer> http, Optional<CmMetrics> metrics)
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
            LiveSettings live = new LiveSettings(options.file(), node.config(), manager, printer);
            Optional<HttpServer> http = watch.map(one -> HttpServer.start(
                    new Served(
                            NAME,
                            BuildInfo.read().version(),
                            live,
                            manager,
                            one,
                            printer,
                            metrics.map(measured -> measured::scrape),
                            () -> metrics.map(CmMetrics::actors).orElse(List.of())),
                    node.http().orElseThrow()));
            http.ifPresent(live::shownBy);
            return new ServedNode(manager, live, http, metrics);
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
    }

    /** Listens as its settings say, and says where. */
    void listen(EventPrinter printer) {
        settings.listen();
        http.ifPresent(server -> {
            server.ready();
            printer.say(server.uri().toString());
        });
    }

    /** Reads its settings again, and says what came of it. */
    void hangUp(EventPrinter printer) {
        try {
            Reloaded reloaded = settings.reload();
            reloaded.failed().forEach(printer::say);
            reloaded.restart().forEach(key -> printer.say(key + " needs a restart"));
        } catch (IllegalArgumentException | CmException e) {
            printer.say(String.valueOf(e.getMessage()));
        }
    }

    /** Those who look go first, so that nobody sees a half of it. */
    @Override
    public void close() {
        http.ifPresent(server -> Waiting.on(server.stop()));
        manager.close();
        metrics.ifPresent(CmMetrics::close);
    }
}
