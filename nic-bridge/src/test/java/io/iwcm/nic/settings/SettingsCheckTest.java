package io.iwcm.nic.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsCheckTest {

    private static final Config REFERENCE =
            ConfigFactory.parseString("a { n = 3, least = 1, most = 5, d = 1s, inner { f = true }, items = [] }");

    private static void read(Config config) {
        SettingsReader a = SettingsReader.of(config, "a");
        a.integer("n", 1, 5);
        int least = a.integer("least", 0, 9);
        if (a.integer("most", 0, 9) < least) throw a.notAllowed("most", least + "..9");
        a.duration("d", Duration.ofMillis(1), Duration.ofSeconds(2));
        a.block("inner").flag("f");
        for (SettingsReader item : a.list("items")) {
            item.parsed("address", "an address", text -> {
                if (!text.matches("[0-9.]+")) throw new IllegalArgumentException(text);
                return text;
            });
            item.integer("port", 1, 9);
            if (item.isPresent("vlan")) item.integer("vlan", 0, 7);
        }
        a.refuseUnknown();
    }

    private static List<String> problems(String text) {
        Config user = ConfigFactory.parseString(text);
        return SettingsCheck.problems(user.withFallback(REFERENCE), REFERENCE, List.of(SettingsCheckTest::read));
    }

    @Test
    void findsNothingWhereNothingIsWrong() {
        assertThat(problems("a { n = 5, items = [ { address = 1.2, port = 3 } ] }"))
                .isEmpty();
    }

    @Test
    void goesOnBehindTheFirstProblem() {
        assertThat(problems("""
            a {
              n = 9
              d = 3
              inner { f = perhaps, g = 1 }
              items = [
                { address = x, port = 10, vlan = 8, vlam = 1 }
                { port = 1 }
                { address = 1.2, port = many }
              ]
              lest = 1
            }
            """))
                .containsExactly(
                        "a.n = 9 (String: 2) is not allowed: 1..5 is",
                        "a.d = 3 (String: 3) has no unit: 3ms, 3s or 3 minutes, for example; 1ms..2s is allowed",
                        "a.inner.f = \"perhaps\" (String: 4) is not allowed: true or false is",
                        "a.items[0].address = \"x\" (String: 6) is not allowed: an address is",
                        "a.items[0].port = 10 (String: 6) is not allowed: 1..9 is",
                        "a.items[0].vlan = 8 (String: 6) is not allowed: 0..7 is",
                        "a.items[1].address is missing (String: 7): an address is allowed",
                        "a.items[2].port = \"many\" (String: 8) is not allowed: 1..9 is",
                        "a.lest (String: 10) is not a setting: did you mean a.least?",
                        "a.inner.g (String: 4) is not a setting: did you mean a.inner.f?",
                        "a.items[0].vlam (String: 6) is not a setting: did you mean a.items[0].vlan?");
    }

    @Test
    void sayOnceWhatTwoValuesBreakTogether() {
        assertThat(problems("a { least = 7, most = 6, items = 4 }"))
                .containsExactly(
                        "a.most = 6 (String: 1) is not allowed: 7..9 is",
                        "a.items = 4 (String: 1) is not allowed: a list of blocks in braces is");
    }

    @Test
    void endsWhereWhatIsPutThereCannotBeUsedEither() {
        List<String> problems = SettingsCheck.problems(REFERENCE, REFERENCE, List.of(config -> {
            SettingsReader.of(config, "a").integer("n", 7, 9);
        }));

        assertThat(problems).containsExactly("a.n = 3 (String: 1) is not allowed: 7..9 is");
    }

    @Test
    void saysWhatValuesOfTheDomainRefuse() {
        assertThat(SettingsCheck.problems(REFERENCE, REFERENCE, List.of(config -> {
                    throw new IllegalArgumentException("two of a kind");
                })))
                .containsExactly("two of a kind");
    }

    @Test
    void namesABlockAtTheTopThatWasMisspeltAndLeavesTheUsersOwnAlone() {
        Config user = ConfigFactory.parseString("iwcn.a = 1, base = 10.0.0, iwcm.b = ${base}");

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> SettingsCheck.refuseMisspelt(user, List.of("iwcm", "pekko")))
                .withMessage("iwcn (String: 1) is not a setting: did you mean iwcm?");
        SettingsCheck.refuseMisspelt(user.withoutPath("iwcn"), List.of("iwcm", "pekko"));
    }
}
