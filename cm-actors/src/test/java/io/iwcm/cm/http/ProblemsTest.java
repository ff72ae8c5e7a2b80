package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.iwcm.cm.proto.Cause;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is wrong with a request is told as a problem detail (RFC 9457), in one sentence that says what is allowed. */
class ProblemsTest {

    private final ApiNode node = ApiNode.start();

    @AfterEach
    void end() {
        node.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/nothing | 404 | there is nothing at /api/v1/nothing",
                "/node/ | 404 | there is nothing at /api/v1/node/",
                "/node?x=1 | 400 | query parameter x is not known here: none is",
                "/connections?stat=x | 400 | address, after, ended, limit, port, role, state, text is",
                "/connections?state=DREAMING | 400 | SYN_SENT",
                "/connections?role=lazy | 400 | active, passive are allowed",
                "/connections?port=0 | 400 | 1..65535 is allowed",
                "/connections?address=here | 400 | an address, or address:port, is allowed",
                "/connections?address=[fd00::1 | 400 | allowed",
                "/connections?ended=maybe | 400 | false, true, only are allowed",
                "/connections?limit=0 | 400 | 1..1000 is allowed",
                "/connections?limit=1001 | 400 | 1..1000 is allowed",
                "/connections?after=x | 400 | the \"next\" of the page before is allowed",
                "/steering?after=x | 400 | is allowed",
                "/connections/1.1 | 404 | there is no connection 1.1",
                "/connections/x | 400 | connection 'x' is not a name as 3.17",
                "/listeners/7 | 404 | there is no listener 7",
                "/listeners/x | 400 | listener 'x' is not a number",
                "/events?connection=x | 400 | connection 'x' is not a name",
                "/events?listener=x | 400 | is allowed",
            })
    void whatIsAskedWrongly(String path, int status, String detail) {
        ApiNode.problem(node.get(path.replace("[", "%5B")), status, detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ | 400 | the body is not JSON at line 1",
                "{} {} | 400 | the body is not JSON",
                "[] | 400 | the body is not a JSON object",
                "{\"port\":1,\"port\":1} | 400 | the body is not JSON",
                "{\"address\":\"10.0.0.1\"} | 400 | field \"port\" is missing",
                "{\"address\":\"10.0.0.1\",\"port\":70000} | 400 | field \"port\" is 70000: an integer 1..65535",
                "{\"address\":\"10.0.0.1\",\"port\":\"1\"} | 400 | an integer 1..65535 is allowed",
                "{\"address\":\"10.0.0.1\",\"port\":1,\"prot\":1} | 400 | field \"prot\" is not known here",
                "{\"address\":\"here\",\"port\":1} | 400 | an IPv4 or IPv6 address is allowed",
                "{\"address\":\"224.0.0.1\",\"port\":1} | 400 | a unicast or the unspecified address is allowed",
                "{\"address\":\"10.0.0.1\",\"port\":1,\"answer\":\"no\"} | 400 | ask or accept or reject is allowed",
                "{\"address\":\"10.0.0.1\",\"port\":1,\"lease\":0.5} | 400 | a number 1.0..3600.0 is allowed",
                "{\"address\":\"10.0.0.1\",\"port\":1,\"v6Only\":1} | 400 | true or false is allowed",
                "{\"address\":\"10.0.0.1\",\"port\":1,\"ird\":1} | 400 | field \"ord\" is missing",
                "{\"address\":\"10.0.0.1\",\"port\":1,\"privateData\":\"?\"} | 400 | base64 of at most 508 octets",
                "{\"address\":\"10.0.0.9\",\"port\":1} | 409 | cannot listen on 10.0.0.9:1: address not available",
            })
    void whatIsSaidWronglyInABody(String body, int status, String detail) {
        ApiNode.problem(node.post("/listeners", body), status, detail);
    }

    @Test
    void theMethodIsNotPossible() {
        HttpResponse<String> response = node.delete("/listeners");

        ApiNode.problem(response, 405, "DELETE is not possible here: GET, POST is");
        assertThat(response.headers().firstValue("Allow")).contains("GET, POST");
    }

    @Test
    void theAnswerIsNotWantedInTheFormThatThereIs() {
        ApiNode.problem(node.send(node.request("/node").header("Accept", "text/html")), 406, "application/json");
        ApiNode.problem(
                node.send(node.request("/events").header("Accept", "application/json")), 406, "text/event-stream");
        ApiNode.problem(
                node.send(node.request("/openapi.yaml").header("Accept", "image/png")), 406, "application/yaml");
        assertThat(node.send(node.request("/node").header("Accept", "text/html, */*;q=0.1"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void theBodyHasAFormThatIsNotKnownOrIsWhereNoneIs() {
        ApiNode.problem(
                node.send(node.request("/listeners")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("x"))),
                415,
                "the body is text/plain");
        ApiNode.problem(node.send(node.request("/listeners").POST(BodyPublishers.noBody())), 400, "a body of");
        ApiNode.problem(node.post("/connections/1.1/abort", "{}"), 400, "no body is allowed here");
    }

    @Test
    void aConnectThatFailsSaysWhyInTheWordsOfTheConnectionManager() {
        JsonNode refused =
                ApiNode.problem(node.post("/connections?wait=true", ApiNode.to(9)), 502, "connection refused");
        assertThat(refused.get("type").textValue()).isEqualTo("urn:iwcm:cause:refused_tcp");
        assertThat(refused.get("cause").textValue()).isEqualTo("REFUSED_TCP");
        assertThat(refused.get("errno").intValue()).isEqualTo(111);

        node.listen(4420, "\"answer\":\"reject\"");
        assertThat(ApiNode.problem(node.post("/connections?wait=true", ApiNode.to(4420)), 502, "rejected")
                        .get("cause")
                        .textValue())
                .isEqualTo("REJECTED_ULP");
    }

    @ParameterizedTest
    @EnumSource(value = Cause.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyCauseHasAProblemOfItsOwn(Cause cause) {
        Problem problem = Problem.of(cause, "it was not done");

        assertThat(problem.status().intValue()).isBetween(409, 504).isNotEqualTo(500);
        assertThat(problem.detail()).isEqualTo("it was not done: " + cause.phrase());
        node.contract.judge(
                "POST",
                "/api/v1/connections",
                problem.status().intValue(),
                java.util.Optional.of("application/problem+json"),
                problem.json("/api/v1/connections").toString());
    }

    /** What no client library sends: the server's parser refuses it before there is a request. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BREW /api/v1/node HTTP/1.1 | 501",
                "GET /api/v1/node HTTP/9.9 | 505",
                "GET /api/v1/%zz HTTP/1.1 | 400",
                "GET /api/v1/nodeLONG HTTP/1.1 | 414",
            })
    void evenWhatIsNoRequestIsAnsweredWithAProblem(String line, int status) throws IOException {
        String answer = raw(line.replace("LONG", "x".repeat(5000)) + "\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status).contains("Content-Type: application/problem+json");
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        node.contract.judge("GET", "/nowhere", status, java.util.Optional.of("application/problem+json"), body);
    }

    private String raw(String request) throws IOException {
        URI uri = node.server.uri();
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
