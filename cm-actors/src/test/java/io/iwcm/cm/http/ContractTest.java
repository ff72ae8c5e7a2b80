package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.Role;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.trace.HistoryText;
import io.iwcm.nic.rnic.SteeringRow;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is served and what openapi.yaml says is the same. */
@Timeout(120)
class ContractTest {

    private final ApiNode node = ApiNode.start();
    private final Contract contract = node.contract;

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void hasEveryPathOfItsContractAndNoOther() {
        assertThat(node.server.routes())
                .extracting(route -> route.method().value() + " " + route.path())
                .containsExactlyInAnyOrderElementsOf(contract.operations().stream()
                        .map(Contract.Operation::name)
                        .toList());
    }

    @Test
    void everyRouteTakesTheQueryParametersAndTheBodyThatItsContractSays() {
        for (Contract.Operation operation : contract.operations()) {
            Route route = route(operation);
            assertThat(route.query()).as(operation.name()).isEqualTo(contract.parameters(operation, "query"));
            assertThat(route.body() != Route.Body.NONE)
                    .as(operation.name())
                    .isEqualTo(operation.said().containsKey("requestBody"));
        }
    }

    private Route route(Contract.Operation operation) {
        return node.server.routes().stream()
                .filter(route -> (route.method().value() + " " + route.path()).equals(operation.name()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void enumeratesWhatTheCodeEnumerates() {
        assertThat(contract.enumeration("Cause")).isEqualTo(names(Cause.class));
        assertThat(contract.enumeration("State")).isEqualTo(names(StateName.class));
        assertThat(contract.enumeration("Role")).containsExactlyInAnyOrderElementsOf(words(Role.class, '_'));
        assertThat(contract.enumeration("HistoryEntry", "kind"))
                .containsExactlyInAnyOrderElementsOf(words(HistoryText.Kind.class, '_'));
        assertThat(contract.enumeration("SteeringEntry", "kind"))
                .containsExactlyInAnyOrderElementsOf(words(SteeringRow.Kind.class, '-'));
        assertThat(contract.enumeration("Listener", "origin"))
                .containsExactlyInAnyOrderElementsOf(words(ListenerBook.Origin.class, '_'));
        assertThat(contract.enumeration("Counter", "group"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ApiNode.json(node.get("/counters"), 200)
                                .findValuesAsText("group")
                                .toArray())
                        .map(String::valueOf)
                        .collect(Collectors.toSet()));
    }

    private static List<String> names(Class<? extends Enum<?>> kind) {
        return Arrays.stream(kind.getEnumConstants()).map(Enum::name).toList();
    }

    private static List<String> words(Class<? extends Enum<?>> kind, char dash) {
        return names(kind).stream()
                .map(name -> name.toLowerCase(Locale.ROOT).replace('_', dash))
                .toList();
    }

    /** Each answer is judged where it comes in; this makes all of them come. */
    @Test
    void everyRouteAnswersAsItsContractSaysWhenAllIsWellAndWhenItIsNot() {
        for (String path : List.of("/node", "/config", "/counters", "/members", "/actors", "/links", "/openapi.yaml")) {
            assertThat(node.get(path).statusCode()).isEqualTo(200);
        }
        assertThat(ApiNode.json(node.post("/reload"), 200).get("restart").get(0).textValue())
                .isEqualTo("three");
        assertThat(node.send(node.plain("/metrics")).statusCode()).isEqualTo(200);
        assertThat(node.send(node.plain("/health/live")).statusCode()).isEqualTo(200);
        assertThat(node.send(node.plain("/health/ready")).statusCode()).isEqualTo(503);
        node.server.ready();
        assertThat(node.send(node.plain("/health/ready")).statusCode()).isEqualTo(200);

        long listener = node.listen(4420, "");
        node.json("/listeners");
        node.json("/listeners/" + listener);
        ApiNode.json(node.put("/listeners/" + listener + "/lease"), 200);
        String accepted = accept();
        String rejected = reject();
        String aborted = abort();
        node.json("/neighbours");
        node.json("/steering?limit=1");
        node.json("/connections?ended=true&limit=2");
        for (String ended : List.of(accepted, rejected, aborted)) node.awaitState(ended, StateName.CLOSED);
        try (EventReader events = EventReader.of(node, "/events", Optional.of("0-0"))) {
            node.delete("/listeners/" + listener);
            assertThat(events.until(one -> one.type().equals("LISTENER_DOWN")))
                    .extracting(EventReader.Event::type)
                    .contains("LISTENER_UP", "CONNECT_REQUEST", "CONNECT_REPLY", "ESTABLISHED", "DISCONNECT", "CLOSE");
        }
        everyRouteRefuses();

        for (Contract.Operation operation : contract.operations()) {
            assertThat(node.answered)
                    .as("answers of " + operation.name())
                    .anyMatch(answer -> answer.startsWith(operation.name() + " 2"))
                    .anyMatch(answer -> answer.matches("\\Q" + operation.name() + "\\E [45]\\d\\d"));
        }
    }

    private String accept() {
        node.connect(4420);
        String passive = node.request();
        ApiNode.json(node.post("/connections/" + passive + "/accept", "{\"ird\":4,\"ord\":4}"), 200);
        node.awaitState(passive, StateName.OFFLOADED);
        node.json("/connections/" + passive);
        assertThat(node.post("/connections/" + passive + "/disconnect").statusCode())
                .isEqualTo(204);
        return passive;
    }

    private String reject() {
        node.connect(4420);
        String passive = node.request();
        assertThat(node.post("/connections/" + passive + "/reject", "{\"privateData\":\"aGk=\"}")
                        .statusCode())
                .isEqualTo(204);
        return passive;
    }

    private String abort() {
        node.connect(4420);
        String passive = node.request();
        assertThat(node.post("/connections/" + passive + "/abort").statusCode()).isEqualTo(204);
        return passive;
    }

    private void everyRouteRefuses() {
        for (Contract.Operation operation : contract.operations()) {
            String path = operation.path().replace("{id}", operation.path().contains("connections") ? "9.9" : "99");
            HttpRequest.Builder request = node.plain(path + "?no-such-parameter=1");
            HttpResponse<String> response =
                    node.send(request.method(operation.method(), HttpRequest.BodyPublishers.noBody()));
            ApiNode.problem(response, 400, "no-such-parameter");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask", "accept", "reject"})
    void takesAListenerWithEveryFieldOfTheContract(String answer) {
        String body = "{\"address\":\"fd00::1\",\"port\":4420,\"vlan\":0,\"v6Only\":true,\"backlog\":2,"
                + "\"synBacklog\":3,\"trafficClass\":8,\"priority\":3,\"answer\":\"" + answer
                + "\",\"ird\":1,\"ord\":2,"
                + "\"privateData\":\"aGk=\",\"lease\":30}";

        HttpResponse<String> made = node.post("/listeners", body);

        assertThat(ApiNode.json(made, 201).get("answer").textValue()).isEqualTo(answer);
        contract.properties("ListenRequest").forEach(name -> assertThat(body).contains('"' + name + '"'));
        assertThat(node.json(made.headers().firstValue("Location").orElseThrow().substring(Route.BASE.length()))
                        .get("v6Only")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void takesAConnectAcceptAndRejectWithEveryFieldOfTheContract() {
        String connect = "{\"remote\":{\"address\":\"10.0.0.1\",\"port\":4420},\"local\":{\"address\":\"10.0.0.1\","
                + "\"port\":5000},\"vlan\":0,\"revision\":2,\"fallBack\":true,\"peerToPeer\":true,\"ird\":1,\"ord\":2,"
                + "\"privateData\":\"aGk=\",\"trafficClass\":8,\"priority\":3}";
        String accept = "{\"ird\":1,\"ord\":1,\"privateData\":\"aGk=\"}";
        node.listen(4420, "");

        assertThat(ApiNode.json(node.post("/connections", connect), 201)
                        .get("local")
                        .get("port")
                        .intValue())
                .isEqualTo(5000);
        ApiNode.json(node.post("/connections/" + node.request() + "/accept", accept), 200);
        contract.properties("ConnectRequest")
                .forEach(name -> assertThat(connect).contains('"' + name + '"'));
        contract.properties("AcceptRequest").forEach(name -> assertThat(accept).contains('"' + name + '"'));
        assertThat(contract.properties("RejectRequest")).containsExactly("privateData");
    }
}
