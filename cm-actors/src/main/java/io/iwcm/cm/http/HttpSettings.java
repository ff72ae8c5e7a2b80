package io.iwcm.cm.http;

import io.iwcm.cm.trace.Histories;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * How the HTTP API is served.
 *
 * @param bind where; port 0 is any that is free
 * @param token what a request has to bring along; empty: nothing
 * @param tls what the server proves itself with; empty: it speaks plain HTTP
 * @param limits how much there may be
 * @param timeouts how long things may take
 */
public record HttpSettings(
        InetSocketAddress bind, Optional<String> token, Optional<Tls> tls, Limits limits, Timeouts timeouts) {

    /**
     * How much there may be.
     *
     * @param bodyOctets of a request
     * @param pageMax entries of a page
     * @param subscribers event streams at a time
     * @param events latest events kept for those who come back
     * @param histories what is kept of connections
     */
    public record Limits(int bodyOctets, int pageMax, int subscribers, int events, Histories.Limits histories) {
        public static final Limits DEFAULT = new Limits(65_536, 1000, 64, 4096, new Histories.Limits(4096, 64, 1024));
    }

    /**
     * How long things may take.
     *
     * @param request until a request is answered
     * @param idle until a connection on which nothing passes is closed
     * @param keepAlive between two signs of life on an event stream
     */
    public record Timeouts(Duration request, Duration idle, Duration keepAlive) {
        public static final Timeouts DEFAULT =
                new Timeouts(Duration.ofSeconds(200), Duration.ofSeconds(60), Duration.ofSeconds(15));
    }

    /** A secret shows in no text. */
    @Override
    public String toString() {
        return "HTTP on " + bind + (token.isPresent() ? " with a token" : "") + (tls.isPresent() ? " over TLS" : "");
    }
}
