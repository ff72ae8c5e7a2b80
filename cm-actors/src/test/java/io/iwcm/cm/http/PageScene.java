package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.RequiresChromium;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser, before a node that answers by the contract. */
@RequiresChromium
abstract class PageScene {

    private static Chromium browser;

    StubNode node;
    Tab tab;

    @BeforeAll
    static void startBrowser(@TempDir Path home) throws IOException {
        browser = Chromium.start(home);
    }

    @AfterAll
    static void stopBrowser() {
        browser.close();
    }

    @BeforeEach
    void startNode() throws IOException {
        node = StubScene.fill(StubNode.start());
        tab = browser.tab().size(1280, 900);
    }

    @AfterEach
    void stopNode() {
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

    void assertNoSidewaysScroll() {
        assertThat(tab.value("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
                        .asInt())
                .isEqualTo(360);
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
