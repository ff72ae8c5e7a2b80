package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask a node. */
class GuardTest {

    @Test
    void nothingButTheTokenOpensTheDoorAndTheHealthNeedsNone() {
        try (ApiNode node = ApiNode.start(ApiNode.withToken())) {
            HttpResponse<String> without = node.send(node.plain("/api/v1/node"));

            ApiNode.problem(without, 401, "a bearer token is needed");
            assertThat(without.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"iwcm\"");
            assertThat(node.get("/node").statusCode()).isEqualTo(200);
            ApiNode.problem(node.send(node.plain("/metrics")), 401, "token");
            ApiNode.problem(node.send(node.plain("/api/v1/nothing")), 401, "token"); // Not even what there is.
            assertThat(node.send(node.plain("/health/live")).statusCode()).isEqualTo(200);
            assertThat(node.send(node.plain("/health/ready")).statusCode()).isEqualTo(503);
            node.server.ready();
            assertThat(node.send(node.plain("/health/ready")).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer wrong",
                "Bearer 0123456789abcdeF",
                "Bearer 0123456789abcde",
                "Bearer 0123456789abcdef0",
                "Bearer ",
                "Bearer",
                "0123456789abcdef",
                "Basic 0123456789abcdef"
            })
    void whatIsNotQuiteTheTokenIsRefused(String authorization) {
        Guard guard = new Guard(Optional.of(ApiNode.TOKEN), true);

        assertThat(refusal(guard, "Authorization", authorization)).hasValueSatisfying(problem -> {
            assertThat(problem.status().intValue()).isEqualTo(401);
            assertThat(problem.detail()).isEqualTo("the bearer token is not the right one");
        });
    }

    @Test
    void theSchemeIsNotCaseSensitive() { // RFC 9110 §11.1
        Guard guard = new Guard(Optional.of(ApiNode.TOKEN), true);

        assertThat(refusal(guard, "Authorization", "bearer " + ApiNode.TOKEN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://evil.example, 127.0.0.1:8080, false",
        "http://127.0.0.1:9090, 127.0.0.1:8080, false",
        "null, 127.0.0.1:8080, false",
        "%%%, 127.0.0.1:8080, false",
        "http://127.0.0.1:8080, 127.0.0.1:8080, true",
        "https://node.example, node.example, false",
    })
    void pagesOfOthersMayNotAsk(String origin, String host, boolean may) {
        Guard guard = new Guard(Optional.empty(), true);

        assertThat(refusal(guard, "Origin", origin, "Host", host).isEmpty()).isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "localhost:8080, true",
        "127.0.0.1:8080, true",
        "127.8.8.8, true",
        "[::1]:8080, true",
        "evil.example, false",
        "127.0.0.1.evil.example, false",
        "10.0.0.1:8080, false",
    })
    void withoutATokenTheHostHasToBeThisOne(
            String host, boolean may) { // Names of others that lead here: DNS rebinding.
        assertThat(refusal(new Guard(Optional.empty(), true), "Host", host).isEmpty())
                .isEqualTo(may);
        assertThat(refusal(
                        new Guard(Optional.of(ApiNode.TOKEN), true),
                        "Host",
                        host,
                        "Authorization",
                        "Bearer " + ApiNode.TOKEN))
                .isEmpty();
    }

    @Test
    void theOriginIsLookedAtByTheServerToo() {
        try (ApiNode node = ApiNode.start()) {
            ApiNode.problem(
                    node.send(node.request("/node").header("Origin", "http://evil.example")), 403, "evil.example");
        }
    }

    private static Optional<Problem> refusal(Guard guard, String... headers) {
        var request = org.apache.pekko.http.javadsl.model.HttpRequest.GET("http://localhost/api/v1/node");
        for (int i = 0; i < headers.length; i += 2) {
            request = request.addHeader(
                    org.apache.pekko.http.javadsl.model.headers.RawHeader.create(headers[i], headers[i + 1]));
        }
        try {
            guard.check(request);
            return Optional.empty();
        } catch (Refusal e) {
            return Optional.of(e.problem());
        }
    }
}
