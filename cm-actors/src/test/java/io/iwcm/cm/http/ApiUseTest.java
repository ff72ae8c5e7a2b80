package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.iwcm.cm.proto.StateName;
import java.net.http.HttpResponse;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node as somebody outside its process uses it. */
class ApiUseTest {

    private final ApiNode node = ApiNode.start();

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void showsWhatThereIs() {
        assertThat(node.json("/node").get("name").textValue()).isEqualTo("lab");
        assertThat(node.json("/links").get(0).get("addresses").findValuesAsText("address"))
                .containsExactlyInAnyOrder("10.0.0.1", "fd00::1");
        assertThat(node.json("/listeners")).isEmpty();
        assertThat(node.json("/neighbours")).isEmpty();
        assertThat(node.json("/steering").get("entries")).isEmpty();
        assertThat(node.json("/counters")).hasSizeGreaterThan(50);
        assertThat(node.json("/config").get(0).get("value").textValue()).isEqualTo("4");
        assertThat(node.get("/openapi.yaml").body()).startsWith("openapi: 3");
        HttpResponse<String> scrape = node.send(node.plain("/metrics"));
        assertThat(scrape.body()).isEqualTo("iwcm_lab 1\n");
        assertThat(scrape.headers().firstValue("Content-Type").orElseThrow()).contains("version=0.0.4");
    }

    @Test
    void letsAnApplicationOutsideAnswerAndEndAConnection() {
        JsonNode listener = ApiNode.json(node.post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":4420}"), 201);
        assertThat(listener.get("answer").textValue()).isEqualTo("ask");
        assertThat(listener.get("leaseLeft").doubleValue()).isBetween(0.0, 30.0);

        String active = ApiNode.json(
                        node.post(
                                "/connections",
                                "{\"remote\":{\"address\":\"10.0.0.1\",\"port\":4420},\"privateData\":\"aGk=\"}"),
                        201)
                .get("id")
                .textValue();
        String passive = node.request();
        JsonNode asked = node.json("/connections/" + passive);
        assertThat(asked.get("privateData").textValue()).isEqualTo("aGk=");
        assertThat(asked.get("listener").longValue())
                .isEqualTo(listener.get("id").longValue());
        assertThat(node.post("/connections/" + passive + "/accept", "{}").statusCode())
                .isEqualTo(200);
        assertThat(node.post("/connections/" + passive + "/accept", "{}").statusCode())
                .isEqualTo(200); // A repeated accept comes to what the first one came to.
        assertThat(node.post("/connections/" + active + "/disconnect").statusCode())
                .isEqualTo(204);
        await("it is over", () -> node.watch.live().findAny().isEmpty());

        node.awaitState(passive, StateName.CLOSED);
        assertThat(node.json("/connections/" + passive).get("history")).isNotEmpty();
        assertThat(node.json("/connections?ended=only&limit=1").has("next")).isTrue();
        assertThat(node.delete("/listeners/" + listener.get("id")).statusCode()).isEqualTo(204);
        assertThat(node.get("/listeners/" + listener.get("id")).statusCode()).isEqualTo(404);
        node.station.awaitNothingHeld();
    }

    @Test
    void aConnectThatIsWaitedForIsAnsweredWhenItStands() {
        node.listen(4420, "\"answer\":\"accept\"");

        JsonNode made = ApiNode.json(node.post("/connections?wait=true", ApiNode.to(4420)), 201);

        assertThat(made.get("state").textValue()).isEqualTo("OFFLOADED");
        assertThat(made.get("depths").get("ird").intValue()).isPositive();
    }

    @Test
    void connectionsAreFoundByStateRoleAddressAndPort() {
        node.listen(4420, "");
        node.listen(4421, "\"answer\":\"accept\"");
        ApiNode.json(node.post("/connections?wait=true", ApiNode.to(4421)), 201);
        node.connect(4420);
        String waits = node.request();

        assertThat(found("state=MPAREQ_RCVD")).containsExactly(waits);
        assertThat(found("state=MPAREQ_RCVD&state=MPAREQ_SENT")).hasSize(2);
        assertThat(found("role=passive&port=4420")).containsExactly(waits);
        assertThat(found("address=10.0.0.1:4420&role=passive")).containsExactly(waits);
        assertThat(found("address=10.0.0.1")).hasSize(4);
        assertThat(found("address=10.0.0.2")).isEmpty();
        assertThat(found("address=fd00::1")).isEmpty();
        assertThat(found("port=4421")).hasSize(2);
        assertThat(found("ended=only")).isEmpty();
    }

    private Set<String> found(String query) {
        return new LinkedHashSet<>(
                node.json("/connections?" + query).get("connections").findValuesAsText("id"));
    }

    @Test
    void pagesTogetherHaveEveryConnectionOnceAndTheNewestFirst() {
        node.listen(4420, "\"answer\":\"accept\"");
        for (int i = 0; i < 4; i++) ApiNode.json(node.post("/connections?wait=true", ApiNode.to(4420)), 201);

        Set<String> whole = found("limit=100");
        Set<String> paged = new LinkedHashSet<>();
        String next = "";
        int pages = 0;
        do {
            JsonNode page = node.json("/connections?limit=3" + (next.isEmpty() ? "" : "&after=" + next));
            page.get("connections")
                    .findValuesAsText("id")
                    .forEach(id -> assertThat(paged.add(id)).isTrue());
            next = page.path("next").asText();
            pages++;
        } while (!next.isEmpty());

        assertThat(pages).isEqualTo(3);
        assertThat(paged).hasSize(8).containsExactlyElementsOf(whole);
        assertThat(node.json("/steering?limit=5").get("next").textValue()).isEqualTo("5");
        assertThat(node.json("/steering?limit=100&after=5").get("entries")).hasSize(4);
    }
}
