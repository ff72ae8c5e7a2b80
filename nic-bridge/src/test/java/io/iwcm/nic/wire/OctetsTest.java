package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OctetsTest {

    private final Octets octets = Octets.ofHex("00 11 22 33 ff");

    @Test
    void readsBigEndian() {
        assertThat(octets.length()).isEqualTo(5);
        assertThat(octets.at(4)).isEqualTo(255);
        assertThat(octets.shortAt(3)).isEqualTo(0x33ff);
        assertThat(octets.intAt(1)).isEqualTo(0x112233ff);
        assertThat(octets).hasToString("(5) 00112233ff");
    }

    @Test
    void aSliceIsEqualToACopyOfTheSameOctets() {
        Octets slice = octets.slice(1, 3);

        assertThat(slice).isEqualTo(Octets.ofHex("112233")).hasSameHashCodeAs(Octets.ofHex("112233"));
        assertThat(slice).isNotEqualTo(Octets.ofHex("112234"));
        assertThat(slice.from(1)).isEqualTo(Octets.ofHex("2233"));
        assertThat(slice.toBytes()).containsExactly(0x11, 0x22, 0x33);
        assertThat(octets.from(5)).isSameAs(Octets.EMPTY);
    }

    @Test
    void joinsAndCopiesOut() {
        assertThat(octets.slice(0, 2).concat(octets.slice(4, 1))).isEqualTo(Octets.ofHex("0011ff"));
        assertThat(Octets.EMPTY.concat(octets)).isSameAs(octets);
        assertThat(octets.concat(Octets.EMPTY)).isSameAs(octets);

        byte[] target = {9, 9, 9, 9, 9, 9, 9};
        octets.copyTo(target, 1);
        assertThat(target).containsExactly(9, 0, 0x11, 0x22, 0x33, 0xff, 9);
    }

    @Test
    void aCopyDoesNotSeeLaterWrites() {
        byte[] mine = {1, 2};
        Octets copy = Octets.copyOf(mine);
        mine[0] = 7;

        assertThat(copy).isEqualTo(Octets.ofHex("0102"));
    }

    @Test
    void refusesToLookOutsideItsWindow() {
        Octets slice = octets.slice(1, 3);

        assertThatThrownBy(() -> slice.at(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.slice(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
