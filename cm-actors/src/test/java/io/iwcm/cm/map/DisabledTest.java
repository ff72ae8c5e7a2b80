package io.iwcm.cm.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a test makes of a method that has been disabled. */
class DisabledTest {

    private static final Named EVEN = new Named("cm.map.sample.Sample#isEven");
    private static final Named THOROUGH = new Named("cm.map.sample.SampleTest#doesAllThis");
    private static final Named LAX = new Named("cm.map.sample.SampleTest#doesNotLookAtMuch");

    private final ClassLoader classes = Classes.all();

    @Test
    void withNothingDisabledTheTestIsGreen() {
        assertThat(TestRun.of(THOROUGH, Disabled.nothing(classes))).isEqualTo(new TestRun.Green());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "addTo         | to return: \"ab\" but was: \"\"",
                "twice(int)    | expected: 42 but was: 0",
                "twice(long)   | expected: 42L but was: 0L",
                "twice(double) | expected: 1.0 but was: 0.0",
                "isEven        | Expecting value to be true but was false",
                "letters       | expected: ['a', 'b'] but was: []",
                "first         | expected: Optional[a] but was: Optional.empty",
                "longer        | expected: Sample[name=abx] but was: Sample[name=ab]",
                "more          | expected: Sample[name=abab] but was: Sample[name=ab]",
                "of            | expected: Sample[name=5] but was: Sample[name=]",
                "kind          | expected: SOME but was: NONE",
                "text          | expected: \"'ab'\" but was: null",
            })
    void aDisabledMethodDoesAsLittleAsItsTypeAllows(String method, String why) {
        TestRun run = without(new Named("cm.map.sample.Sample#" + method), THOROUGH, Instead.NOTHING);

        assertThat(run)
                .isInstanceOfSatisfying(
                        TestRun.Red.class, red -> assertThat(red.why()).contains(why));
    }

    @Test
    void aPredicateMayAlsoSayYes() {
        assertThat(without(EVEN, THOROUGH, Instead.YES)).isInstanceOf(TestRun.Red.class);
    }

    @Test
    void aTestThatMissesNothingIsGreenAllTheSame() {
        assertThat(without(new Named("cm.map.sample.Sample#text"), LAX, Instead.NOTHING))
                .isEqualTo(new TestRun.Green());
        assertThat(without(EVEN, LAX, Instead.NOTHING)).isEqualTo(new TestRun.Green());
        assertThat(without(EVEN, LAX, Instead.YES)).isInstanceOf(TestRun.Red.class);
    }

    private TestRun without(Named method, Named test, Instead instead) {
        return TestRun.of(test, Disabled.method(classes, method.declared(classes), instead));
    }
}
