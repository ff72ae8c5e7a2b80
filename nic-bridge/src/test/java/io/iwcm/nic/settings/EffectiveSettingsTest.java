package io.iwcm.nic.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.nic.settings.EffectiveSettings.Setting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EffectiveSettingsTest {

    private static EffectiveSettings of(String text) {
        return EffectiveSettings.of(ConfigFactory.parseString(text), "a");
    }

    @Test
    void isOneBlockSortedAndReadable() {
        String text = of("z = 1, a { n = 3, d = 1 minute, c = [{ y = 1, x = \"q r\" }] }")
                .hocon(false);

        Config again = ConfigFactory.parseString(text);
        assertThat(again).isEqualTo(ConfigFactory.parseString("a { c = [{ x = q r, y = 1 }], d = 1 minute, n = 3 }"));
        assertThat(text.lines().map(String::strip).filter(line -> line.matches("[cdn]=.*|[cdn] .*")))
                .isSorted()
                .hasSize(3);
    }

    @Test
    void originsAreCommentsThatReadingLeavesOut() {
        String text = of("a {\n n = 3 }").hocon(true);

        assertThat(text).contains("# String: 2");
        assertThat(ConfigFactory.parseString(text)).isEqualTo(ConfigFactory.parseString("a.n = 3"));
    }

    @Test
    void jsonIsTheSame() {
        assertThat(of("a { n = 3, t = x }").json()).isEqualToIgnoringWhitespace("""
            { "a" : { "n" : 3, "t" : "x" } }
            """);
    }

    @Test
    void keyByKeyWithItsOrigin() {
        assertThat(of("a {\n m = 3\n b { t = x }\n l = [1, 2] }").settings())
                .containsExactly(
                        new Setting("a.b.t", "\"x\"", "String: 3"),
                        new Setting("a.l", "[1,2]", "String: 4"),
                        new Setting("a.m", "3", "String: 2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.token = sesame",
                "a.tokens = [sesame, sesame]",
                "a.tls.key-password = sesame",
                "a.users = [{ password = sesame }]",
                "a.cookie-secret = sesame",
            })
    void secretsAreHidden(String text) {
        EffectiveSettings shown = of(text);

        assertThat(shown.hocon(true)).contains("(hidden)").doesNotContain("sesame");
        assertThat(shown.json()).contains("(hidden)").doesNotContain("sesame");
        assertThat(shown.settings().toString()).contains("(hidden)").doesNotContain("sesame");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.token-file = visible", "a.private-data = visible", "a.password { visible = visible }"})
    void whatIsNoSecretIsShown(String text) {
        assertThat(of(text).hocon(false)).contains("visible").doesNotContain("(hidden)");
    }

    @Test
    void noSecretIsSeenToBeNone() {
        assertThat(of("a.token = \"\"").hocon(false)).doesNotContain("(hidden)");
    }
}
