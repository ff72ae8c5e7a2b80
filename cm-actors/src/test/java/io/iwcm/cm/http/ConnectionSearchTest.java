package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.metrics.CmMetrics;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RequiresChromium;
import io.iwcm.nic.wire.Octets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Finding connections on a node that gives away two at a time, and how its actors are doing. */
class ConnectionSearchTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpSettings SMALL_PAGES = new HttpSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            Optional.empty(),
            new HttpSettings.Limits(65_536, 2, 64, 4096, HttpSettings.Limits.DEFAULT.histories()),
            HttpSettings.Timeouts.DEFAULT);

    private final Lab lab = new Lab();
    private final CmMetrics metrics = new CmMetrics(CmMetrics.Options.DEFAULT);
    private final Watch watch = new Watch(SMALL_PAGES.limits());
    private final Lab.Station node = lab.station(metrics.observing(watch), "10.0.0.1/24");
    private final HttpServer server = HttpServer.start(
            new Served(
                    "lab",
                    "1",
                    Served.Settings.fixed(List.of()),
                    node.cm(),
                    watch,
                    ConnectionHandler.NONE,
                    Optional.of(metrics::scrape),
                    metrics::actors),
            SMALL_PAGES);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void connectThreeTimesAndFailOnce() {
        Lab.Station peer = lab.station("10.0.0.2/24");
        within(node.cm()
                .listen(
                        ListenOptions.on(Flows.end("10.0.0.1:4420")).accepting(AcceptOptions.DEFAULT),
                        ConnectionHandler.NONE));
        for (String data : List.of("alpha", "beta", "gamma")) {
            within(peer.cm()
                    .connect(ConnectOptions.to(Flows.end("10.0.0.1:4420"))
                            .privateData(Octets.copyOf(data.getBytes(StandardCharsets.US_ASCII)))));
        }
        within(node.cm().connect(ConnectOptions.to(Flows.end("10.0.0.2:9"))));
        Lab.await(
                "three stand and one has failed",
                () -> watch.live().allMatch(seen -> seen.state() == StateName.OFFLOADED)
                        && watch.ended().size() == 1);
    }

    @AfterEach
    void end() {
        client.close();
        within(server.stop());
        lab.close();
        metrics.close();
    }

    @Test
    void findsConnectionsByAnyPartThatPeopleSeeOfThem() throws Exception {
        assertThat(found("text=BETA")).hasSize(1);
        assertThat(found("text=passive")).hasSize(2);
        assertThat(found("text=offload&role=active")).isEmpty();
        assertThat(found("text=10.0.0.2:")).hasSize(2);
        assertThat(found("text=refused+tcp&ended=true")).hasSize(1);
        assertThat(found("text=refused")).isEmpty();
        assertThat(found("text=nothing+like+it&ended=true")).isEmpty();
        String id = found("text=gamma").getFirst();
        assertThat(found("text=" + id)).contains(id);
    }

    @Test
    void goesOnWithTheSameSearchOnTheNextPage() throws Exception {
        JsonNode first = get("connections?text=passive");

        assertThat(first.get("connections")).hasSize(2);
        assertThat(get("connections?text=passive&after=" + first.get("next").textValue())
                        .get("connections"))
                .hasSize(1);
    }

    @Test
    void tellsHowActorsAreDoing() throws Exception {
        JsonNode buckets = get("actors").get(4);

        assertThat(buckets.get("kind").textValue()).isEqualTo("bucket");
        assertThat(buckets.get("live").intValue()).isEqualTo(4);
        assertThat(buckets.get("messages").intValue()).isPositive();
        assertThat(buckets.get("processing").get("samples").isInt()).isTrue();
        assertThat(buckets.get("inMailbox").get("p99").isNumber()).isTrue();
    }

    @Test
    @RequiresChromium
    @ExtendWith(TheBrowser.class)
    void showsMoreThanOnePageHolds(Chromium browser) {
        try (Tab tab = browser.tab().size(1280, 900)) {
            tab.open(server.uri().toString()).untilShown("#found", "3 connections.");

            tab.run("const field = document.querySelector('#search'); field.value = 'gamma';"
                    + " field.dispatchEvent(new Event('input'))");

            tab.untilShown("#found", "1 connection.").untilShown("#actors-table", "bucket");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    private List<String> found(String query) throws Exception {
        return get("connections?" + query).get("connections").findValuesAsText("id");
    }

    private JsonNode get(String path) throws Exception {
        var response = client.send(
                HttpRequest.newBuilder(server.uri().resolve(Route.BASE + "/" + path))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }
}
