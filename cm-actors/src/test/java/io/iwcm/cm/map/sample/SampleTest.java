package io.iwcm.cm.map.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@link Sample} does, all of it, as a whole class and disabled method by method. */
class SampleTest {

    private final Sample sample = new Sample("ab");

    @Test
    void doesAllThis() {
        StringBuilder text = new StringBuilder();
        sample.addTo(text);
        assertThat(text).hasToString("ab");
        assertThat(Sample.twice(21)).isEqualTo(42);
        assertThat(Sample.twice(21L)).isEqualTo(42);
        assertThat(Sample.twice(0.5)).isEqualTo(1.0);
        assertThat(Sample.isEven(2)).isTrue();
        assertThat(Sample.isEven(3)).isFalse();
        assertThat(sample.letters()).isEqualTo(List.of('a', 'b'));
        assertThat(sample.first()).isEqualTo(Optional.of('a'));
        assertThat(Sample.longer(1, sample)).isEqualTo(new Sample("abx"));
        assertThat(sample.more()).isEqualTo(new Sample("abab"));
        assertThat(Sample.of(5)).isEqualTo(new Sample("5"));
        assertThat(Sample.kind(5)).isEqualTo(Sample.Kind.SOME);
        assertThat(sample.text()).isEqualTo("'ab'");
    }

    @Test
    void doesNotLookAtMuch() {
        assertThat(sample.name()).isEqualTo("ab");
        assertThat(Sample.isEven(3)).isFalse();
    }
}
