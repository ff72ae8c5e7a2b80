package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much one may ask for at a time. */
@Timeout(120)
class HttpLimitsTest {

    private static final int BODY = 1024;
    private static final int PAGE = 2;

    private final ApiNode node = ApiNode.start(
            ApiNode.with(new HttpSettings.Limits(BODY, PAGE, 1, 16, HttpSettings.Limits.DEFAULT.histories())));

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void aBodyMayBeAsLongAsTheLimitAndNotLonger() {
        String fits = padded(BODY);

        assertThat(node.post("/listeners", fits).statusCode()).isEqualTo(201);
        ApiNode.problem(node.post("/listeners", fits + " "), 413, "at most 1024 octets are allowed");
        ApiNode.problem(node.post("/listeners", padded(10_000_000)), 413, "at most 1024 octets are allowed");
        assertThat(node.json("/listeners")).hasSize(1);
    }

    @Test
    void aBodyThatDoesNotSayItsLengthIsLimitedToo() {
        for (int length : new int[] {BODY + 1, 100_000}) {
            byte[] body = padded(length).getBytes(java.nio.charset.StandardCharsets.UTF_8);

            var response = node.send(node.request("/listeners")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

            ApiNode.problem(response, 413, "at most 1024 octets are allowed");
        }
    }

    private static String padded(int length) {
        String body = "{\"address\":\"10.0.0.1\",\"port\":4420}";
        return body + " ".repeat(length - body.length());
    }

    @Test
    void aPageHasNoMoreThanTheLimitWhateverIsAskedFor() {
        for (int port = 1; port <= PAGE + 1; port++) node.listen(port, "");

        assertThat(node.json("/steering").get("entries")).hasSize(PAGE);
        assertThat(node.json("/steering?limit=1").get("entries")).hasSize(1);
        ApiNode.problem(node.get("/steering?limit=3"), 400, "1..2 is allowed");
        ApiNode.problem(node.get("/connections?limit=3"), 400, "1..2 is allowed");
    }

    @Test
    void bodiesMayNotBeNestedWithoutEnd() {
        ApiNode.problem(node.post("/listeners", "[".repeat(500)), 400, "the body is not JSON");
    }
}
