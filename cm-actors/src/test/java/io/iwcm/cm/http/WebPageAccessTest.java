package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Phones, the dark, the keyboard and screen readers. */
final class WebPageAccessTest extends PageScene {

    /** Phones to wide screens, and both sides of where rows become cards. */
    private static final int[] WIDTHS = {320, 412, 600, 752, 753, 1024, 1440, 2560};

    private static final String DRAWN_ANEW = "document.querySelector('#sequence svg').getAttribute('width') =="
            + " document.querySelector('#sequence').clientWidth";

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
    void fitsEveryWidth() {
        open();
        tab.until("document.querySelector('#actors-table tbody tr')");
        for (int width : WIDTHS) {
            tab.size(width, 800).until("innerWidth === " + width);
            assertNoSidewaysScroll();
        }

        tab.click("button[data-connection='3.17']");
        for (int width : WIDTHS) {
            tab.size(width, 800).until(DRAWN_ANEW);
            assertNoSidewaysScroll();
            assertInsideTheDiagram();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void hasContrastEnough(String scheme) throws IOException {
        tab.preferring("prefers-color-scheme", scheme);
        open();
        tab.until("document.querySelector('#actors-table tbody tr')").click(".chip[data-state=OFFLOADED]");
        assertThat(tooPale()).isEmpty();

        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')").click("#sequence-text summary");
        assertThat(tooPale()).isEmpty();
    }

    @Test
    void canBeUsedWithTheKeyboardAlone() {
        open();

        tab.press("Tab");
        assertThat(focused()).isEqualTo("Skip to the content");
        tab.press("Enter", "Tab");
        assertThat(focused()).startsWith("SYN_RCVD");
        tabTo(".chip[data-state=OFFLOADED]");
        tab.press(" ");
        untilFound("3.17,3.16,2.9");
        tabTo("#search");
        tab.type("active").until("document.querySelector('#found').innerText === '1 connection.'");
        tabTo("#role");
        tabTo("#ended");
        tab.press("Tab");
        assertThat(focused()).isEqualTo("2.9");
        tab.press("Enter");
        tab.until("document.querySelector('#detail').open");
        tab.press("Escape");
        tab.until("!document.querySelector('#detail').open && location.hash === ''");
        tab.until("document.activeElement.dataset.connection === '2.9'");
    }

    @Test
    void goesFromRowToRowWithArrows() {
        open();
        tab.run("document.querySelector('#ended').focus()").press("Tab");

        assertThat(focused()).isEqualTo("3.17");
        tab.press("ArrowDown", "ArrowDown");
        assertThat(focused()).isEqualTo("2.9");
        tab.press("End");
        assertThat(focused()).isEqualTo("1.3");
        tab.press("ArrowUp", "Home");
        assertThat(focused()).isEqualTo("3.17");
    }

    @Test
    void showsWhereTheKeyboardIs() {
        tab.preferring("prefers-reduced-motion", "reduce"); // What scrolls slowly is not there yet.
        open();
        tab.until("document.querySelector('#actors-table tbody tr')");

        Set<String> stops = new LinkedHashSet<>();
        tab.press("Tab");
        for (String stop = stop(); !stop.startsWith("<body"); stop = stop()) {
            assertThat(stops.add(stop)).as("twice: " + stop).isTrue();
            assertThat(tab.value("(() => { const one = document.activeElement; const box = one.getBoundingClientRect();"
                                    + " return getComputedStyle(one).outlineStyle !== 'none' && box.width > 0"
                                    + " && box.top < innerHeight && box.bottom > 0; })()")
                            .asBoolean())
                    .as(stop)
                    .isTrue();
            tab.press("Tab");
        }
        assertThat(stops).hasSizeGreaterThan(20);
    }

    private String stop() {
        return tab.value("document.activeElement.outerHTML.slice(0, 120)").asText();
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

    @ParameterizedTest
    @ValueSource(ints = {360, 1280})
    void namesItsPartsForAScreenReader(int width) {
        tab.size(width, 800);
        open();
        tab.until("document.querySelector('#actors-table tbody tr')");

        List<Tab.Accessible> all = tab.accessible();
        assertThat(all)
                .contains(
                        new Tab.Accessible("navigation", "Sections"),
                        new Tab.Accessible("search", ""),
                        new Tab.Accessible("heading", "iwcm target-1"),
                        new Tab.Accessible("searchbox", "Search"),
                        new Tab.Accessible("combobox", "Refresh"),
                        new Tab.Accessible("table", "Connections, newest first"),
                        new Tab.Accessible("columnheader", "Half-open"),
                        new Tab.Accessible("button", "3.17"),
                        new Tab.Accessible("meter", "Half-open"),
                        new Tab.Accessible("log", "Events, newest first"),
                        new Tab.Accessible("region", "Drops by reason"))
                .filteredOn(one -> List.of("banner", "main").contains(one.role()))
                .hasSize(2);
        assertThat(all) // A card says "Link tap0".
                .anyMatch(one -> one.role().equals("rowheader") && one.name().endsWith("tap0"));
        assertThat(all)
                .filteredOn(
                        one -> List.of("button", "link", "searchbox", "combobox", "table", "meter", "region", "heading")
                                .contains(one.role()))
                .allSatisfy(one -> assertThat(one.name()).isNotBlank());
        assertThat(tab.value("document.querySelector('[role=meter]').getAttribute('aria-valuetext')")
                        .asText())
                .isEqualTo("3 of 128");
        assertThat(tab.value("document.querySelector('#status').getAttribute('aria-live')")
                        .asText())
                .isEqualTo("polite");
    }

    @Test
    void namesTheDrillDownForAScreenReader() {
        open();
        tab.click("button[data-connection='3.17']");
        tab.until("document.querySelector('#sequence svg')");

        assertThat(tab.accessible())
                .contains(
                        new Tab.Accessible("dialog", "Connection 3.17"),
                        new Tab.Accessible("button", "Close"),
                        new Tab.Accessible(
                                "image",
                                "Sequence diagram of 16 lines between this node, 10.9.0.2:4420, and its peer,"
                                        + " 10.9.0.1:50457; the table below has the same"))
                .as("what is behind it cannot be reached")
                .noneMatch(one -> one.role().equals("searchbox"));
    }
}
