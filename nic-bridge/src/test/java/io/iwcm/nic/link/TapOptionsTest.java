package io.iwcm.nic.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TapOptionsTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "sixteen-letters1", "a b", "a/b", "tap%d", ".", "..", "a\0", "ä"})
    void refusesNamesThatTheKernelWouldNotTakeAsTheyAre(String name) {
        assertThatThrownBy(() -> TapOptions.named(name))
                .isInstanceOf(LinkException.class)
                .hasMessage("'" + name + "' cannot name a TAP interface: 1 to 15 letters, digits, dots, dashes and"
                        + " underscores are allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"i", "fifteen-letters", "br0.5", "_x"})
    void takesOtherNames(String name) {
        assertThat(TapOptions.named(name)).isEqualTo(new TapOptions(name, 0, true, false));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 67, 65_522})
    void refusesAnMtuThatATapCannotHave(int mtu) {
        assertThatThrownBy(() -> TapOptions.named("iwcm0").withMtu(mtu))
                .isInstanceOf(LinkException.class)
                .hasMessage("the MTU of the TAP interface iwcm0 cannot be " + mtu + ": 68 to 65521 is allowed");
    }

    @Test
    void takesTheLimits() {
        assertThat(TapOptions.named("iwcm0").withMtu(68).mtu()).isEqualTo(68);
        assertThat(TapOptions.named("iwcm0").withMtu(65_521).mtu()).isEqualTo(65_521);
    }
}
