package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Phones, the dark, the keyboard and screen readers. */
final class WebPageAccessTest extends PageScene {

    @Test
    void staysReadableWithManyLinesAndOnAPhone() throws IOException {
        node.connection(StubScene.Histories.longOne("5.1", 200));
        tab.size(360, 740).open(node.url() + "#connection/5.1");

        tab.until("document.querySelectorAll('#sequence .head').length === 200");

        assertInsideTheDiagram();
        assertNoSidewaysScroll();
        tab.size(1280, 900).until("document.querySelector('#sequence svg').clientWidth > 700");
        assertInsideTheDiagram();
    }

    @Test
    void fitsAPhone() throws IOException {
        tab.size(360, 740);
        open();

        assertNoSidewaysScroll();
        tab.picture("phone");
        tab.run("document.querySelector('#connections-table').scrollIntoView({ behavior: 'instant' })")
                .picture("phone-table");
        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')");
        assertNoSidewaysScroll();
        assertInsideTheDiagram();
        tab.picture("phone-detail");
        tab.run("document.querySelector('#sequence-head').scrollIntoView()").picture("phone-diagram");
        assertQuiet();
    }

    @Test
    void isDarkForWhoWantsItDark() throws IOException {
        open();
        double light = brightness();
        tab.preferring("prefers-color-scheme", "dark");

        assertThat(light).isGreaterThan(200);
        assertThat(brightness()).isLessThan(60);
        tab.picture("dark");
        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')");
        tab.picture("dark-drill-down");
    }

    @Test
    void movesNothingForWhoWantsThat() {
        tab.preferring("prefers-reduced-motion", "reduce");
        open();

        assertThat(tab.value("getComputedStyle(document.querySelector('.fill')).transitionDuration")
                        .asText())
                .isEqualTo("0s");
        assertThat(tab.value("getComputedStyle(document.documentElement).scrollBehavior")
                        .asText())
                .isEqualTo("auto");
    }

    @Test
    void canBeUsedWithTheKeyboardAlone() {
        open();

        tab.press("Tab");
        assertThat(focused()).isEqualTo("Skip to the content");
        tab.press("Enter");
        tab.run("document.querySelector('#ended').focus()").press("Tab");
        assertThat(focused()).isEqualTo("3.17");
        assertThat(tab.value("getComputedStyle(document.activeElement).outlineStyle")
                        .asText())
                .isEqualTo("solid");
        tab.press("ArrowDown", "ArrowDown");
        assertThat(focused()).isEqualTo("2.9");
        tab.press("End");
        assertThat(focused()).isEqualTo("1.3");
        tab.press("Home", "Enter");
        tab.until("document.querySelector('#detail').open");
        tab.press("Escape");
        tab.until("!document.querySelector('#detail').open && location.hash === ''");
        tab.until("document.activeElement.dataset.connection === '3.17'");
    }

    @Test
    void keepsFocusWhenTheTableChanges() {
        open();
        tab.run("document.querySelector('button[data-connection=\"2.9\"]').focus()");
        StubScene.fill(node)
                .connection(StubScene.connection("0.1", "active", "SYN_SENT", "10.9.0.2", 50020, "10.9.0.1", 4420, ""));

        tab.until("document.querySelector('button[data-connection=\"0.1\"]')");

        assertThat(focused()).isEqualTo("2.9");
    }

    @Test
    void namesItsPartsForAScreenReader() {
        open();

        assertThat(tab.value("[...document.querySelectorAll('header, nav[aria-label], main, [role=search]')].length")
                        .asInt())
                .isEqualTo(4);
        assertThat(tab.texts("h1")).hasSize(1);
        assertThat(tab.value("[...document.querySelectorAll('table')].every(one => one.caption?.textContent)")
                        .asBoolean())
                .isTrue();
        assertThat(tab.value("[...document.querySelectorAll('input, select')].every(one => one.labels.length === 1)")
                        .asBoolean())
                .isTrue();
        assertThat(tab.value("document.querySelector('[role=meter]').getAttribute('aria-valuetext')")
                        .asText())
                .isEqualTo("3 of 128");
        assertThat(tab.value("document.querySelector('#status').getAttribute('aria-live')")
                        .asText())
                .isEqualTo("polite");
    }
}
