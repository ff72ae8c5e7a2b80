package io.iwcm.nic.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SettingsReaderTest {

    private enum Colour {
        DARK_RED,
        GREEN
    }

    @Test
    void readsEveryKindOfValue() {
        SettingsReader reader =
                reader("n = 3, t = some text, d = 250ms, f = on, c = dark-red, list = [{ n = 1 }, { n = 2 }]");

        assertThat(reader.integer("n", 1, 5)).isEqualTo(3);
        assertThat(reader.text("t")).isEqualTo("some text");
        assertThat(reader.duration("d", Duration.ZERO, Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(250));
        assertThat(reader.flag("f")).isTrue();
        assertThat(reader.choice("c", Colour.class)).isEqualTo(Colour.DARK_RED);
        assertThat(reader.list("list"))
                .extracting(item -> item.integer("n", 0, 9))
                .containsExactly(1, 2);
        reader.refuseUnknown();
    }

    @Test
    void saysWhatANumberIsAndWhatIsAllowed() {
        assertRefused("n = 9", r -> r.integer("n", 1, 5), "a.b.n = 9 (String: 1) is not allowed: 1..5 is");
        assertRefused("n = 0", r -> r.integer("n", 1, 5), "a.b.n = 0 (String: 1) is not allowed: 1..5 is");
        assertRefused("n = x", r -> r.integer("n", 1, 5), "a.b.n = \"x\" (String: 1) is not allowed: 1..5 is");
    }

    @Test
    void saysWhichTimesAreAllowed() {
        assertRefused(
                "d = 3s",
                r -> r.duration("d", Duration.ofMillis(1), Duration.ofSeconds(2)),
                "a.b.d = \"3s\" (String: 1) is not allowed: 1ms..2s is");
    }

    @Test
    void saysWhichChoicesThereAre() {
        assertRefused(
                "c = blue",
                r -> r.choice("c", Colour.class),
                "a.b.c = \"blue\" (String: 1) is not allowed: dark-red or green is");
    }

    @Test
    void saysWhatIsMissing() {
        assertRefused("n = 1", r -> r.text("name"), "a.b.name is missing: text is allowed");
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> SettingsReader.of(ConfigFactory.parseString("a = 1"), "a.b"))
                .withMessage("a = 1 (String: 1) is not allowed: a block in braces is");
    }

    @Test
    void saysWhatTextCannotBe() {
        assertRefused(
                "t = x",
                r -> r.parsed("t", "a number in text", Integer::valueOf),
                "a.b.t = \"x\" (String: 1) is not allowed: a number in text is");
    }

    @Test
    void namesUnknownKeysAndTheNearestKnownOne() {
        SettingsReader reader = reader("adress = 1, address = 2, port = 3, inner { tpye = 1, type = 2 }");
        reader.integer("address", 0, 9);
        reader.integer("port", 0, 9);
        reader.block("inner").integer("type", 0, 9);

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(reader::refuseUnknown)
                .withMessage("a.b.adress (String: 1) is not a setting: did you mean a.b.address?; "
                        + "a.b.inner.tpye (String: 1) is not a setting: did you mean a.b.inner.type?");
    }

    @Test
    void namesUnknownKeysInListedBlocks() {
        SettingsReader reader = reader("list = [{ n = 1 }, { n = 2, m = 3 }]");
        reader.list("list").forEach(item -> item.integer("n", 0, 9));

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(reader::refuseUnknown)
                .withMessage("a.b.list[1].m (String: 1) is not a setting: did you mean a.b.list[1].n?");
    }

    private static void assertRefused(String text, Consumer<SettingsReader> read, String sentence) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read.accept(reader(text)))
                .withMessage(sentence);
    }

    private static SettingsReader reader(String text) {
        return SettingsReader.of(ConfigFactory.parseString("a { b { " + text + " } }"), "a.b");
    }
}
