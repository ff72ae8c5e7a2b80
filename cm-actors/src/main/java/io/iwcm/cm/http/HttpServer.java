package io.iwcm.cm.http;

import io.iwcm.cm.api.ListenHandle;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;

/**
 * The HTTP API of one node, on a port of its own. It runs on the node's actor system and is to be stopped before the node is:
 * event streams end then, what is under way is answered, and the port is free again.
 */
public final class HttpServer {

    private static final Duration LEASES_ARE_LOOKED_AT = Duration.ofMillis(250);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(3);

    /** A connection that is ended while the last chunk of its stream is on the way cuts it off. */
    private static final Duration LAST_CHUNK = Duration.ofMillis(100);

    private final HttpSettings settings;
    private final Router router;
    private final PageRoute page = new PageRoute(WebPage.load());
    private final EventLog events;
    private final EventRoutes streams;
    private final ListenerBook listeners;
    private final AtomicBoolean ready = new AtomicBoolean();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final ServerBinding binding;
    private final Cancellable leases;

    private HttpServer(Served served, HttpSettings settings, LongSupplier leaseClock) {
        ActorSystem<?> system = served.manager().system();
        Materializer materializer = SystemMaterializer.get(system).materializer();
        HttpSettings.Limits limits = settings.limits();
        this.settings = settings;
        this.events = served.watch().events();
        this.listeners = new ListenerBook(served.manager(), served.handler(), events, leaseClock);
        this.streams = new EventRoutes(
                served, limits.subscribers(), settings.timeouts().keepAlive());
        List<Route> routes = Stream.of(
                        new NodeRoutes(served, this::isReady).routes(),
                        new NicRoutes(served.manager().nic(), limits.pageMax()).routes(),
                        new ListenerRoutes(served, listeners).routes(),
                        new ConnectionRoutes(served, limits.pageMax()).routes(),
                        streams.routes())
                .flatMap(List::stream)
                .toList();
        this.router = new Router(
                routes,
                new Guard(settings.token(), settings.bind().getAddress().isLoopbackAddress()),
                limits.bodyOctets(),
                settings.timeouts().request(),
                stopping::get,
                materializer);
        this.binding = bind(system);
        this.leases = system.scheduler()
                .scheduleWithFixedDelay(
                        LEASES_ARE_LOOKED_AT, LEASES_ARE_LOOKED_AT, listeners::expire, system.executionContext());
    }

    /**
     * Opens the port. It answers from here on, but is not ready before {@link #ready}.
     *
     * @throws IllegalArgumentException with one sentence when the port cannot be had
     */
    public static HttpServer start(Served served, HttpSettings settings) {
        return start(served, settings, served::nowNs);
    }

    /** The same with a clock of nanoseconds that leases live by. */
    static HttpServer start(Served served, HttpSettings settings, LongSupplier leaseClock) {
        return new HttpServer(served, settings, leaseClock);
    }

    private ServerBinding bind(ActorSystem<?> system) {
        InetSocketAddress where = settings.bind();
        ServerBuilder plain = Http.get(system)
                .newServerAt(where.getAddress().getHostAddress(), where.getPort())
                .withSettings(settings(system));
        ServerBuilder builder = settings.tls()
                .map(tls -> plain.enableHttps(ConnectionContext.httpsServer(tls.context())))
                .orElse(plain);
        try {
            return builder.bind(this::answer).toCompletableFuture().join();
        } catch (CompletionException e) {
            Throwable root = e;
            while (root.getCause() != null) root = root.getCause();
            throw new IllegalArgumentException(
                    "HTTP cannot be served on " + where.getAddress().getHostAddress() + " port " + where.getPort()
                            + ": " + root.getMessage() + "; iwcm.http.port = 0 takes any port that is free",
                    e);
        }
    }

    private CompletionStage<HttpResponse> answer(HttpRequest request) {
        return page.answer(request)
                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedStage)
                .orElseGet(() -> router.handle(request));
    }

    /** Requests are timed by the router, which answers as the API does. */
    private ServerSettings settings(ActorSystem<?> system) {
        ServerSettings ours = ServerSettings.create(Adapter.toClassic(system))
                .withTransparentHeadRequests(true)
                .withParsingErrorHandler(NoRequest.class.getName());
        return ours.withTimeouts(ours.getTimeouts()
                .withIdleTimeout(scala(settings.timeouts().idle()))
                .withRequestTimeout(scala(settings.timeouts().request().plusSeconds(5))));
    }

    private static scala.concurrent.duration.FiniteDuration scala(Duration duration) {
        return scala.concurrent.duration.Duration.fromNanos(duration.toNanos());
    }

    /** Where it is, with the port that it has. */
    public URI uri() {
        InetSocketAddress at = binding.localAddress();
        String host = at.getAddress().getHostAddress();
        return URI.create((settings.tls().isPresent() ? "https" : "http") + "://"
                + (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort() + "/");
    }

    /** All that it can be asked for, as method and path. */
    List<Route> routes() {
        return router.routes();
    }

    /** May end this listener, which the configuration made. */
    public void know(ListenHandle listener) {
        listeners.know(listener);
    }

    /** Ends such a listener, with whatever shows it; completes when no SYN can come any more. */
    public CompletionStage<Void> end(ListenHandle listener) {
        return listeners.end(listener.id()).orElseGet(listener::close);
    }

    /** All that the node needs is there. */
    public void ready() {
        ready.set(true);
    }

    private boolean isReady() {
        return ready.get() && !stopping.get();
    }

    /** Takes nothing new, ends the event streams, answers what is under way, and gives the port back. Again: nothing happens. */
    public CompletionStage<Void> stop() {
        stopping.set(true);
        leases.cancel();
        events.close();
        boolean streaming = streams.subscribers() > 0;
        return streams.ended()
                .toCompletableFuture()
                .completeOnTimeout(null, STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenComposeAsync(
                        _ -> binding.terminate(STOP_PATIENCE),
                        streaming
                                ? CompletableFuture.delayedExecutor(LAST_CHUNK.toMillis(), TimeUnit.MILLISECONDS)
                                : Runnable::run)
                .thenAccept(_ -> {});
    }
}
