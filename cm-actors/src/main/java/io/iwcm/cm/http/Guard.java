package io.iwcm.cm.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/**
 * Who may ask. Without a token everybody on this host may, but not the pages of other sites in somebody's browser: those give
 * themselves away by their Origin, or by a Host that is a name of theirs.
 *
 * @param token that has to come along; empty: none
 * @param loopback whether only this host can reach us
 */
record Guard(Optional<String> token, boolean loopback) {

    private static final String BEARER = "Bearer ";

    /** @throws Refusal when this request may not be asked */
    void check(HttpRequest request) {
        String host = header(request, "Host")
                .orElseGet(() -> request.getUri().getHost().address());
        header(request, "Origin").filter(origin -> !ours(origin, host)).ifPresent(origin -> {
            throw Problem.of(StatusCodes.FORBIDDEN, "pages of " + origin + " may not ask this node")
                    .refusal();
        });
        if (token.isPresent()) {
            checkToken(request, token.get());
        } else if (loopback && !isThisHost(host)) {
            throw Problem.of(
                            StatusCodes.FORBIDDEN,
                            "without a token this node is asked as localhost or by its address, not as " + host)
                    .refusal();
        }
    }

    private static void checkToken(HttpRequest request, String token) {
        Optional<String> said = header(request, "Authorization");
        boolean right = said.filter(text -> text.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .filter(text -> same(text.substring(BEARER.length()).strip(), token))
                .isPresent();
        if (!right) {
            throw Problem.of(
                            StatusCodes.UNAUTHORIZED,
                            said.isPresent() ? "the bearer token is not the right one" : "a bearer token is needed")
                    .refusal();
        }
    }

    /** Takes as long whatever is wrong. */
    private static boolean same(String said, String token) {
        return MessageDigest.isEqual(said.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean ours(String origin, String host) {
        try {
            return host.equals(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isThisHost(String host) {
        String name = host.replaceFirst(":\\d+$", "");
        return List.of("localhost", "[::1]", "::1").contains(name) || name.matches("127(\\.\\d{1,3}){3}");
    }

    static Optional<String> header(HttpRequest request, String name) {
        return request.getHeader(name).map(HttpHeader::value);
    }
}
