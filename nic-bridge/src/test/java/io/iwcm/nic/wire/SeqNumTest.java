package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeqNumTest {

    private static final SeqNum LAST = new SeqNum(-1);
    private static final SeqNum ZERO = new SeqNum(0);

    @Test
    void stepsOverTheEndOfTheSpace() {
        assertThat(LAST.plus(1)).isEqualTo(ZERO);
        assertThat(ZERO.plus(-1)).isEqualTo(LAST);
        assertThat(ZERO.minus(LAST)).isEqualTo(1);
        assertThat(LAST.minus(ZERO)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_ff00})
    void comparesWithinHalfTheSpaceWhereverItStarts(int start) {
        var base = new SeqNum(start);
        for (int ahead : new int[] {1, 2, 1000, 0x7fff_ffff}) {
            SeqNum later = base.plus(ahead);
            assertThat(base.before(later)).isTrue();
            assertThat(base.atOrBefore(later)).isTrue();
            assertThat(later.after(base)).isTrue();
            assertThat(later.atOrAfter(base)).isTrue();
            assertThat(later.before(base)).isFalse();
            assertThat(later.atOrBefore(base)).isFalse();
            assertThat(base.after(later)).isFalse();
            assertThat(base.atOrAfter(later)).isFalse();
        }
        assertThat(base.before(base)).isFalse();
        assertThat(base.after(base)).isFalse();
        assertThat(base.atOrBefore(base)).isTrue();
        assertThat(base.atOrAfter(base)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, -5, 0x7fff_fffe})
    void windowsReachOverTheEndOfTheSpace(int start) {
        var window = new SeqNum(start);

        assertThat(window.within(window, 10)).isTrue();
        assertThat(window.plus(9).within(window, 10)).isTrue();
        assertThat(window.plus(10).within(window, 10)).isFalse();
        assertThat(window.plus(-1).within(window, 10)).isFalse();
        assertThat(window.within(window, 0)).isFalse();
    }

    @Test
    void printsUnsigned() {
        assertThat(LAST).hasToString("4294967295");
        assertThat(ZERO).hasToString("0");
    }

    @Test
    void synAndFinCountOneEach() {
        var octets = Octets.wrap(new byte[3]);
        var segment = new Segment(LAST, ZERO, Segment.SYN | Segment.FIN, 0, TcpOptions.NONE, octets);

        assertThat(segment.sequenceLength()).isEqualTo(5);
        assertThat(segment.end()).isEqualTo(new SeqNum(4));
    }
}
