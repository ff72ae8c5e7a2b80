package io.iwcm.cm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.cm.mpa.Initiator.Wish;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an application may ask of a connect, and that each wish leaves the others as they are. */
@DisplayName("Options of a connect")
class ConnectOptionsTest {

    private static final ConnectOptions PEER = ConnectOptions.to(Flows.end("10.0.0.2:4420"));

    @Test
    @Tag("FC-10")
    void takeAHugeReadDepthForTheLargestNumber() {
        assertThat(PEER.depths(20_000, 16_383).order().wish().depths()).isEqualTo(new ReadDepths(0x3ffe, 0x3ffe));
        assertThat(PEER.depths(20_000, 3).order().wish().depths()).isEqualTo(new ReadDepths(0x3ffe, 3));
        assertThat(PEER.depths(3, Integer.MAX_VALUE).order().wish().irdOpen()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> PEER.depths(-1, 3));
    }

    @Test
    @Tag("FC-10")
    void leaveAReadDepthOutOfTheNegotiationOnlyWhenAsked() {
        Wish usual = PEER.order().wish();
        assertThat(usual.irdOpen() || usual.ordOpen()).isFalse();
        assertThat(PEER.withoutNegotiating(true, false).order().wish()).isEqualTo(usual.open(true, false));
        assertThat(PEER.withoutNegotiating(false, true).order().wish()).isEqualTo(usual.open(false, true));
    }

    @Test
    void giveTheSynATimeOfItsOwn() {
        assertThat(PEER.order().synTimeout()).isEmpty();
        assertThat(PEER.synTimeout(Duration.ofMinutes(5)).order().synTimeout()).contains(Duration.ofMinutes(5));
        assertThatIllegalArgumentException().isThrownBy(() -> PEER.synTimeout(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> PEER.synTimeout(Duration.ofDays(2)));
    }

    @Test
    void keepWhatWasAskedBefore() {
        ConnectOptions all = PEER.depths(new ReadDepths(4, 3))
                .privateData(Octets.ofHex("4142"))
                .withoutNegotiating(true, true)
                .synTimeout(Duration.ofSeconds(7))
                .fallBack(false)
                .clientServer()
                .from(Flows.end("10.0.0.1:40000"))
                .vlan(100)
                .queuePair(new QpId(9))
                .tos(new Tos(0x28, 3));

        assertThat(all.order().wish())
                .isEqualTo(new Wish(2, new ReadDepths(4, 3), true, true, false, Octets.ofHex("4142")));
        assertThat(all.order().local()).isEqualTo(Flows.end("10.0.0.1:40000"));
        assertThat(all.order().remote()).isEqualTo(Flows.end("10.0.0.2:4420"));
        assertThat(all.order().vlan()).isEqualTo(100);
        assertThat(all.order().qp()).isEqualTo(Optional.of(new QpId(9)));
        assertThat(all.order().tos()).isEqualTo(new Tos(0x28, 3));
        assertThat(all.order().fallBack()).isFalse();
        assertThat(all.order().synTimeout()).contains(Duration.ofSeconds(7));
        assertThat(all.revision1().order().wish())
                .isEqualTo(new Wish(1, new ReadDepths(4, 3), false, Octets.ofHex("4142")));
        assertThat(all.revision1().order().synTimeout()).contains(Duration.ofSeconds(7));
    }
}
