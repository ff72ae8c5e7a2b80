package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.RequiresChromium;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page in a browser, before a node that answers by the contract. */
@RequiresChromium
@ExtendWith(TheBrowser.class)
abstract class PageScene {

    StubNode node;
    Tab tab;

    @BeforeEach
    void startNode(Chromium browser) throws IOException {
        node = StubScene.fill(StubNode.start());
        tab = browser.tab().size(1280, 900);
    }

    @AfterEach
    void stopNode() {
        tab.close();
        node.close();
    }

    void open() {
        tab.open(node.url()).untilShown("#status", "Up to date.");
    }

    void search(String text) {
        tab.run("const field = document.querySelector('#search'); field.value = " + Tab.quoted(text)
                + "; field.dispatchEvent(new Event('input'))");
    }

    void select(String id, String value) {
        tab.run("const field = document.querySelector('#" + id + "'); field.value = " + Tab.quoted(value)
                + "; field.dispatchEvent(new Event('change'))");
    }

    void untilFound(String ids) {
        tab.until("[...document.querySelectorAll('#connections-table tbody button')].map(one => one.innerText).join()"
                + " === "
                + Tab.quoted(ids));
    }

    void hide(boolean hidden) {
        tab.run("Object.defineProperty(document, 'hidden', { value: " + hidden + ", configurable: true });"
                + " document.dispatchEvent(new Event('visibilitychange'))");
    }

    String focused() {
        return tab.value("document.activeElement.innerText").asText();
    }

    double brightness() {
        return tab.value("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3)"
                        + ".map(Number).reduce((sum, one) => sum + one, 0) / 3")
                .asDouble();
    }

    /** Presses Tab until what is asked for has the focus, as somebody without a mouse does. */
    void tabTo(String selector) {
        for (int presses = 0; presses < 60; presses++) {
            if (tab.value("document.activeElement.matches(" + Tab.quoted(selector) + ")")
                    .asBoolean()) return;
            tab.press("Tab");
        }
        throw new AssertionError("Tab does not lead to " + selector);
    }

    /** Text and edges too pale for their ground (WCAG 2.2, 1.4.3 and 1.4.11), with their contrast. */
    List<String> tooPale() throws IOException {
        try (var script = PageScene.class.getResourceAsStream("contrast.js")) {
            return tab.value(new String(script.readAllBytes(), StandardCharsets.UTF_8))
                    .valueStream()
                    .map(said -> said.asText())
                    .toList();
        }
    }

    void assertNoSidewaysScroll() {
        assertThat(tab.value("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth")
                        .asInt())
                .isLessThanOrEqualTo(0);
        assertThat(tab.value("document.querySelector('#detail').scrollWidth -"
                                + " document.querySelector('#detail').clientWidth")
                        .asInt())
                .isZero();
    }

    void assertInsideTheDiagram() {
        assertThat(tab.value("(() => { const svg = document.querySelector('#sequence svg'); const out ="
            + " svg.getBoundingClientRect(); return [...svg.querySelectorAll('text')].filter(one => { const box ="
            + " one.getBoundingClientRect(); return box.left < out.left - 0.5 || box.right > out.right + 0.5;"
            + " }).map(one => one.textContent); })()"))
                .isEmpty();
    }

    void assertQuiet() {
        assertThat(tab.complaints()).isEmpty();
    }
}
