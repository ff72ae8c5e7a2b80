package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What the page shows, and what can be done with it. */
final class WebPageTest extends PageScene {

    @Test
    void showsWhatTheNodeSays() throws IOException {
        open();

        assertThat(tab.value("document.title").asText()).isEqualTo("iwcm target-1");
        assertThat(tab.text("#node-facts")).isEqualTo("version 0.1.0, up 1 d 2 h, ready");
        assertThat(tab.texts("#connections-table tbody button")).containsExactly("3.17", "3.16", "2.9", "1.4", "1.3");
        assertThat(tab.texts(".chip")).containsExactly("SYN_RCVD 1", "MPAREQ_RCVD 1", "OFFLOADED 3", "TIME_WAIT 1");
        assertThat(tab.text("#listeners-table")).contains("64 of 64, full", "110 of 128", "10.9.7.2 (by 0.0.0.0)");
        assertThat(tab.text("#links-table")).contains("tap0", "fd00:9::2/64", "10.9.7.2/24 on VLAN 7", "down");
        assertThat(tab.text("#members-table")).contains("pekko://iwcm@10.9.0.2:7355 (this node)", "joining");
        assertThat(tab.text("#actors-table")).contains("dispatcher", "41 µs / 1.2 ms / 18.0 ms");
        assertThat(tab.text("#status")).isEqualTo("Up to date.");
        tab.picture("wide");
        tab.run("document.querySelector('#listeners').scrollIntoView({ behavior: 'instant' })")
                .picture("wide-lower");
        assertQuiet();
    }

    @Test
    void showsDropsThatHappenedTheMostFrequentFirst() {
        open();

        assertThat(tab.texts("#drops-table tbody td:first-child")).containsExactly("no-steering", "tcp-bad-checksum");
        assertThat(tab.text("#drops-table")).contains("12,345", "no quad hash entry wants it");
    }

    @Test
    void showsRatesOfWhatIsCounted() throws IOException {
        open();
        tab.run("document.querySelector('#interval').value = '1';"
                + " document.querySelector('#interval').dispatchEvent(new Event('change'))");
        tab.until("document.querySelector('#rate-frames').innerText === '0'");

        StubScene.passed(node, 61_000, 160, 7);
        tab.until("parseFloat(document.querySelector('#rate-frames').innerText.replace(',', '')) > 1000");

        tab.until("document.querySelector('#rate-frames').innerText === '0'");
        tab.picture("rates");
        assertThat(tab.text("#rate-errors")).isEqualTo("0");
        assertThat(tab.value("document.querySelector('.spark .line').getAttribute('d')")
                        .asText())
                .startsWith("M");
    }

    @Test
    void hidesActorsWhereTheNodeHasNone() {
        node.answer("actors", "[]");

        open();

        tab.until("document.querySelector('#actors').hidden");
        assertThat(tab.texts("nav a:not([hidden])")).doesNotContain("Actors").contains("Events");
    }

    @Test
    void findsConnectionsByAddressPortIdAndWord() {
        open();

        search("10.9.0.8");
        untilFound("1.4");
        assertThat(node.requests()).anyMatch(asked -> asked.contains("address=10.9.0.8"));
        search("10.9.0");
        untilFound("3.17,3.16,1.4");
        search("50001");
        untilFound("2.9");
        search("[fd00:9::1]:4420");
        untilFound("2.9");
        search("1.3");
        untilFound("1.3");
        search("mpareq");
        untilFound("1.4");
        assertThat(tab.text("#found")).isEqualTo("1 connection.");
        search("nothing like it");
        tab.untilShown("#connections-table", "There is none.");
        assertQuiet();
    }

    @Test
    void filtersByStateRoleAndEnd() {
        open();

        tab.click(".chip[data-state=OFFLOADED]");
        untilFound("3.17,3.16,2.9");
        select("role", "active");
        untilFound("2.9");
        tab.click(".chip[data-state=OFFLOADED]");
        select("ended", "only");
        untilFound("1.2");
        assertThat(tab.text("#connections-table tbody")).contains("CLOSED peer reset");
    }

    @Test
    void showsMoreConnectionsWhenAsked() {
        for (int i = 0; i < 130; i++)
            node.connection(
                    StubScene.connection("9." + i, "active", "OFFLOADED", "10.9.0.2", 1024 + i, "10.9.0.1", 4420, ""));
        open();
        assertThat(tab.text("#found")).isEqualTo("100 connections; there are more.");

        tab.click("#more");

        tab.untilShown("#found", "135 connections.");
        assertThat(tab.value("document.querySelector('#more').hidden").asBoolean())
                .isTrue();
    }

    @Test
    void drawsTheHandshakeOfOneConnection() throws IOException {
        open();
        tab.click("button[data-connection='3.17']");

        tab.until("document.querySelector('#sequence svg')");
        assertThat(tab.value("location.hash").asText()).isEqualTo("#connection/3.17");
        assertThat(tab.text("#detail-facts")).contains("10.9.0.1:50457", "IRD 16, ORD 8", "OFFLOADED");
        String drawn =
                tab.value("document.querySelector('#sequence').textContent").asText();
        assertThat(drawn)
                .contains("SYN seq 0 win 65535", "MPA reply rev 2", "INITED → SYN_RCVD", "ESTABLISHED ird 16 ord 8")
                .contains("2.2 s pass", "31.30 ms", "2 earlier lines are no longer kept");
        assertThat(tab.value("document.querySelectorAll('#sequence .head').length")
                        .asInt())
                .isEqualTo(7);
        assertThat(drawn).contains("Sequence diagram of 16 lines between this node, 10.9.0.2:4420, and its peer");
        tab.picture("drill-down");
        assertQuiet();
    }

    @Test
    void drawsArrowsInTheirDirection() {
        open();
        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')");

        // The first frame was received, the second sent: heads at our lifeline, then at the peer's.
        JsonNode tips = tab.value("[...document.querySelectorAll('#sequence .head')].slice(0, 2)"
                + ".map(head => Number(/M([\\d.]+)/.exec(head.getAttribute('d'))[1]))");
        JsonNode lifelines = tab.value(
                "[...document.querySelectorAll('#sequence .life')]" + ".map(life => Number(life.getAttribute('x1')))");
        assertThat(tips).isEqualTo(lifelines);
    }

    @Test
    void saysTheDiagramAsATableToo() {
        open();
        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')");

        tab.click("#sequence-text summary");

        assertThat(tab.texts("#sequence-table tbody tr"))
                .hasSize(16)
                .element(1)
                .asString()
                .contains("half open");
        assertThat(tab.text("#sequence-table caption")).isEqualTo("What happened, line by line");
    }

    @Test
    void showsPrivateDataOfThePeerAsTextOnly() {
        open();
        node.tell(1, """
            {"type": "CONNECT_REQUEST", "at": "2026-01-02T03:04:06Z", "privateData": "%s"}\
            """.formatted(StubScene.base64(StubScene.SCRIPT)));
        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')");
        tab.until("document.querySelector('#events-list li')");

        assertThat(tab.text("[data-fact=\"Peer's private data\"]")).isEqualTo('"' + StubScene.SCRIPT + '"');
        assertThat(tab.value("document.querySelector('#events-list').textContent")
                        .asText())
                .contains(StubScene.SCRIPT);
        assertThat(tab.value("document.querySelector('#sequence svg').textContent")
                        .asText())
                .contains("<script>");
        assertThat(tab.value("typeof window.owned").asText()).isEqualTo("undefined");
        assertThat(tab.value("document.querySelectorAll('body script, img').length")
                        .asInt())
                .isZero();
        assertQuiet();
    }

    @Test
    void forbidsScriptsThatAreNotItsOwn() {
        open();

        tab.run("const script = document.createElement('script'); script.textContent = 'window.owned = 1';"
                + " document.body.append(script)");

        assertThat(tab.value("typeof window.owned").asText()).isEqualTo("undefined");
        tab.until("true");
        assertThat(tab.complaints()).anyMatch(said -> said.startsWith("CSP: script-src"));
    }

    @Test
    void showsEventsAsTheyCome() {
        open();
        tab.untilShown("#events-state", "Shown as they come.");

        node.tell(1, """
            {"type": "ESTABLISHED", "at": "2026-01-02T03:04:06Z", "depths": {"ird": 16, "ord": 8}, "connection": %s}\
            """.formatted(
                        StubScene.connection("3.16", "passive", "OFFLOADED", "10.9.0.2", 4420, "10.9.0.1", 50458, "")));
        node.tell(2, "{\"type\": \"gap\", \"at\": \"2026-01-02T03:04:07Z\", \"missed\": 12}");

        tab.until("document.querySelectorAll('#events-list li').length === 2");
        assertThat(tab.texts("#events-list li").getFirst()).contains("12 events were missed");
        tab.click("#events-list a");
        tab.untilShown("#detail-title", "Connection 3.16");
    }

    @Test
    void asksNothingWhileNobodyLooks() {
        open();
        tab.untilShown("#events-state", "Shown as they come.");

        hide(true);
        tab.untilShown("#status", "Paused while this tab is hidden.");
        int asked = node.requests().size();
        // Longer than the shortest interval between rounds.
        tab.until("performance.now() > (window.hiddenAt ??= performance.now()) + 2500");
        assertThat(node.requests()).hasSize(asked);

        hide(false);
        tab.untilShown("#status", "Up to date.");
        assertThat(node.requests()).hasSizeGreaterThan(asked);
    }

    @Test
    void saysWhenTheNodeIsGoneAndGoesOnWhenItIsBack() throws IOException {
        open();
        int port = node.port();
        node.close();
        tab.untilShown("#problem", "No answer from 127.0.0.1:" + port);
        assertThat(tab.text("#problem-title")).isEqualTo("The node cannot be reached");
        assertThat(tab.text("#status")).isEqualTo("What is shown is old. Asking again.");

        node = StubScene.fill(StubNode.start(port));

        tab.untilShown("#status", "Up to date.");
        tab.until("document.querySelector('#problem').hidden");
    }

    @Test
    void asksForATokenAndKeepsItForThisTab() throws IOException {
        node.guardedBy("open sesame");
        tab.open(node.url());
        tab.untilShown("#problem-title", "The node wants a token");
        assertThat(tab.text("#problem-text")).isEqualTo("Unauthorized: A bearer token is needed.");
        assertThat(tab.value("document.activeElement.id").asText()).isEqualTo("token");
        tab.picture("token");

        tab.type("wrong").press("Enter");
        tab.untilShown("#problem-text", "The token was not taken.");
        tab.run("document.querySelector('#token').focus()").type("open sesame").press("Enter");

        tab.untilShown("#status", "Up to date.");
        tab.untilShown("#events-state", "Shown as they come.");
        assertThat(tab.value("localStorage.length + document.cookie.length").asInt())
                .isZero();
        tab.open(node.url()).untilShown("#status", "Up to date.");
    }
}
