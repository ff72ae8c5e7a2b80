package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that ask a running node, against a stub that answers as the API is documented. */
class ClientCommandsTest {

    private static final String ONE =
            "{\"id\":\"3.17\",\"role\":\"passive\",\"state\":\"OFFLOADED\",\"local\":{\"address\":\"10.9.0.2\","
                    + "\"port\":4420},\"remote\":{\"address\":\"fd00::9\",\"port\":50000},\"vlan\":0,\"age\":187.4";

    @TempDir
    Path directory;

    private final NodeStub node;

    ClientCommandsTest() throws IOException {
        node = new NodeStub();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Cli run(String line) {
        return Cli.run(Stream.concat(Stream.of(line.split(" ")), Stream.of("--url", node.url()))
                .toArray(String[]::new));
    }

    private static void prints(Cli run, String... lines) {
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines()).containsExactly(lines);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void statusSaysWhatIsThere() {
        node.on("GET /node", """
            {"name":"iwcm","version":"0.1.0","started":"2026-01-01T00:00:00Z","uptime":3725,"ready":true,
             "connections":{"OFFLOADED":2,"SYN_RCVD":0,"MPAREQ_RCVD":1},"listeners":4}
            """);

        prints(
                run("status"),
                "iwcm 0.1.0 is ready, up 1h02m since 2026-01-01T00:00:00Z",
                "listeners    4",
                "connections  1 MPAREQ_RCVD, 2 OFFLOADED");
    }

    @Test
    void connectionsAreATableThatFollowsThePages() {
        node.on(
                        "GET /connections?state=OFFLOADED&port=4420&ended=true&limit=3",
                        "{\"connections\":[" + ONE + "}],\"next\":\"a b\"}")
                .on(
                        "GET /connections?state=OFFLOADED&port=4420&ended=true&limit=2&after=a+b",
                        "{\"connections\":[" + ONE.replace("3.17", "12.1") + ",\"cause\":\"PEER_RESET\"}]}");

        prints(
                run("connections --state OFFLOADED --port 4420 --ended --limit 3"),
                "ID    ROLE     STATE      LOCAL          REMOTE           VLAN    AGE  ENDED BY",
                "3.17  passive  OFFLOADED  10.9.0.2:4420  [fd00::9]:50000     0  3m07s",
                "12.1  passive  OFFLOADED  10.9.0.2:4420  [fd00::9]:50000     0  3m07s  PEER_RESET");
    }

    @Test
    void oneConnectionHasItsHistoryAsATimeLine() {
        node.on("GET /connections/3.17", ONE + """
            ,"depths":{"ird":8,"ord":4},"history":[{"at":0,"kind":"received","text":"SYN"},
            {"at":1.25,"kind":"state","text":"SYN_RCVD -> OFFLOADED"},{"at":1.5,"kind":"event","text":"CLOSE"}]}
            """);

        prints(
                run("connection 3.17"),
                "3.17 passive OFFLOADED",
                "local         10.9.0.2:4420",
                "remote        [fd00::9]:50000",
                "age           3m07s",
                "depths        ird 8 ord 4",
                "",
                "      0.000 ms  < SYN",
                "   1250.000 ms  = SYN_RCVD -> OFFLOADED",
                "   1500.000 ms  ! CLOSE");
    }

    @Test
    void countersFitAHundredColumnsAndCanLeaveOutZeros() {
        node.on("GET /counters", """
            [{"group":"cm","name":"accepts","value":12,"sentence":"%s"},
             {"group":"nic","name":"resets_sent","value":0,"sentence":"x"}]
            """.formatted("y".repeat(200)));

        Cli run = run("counters --nonzero");

        prints(run, "GROUP  COUNTER  VALUE  WHAT", "cm     accepts     12  " + "y".repeat(76) + "…");
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void jsonIsWhatTheNodeSaysOnOneLine() {
        node.on("GET /links", "[ {\"name\": \"tap:iwcm0\",\n \"mtu\": 1500, \"up\": true} ]");

        prints(run("links --json"), "[{\"name\":\"tap:iwcm0\",\"mtu\":1500,\"up\":true}]");
    }

    @Test
    void tablesOfTheNic() {
        node.on("GET /links", """
            [{"name":"tap:iwcm0","kind":"tap","mac":"02:00:00:00:00:01","mtu":1500,"up":true,
              "addresses":[{"address":"10.9.0.2","prefixLength":24,"vlan":0}],
              "framesReceived":7,"framesSent":12345,"drops":{"A":1,"B":2}}]
            """).on("GET /neighbours", "[]").on("GET /steering?limit=100", """
                {"entries":[{"kind":"syn","local":{"address":"10.9.0.2","port":4420},"vlan":0,"halfOpen":3}]}
                """);

        prints(
                run("links"),
                "LINK       KIND  MAC                 MTU  UP   RECEIVED   SENT  DROPPED",
                "tap:iwcm0  tap   02:00:00:00:00:01  1500  yes         7  12345        3",
                "",
                "LINK       ADDRESS      VLAN",
                "tap:iwcm0  10.9.0.2/24     0");
        prints(run("neighbours"), "no neighbours");
        prints(
                run("steering"),
                "KIND  LOCAL          REMOTE  VLAN  OWNER  EPOCH  HALF-OPEN  WAITING",
                "syn   10.9.0.2:4420             0                        3");
    }

    @Test
    void listenersComeAndGo() {
        String made = "{\"id\":5,\"address\":\"::\",\"port\":4420,\"answer\":\"ask\",\"origin\":\"api\",\"backlog\":8,"
                + "\"leaseLeft\":30,\"children\":[{\"halfOpen\":1,\"waiting\":2},{\"halfOpen\":3,\"waiting\":4}]}";
        node.on("POST /listeners", 201, "application/json", made)
                .on("GET /listeners", "[" + made + "]")
                .on("DELETE /listeners/5", 204, "application/json", "");

        prints(run("listeners add :: 4420 --answer ask --private-data hi"), "listener 5 on [::]:4420");
        prints(
                run("listeners list"),
                "ID  ENDPOINT   VLAN  ANSWER  ORIGIN  BACKLOG  HALF-OPEN  WAITING  LEASE",
                " 5  [::]:4420  any   ask     api           8          4        6    30s");
        prints(run("listeners remove 5"), "listener 5 is gone");
        assertThat(node.asked())
                .first()
                .isEqualTo("POST /listeners | - | - | {\"address\":\"::\",\"port\":4420,\"answer\":\"ask\","
                        + "\"privateData\":\"aGk=\"}");
    }

    @Test
    void ordersToConnections() throws IOException {
        node.on("POST /connections/3.17/accept", ONE + "}")
                .on("POST /connections/3.17/reject", 204, "application/json", "")
                .on("POST /connections/3.17/disconnect", 204, "application/json", "")
                .on("POST /connections/3.17/abort", 204, "application/json", "");
        Path token = Files.writeString(directory.resolve("token"), "sesame\n");

        prints(run("accept 3.17 --ird 4 --private-data hi --token-file " + token), "3.17 is accepted");
        prints(run("reject 3.17"), "3.17 is rejected");
        prints(run("disconnect 3.17"), "3.17 is on its way down");
        prints(run("abort 3.17"), "3.17 is ended");
        assertThat(node.asked())
                .first()
                .isEqualTo("POST /connections/3.17/accept | Bearer sesame | - | {\"ird\":4,\"privateData\":\"aGk=\"}");
    }

    @Test
    void eventsAreThoseThatAreKept() {
        String hello = "retry: 1000\nid: s-2\n\n";
        node.on("GET /events", 200, "text/event-stream", hello)
                .on("GET /events", 200, "text/event-stream", """
                    id: s-0

                    id: s-1
                    event: LISTENER_UP
                    data: {"type":"LISTENER_UP","at":"2026-01-01T00:00:00Z","listener":1}

                    id: s-2
                    event: CLOSE
                    data: {"type":"CLOSE","at":"2026-01-01T00:00:01Z","connection":%s},"cause":"PEER_RESET"}

                    id: s-3
                    event: LISTENER_DOWN
                    data: {"type":"LISTENER_DOWN","at":"2026-01-01T00:00:02Z","listener":1}

                    """.formatted(ONE));

        prints(
                run("events"),
                "2026-01-01T00:00:00Z        LISTENER_UP     listener 1",
                "2026-01-01T00:00:01Z        CLOSE           3.17 10.9.0.2:4420 [fd00::9]:50000 PEER_RESET");
        assertThat(node.asked()).containsExactly("GET /events | - | - |", "GET /events | - | 0-0 |");
    }

    @Test
    void watchingGoesOnUntilTheNodeSaysNo() {
        node.on("GET /neighbours", "[]")
                .on("GET /neighbours", "[]")
                .on("GET /neighbours", 503, "application/problem+json", "{\"detail\":\"the node is stopping\"}");

        Cli run = run("neighbours --watch 0.1");

        assertThat(run.out().lines()).containsExactly("no neighbours", "no neighbours");
        assertThat(run.err()).isEqualToIgnoringNewLines("iwcm: the node is stopping.");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "abort 9.9 | 1 | iwcm: there is no POST /connections/9.9/abort.",
                "abort nine | 2 | iwcm: 'nine' is not the id of a connection: two numbers are, such as 3.17.",
                "links --watch 0.01 | 2 | iwcm: --watch 0.01 is out of range: 0.1..3600 are allowed.",
                "connections --limit 0 | 2 | iwcm: --limit 0 is out of range: 1..1000000 are allowed.",
                "listeners lst | 2 | iwcm: Unknown command 'lst': list, add, renew or remove. See 'iwcm listeners"
                        + " --help'.",
                "counters --token-file no/such | 2 | iwcm: --token-file no/such cannot be read.",
                "events --follow | 1 | iwcm: there is no GET /events.",
            })
    void whatGoesWrongIsASentenceAndACode(String line, int code, String sentence) {
        Cli run = run(line);

        assertThat(run.err()).isEqualToIgnoringNewLines(sentence);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(code);
    }

    @Test
    void badRequestsUnknownTellersAndStrangersAreToldApart() {
        node.on("GET /node", 400, "application/problem+json", "{\"detail\":\"state is 'X'\"}")
                .on("GET /node", 401, "application/problem+json", "{\"detail\":\"a token is needed\"}")
                .on("GET /node", 200, "text/html", "<html>")
                .on("GET /node", 502, "text/html", "<html>");

        assertThat(run("status").exitCode()).isEqualTo(2);
        assertThat(run("status").err())
                .isEqualToIgnoringNewLines("iwcm: a token is needed; the token is said by --token-file or IWCM_TOKEN.");
        assertThat(run("status").err()).contains("is not an iwcm node");
        assertThat(run("status").err()).contains("answers with 502");
    }

    @Test
    void aNodeThatIsNotThereIsCodeThree() {
        String url = node.url();
        node.close();

        Cli run = Cli.run("status", "--url", url);

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err())
                .isEqualToIgnoringNewLines(
                        "iwcm: the node at " + url + " cannot be reached: nobody listens there, or the way is closed.");
    }

    @Test
    void completionsAreSourcedByBashAndOfferTheCommands() throws Exception {
        Cli run = Cli.run("completion", "bash");
        Path script = Files.writeString(directory.resolve("iwcm.bash"), run.out());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + " && COMP_WORDS=(iwcm ser) COMP_CWORD=1 && _complete_iwcm"
                                + " && echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes())).isEqualTo("serve\n");
        assertThat(bash.waitFor()).isZero();
        assertThat(Cli.run("completion", "zsh").out()).contains("bashcompinit");
        assertThat(Cli.run("completion", "fish").exitCode()).isEqualTo(2);
    }
}
