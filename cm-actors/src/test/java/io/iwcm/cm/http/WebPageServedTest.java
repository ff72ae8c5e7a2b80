package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.testkit.RequiresChromium;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page as a node serves it. */
class WebPageServedTest {

    private static final String TARGET = "10.0.0.2";

    private final Lab lab = new Lab();
    private Lab.Station target;
    private HttpServer server;

    @BeforeEach
    void startNode() {
        start(Optional.empty());
    }

    @AfterEach
    void stopNode() throws Exception {
        server.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
        lab.close();
    }

    private void start(Optional<String> token) {
        HttpSettings settings = new HttpSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                token,
                Optional.empty(),
                HttpSettings.Limits.DEFAULT,
                HttpSettings.Timeouts.DEFAULT);
        Watch watch = new Watch(settings.limits());
        target = lab.station(watch, TARGET + "/24");
        server = HttpServer.start(
                new Served(
                        "lab", "test", List.of(), target.cm(), watch, WebPageServedTest::accepting, Optional.empty()),
                settings);
        server.ready();
    }

    @Test
    void sendsEachFileUnderAPolicyThatAllowsNothingFromElsewhere() throws Exception {
        for (String path : WebPage.load().files().keySet()) {
            HttpResponse<String> file = ask("GET", path);
            assertThat(file.statusCode()).as(path).isEqualTo(200);
            assertThat(file.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'; script-src 'self'");
            assertThat(file.headers().firstValue("Cache-Control")).hasValue("no-cache");
            assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
        assertThat(ask("GET", "/").headers().firstValue("Content-Type")).hasValue("text/html; charset=UTF-8");
    }

    @Test
    void sendsNoFileAgainThatIsKnown() throws Exception {
        String tag = ask("GET", "/page/main.js").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = ask("GET", "/page/main.js", "If-None-Match", "\"other\", W/" + tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("ETag")).hasValue(tag);
        assertThat(ask("GET", "/page/main.js", "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void hasNothingElseBesideThePage() throws Exception {
        assertThat(ask("GET", "/page/openapi.yaml").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/page/").statusCode()).isEqualTo(404);
        assertThat(ask("POST", "/").statusCode()).isGreaterThanOrEqualTo(400);
    }

    @Test
    @RequiresChromium
    @ExtendWith(TheBrowser.class)
    void showsAConnectionFromItsSynOn(Chromium browser) throws Exception {
        Lab.Station initiator = lab.station("10.0.0.1/24");
        Endpoint local = new Endpoint(IpAddress.parse(TARGET), 4420);
        server.know(target.cm()
                .listen(ListenOptions.on(local), WebPageServedTest::accepting)
                .toCompletableFuture()
                .join());
        try (Tab tab = browser.tab().size(1280, 900)) {
            tab.open(server.uri().toString()).untilShown("#events-state", "Shown as they come.");
            tab.untilShown("#listeners-table", TARGET);

            initiator
                    .cm()
                    .connect(
                            ConnectOptions.to(local)
                                    .privateData(Octets.copyOf(StubScene.SCRIPT.getBytes(StandardCharsets.US_ASCII))),
                            WebPageServedTest::accepting)
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);

            tab.untilShown("#connections-table", "OFFLOADED");
            tab.untilShown("#events-list", "ESTABLISHED");
            tab.click("#connections-table button");
            tab.until("document.querySelector('#sequence svg')");
            assertThat(tab.value("document.querySelector('#sequence').textContent")
                            .asText())
                    .contains("SYN seq 0", "MPA request rev 2", "MPA reply rev 2", "INITED → SYN_RCVD");
            assertThat(tab.text("[data-fact=\"Peer's private data\"]")).isEqualTo('"' + StubScene.SCRIPT + '"');
            assertThat(tab.value("typeof window.owned").asText()).isEqualTo("undefined");
            tab.picture("served-drill-down").press("Escape").picture("served");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    private HttpResponse<String> ask(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.uri().resolve(path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) request.headers(headers);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    /** Says yes to all. */
    private static void accepting(Connection connection, CmEvent event) {
        if (event instanceof CmEvent.ConnectRequest) connection.accept();
    }
}
