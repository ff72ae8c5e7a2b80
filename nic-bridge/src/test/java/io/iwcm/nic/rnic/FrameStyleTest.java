package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.ip;
import static io.iwcm.nic.testkit.Flows.mac;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicConfig.FrameStyle;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.MacAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gen-1 and gen-2 frames: the same octets, another moment at which the MAC address is chosen. */
class FrameStyleTest {

    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");

    private long lastId = 2;

    /** PROTOCOL §17: a SYN that is repeated after the peer has moved goes to where it is now. */
    @ParameterizedTest
    @EnumSource
    void aRepeatedFrameGoesToWhereTheNextHopHasMovedTo(FrameStyle style) {
        RnicRig rig = rig(style);
        send(rig);
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " S 100");

        moved(rig, mac(7));
        rig.resolve("10.0.0.2", mac(7), 0);
        rig.take();
        send(rig);

        assertThat(rig.take()).containsExactly("> " + mac(7) + " tcp " + FLOW + " S 100");
    }

    @Test
    void bothSendTheSameWhateverBecomesOfTheNextHop() {
        assertThat(aLife(rig(FrameStyle.GEN_2))).isEqualTo(aLife(rig(FrameStyle.GEN_1)));
    }

    /** Confirmed, moved, confirmed there, doubted, confirmed again, doubted and lost, found elsewhere. */
    private List<String> aLife(RnicRig rig) {
        lastId = 2;
        send(rig);
        send(rig);
        moved(rig, mac(7));
        send(rig);
        rig.resolve("10.0.0.2", mac(7), 0);
        send(rig);
        rig.pass(31 * SECOND);
        send(rig);
        rig.resolve("10.0.0.2", mac(7), 0);
        send(rig);
        rig.pass(31 * SECOND);
        send(rig);
        rig.pass(10 * SECOND);
        send(rig);
        rig.resolve("10.0.0.2", mac(8), 0);
        send(rig);
        return rig.take();
    }

    @Test
    void gen2LooksUpOnlyWhatHasChanged() {
        RnicRig rig = rig(FrameStyle.GEN_2);
        for (int i = 0; i < 10; i++) send(rig);
        assertThat(rig.count(NicCounter.HANDLES_BOUND)).isEqualTo(1);

        rig.resolve("10.0.0.2", mac(7), 0);
        for (int i = 0; i < 10; i++) send(rig);
        assertThat(rig.count(NicCounter.HANDLES_BOUND)).isEqualTo(2);

        RnicRig other = rig(FrameStyle.GEN_1);
        send(other);
        assertThat(other.count(NicCounter.HANDLES_BOUND)).isZero();
    }

    /** A neighbour in use by its handle alone is not the one that is forgotten to make room. */
    @ParameterizedTest
    @EnumSource
    void whoIsSentToIsNotForgottenForOthers(FrameStyle style) {
        RnicRig rig = rig(style);
        send(rig);
        for (int host = 10; host < 16; host++) {
            send(rig);
            rig.receiveArp(
                    ArpPacket.request(mac(host), (Ipv4Address) ip("10.0.0." + host), (Ipv4Address) ip("10.0.0.1")),
                    MacAddress.BROADCAST,
                    0);
        }
        assertThat(rig.count(NicCounter.NEIGHBOUR_EVICTIONS)).isPositive();
        rig.take();
        send(rig);
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " S 100");
    }

    private static RnicRig rig(FrameStyle style) {
        RnicConfig quiet = RnicRig.quiet("10.0.0.1/24");
        RnicConfig.Behaviour b = quiet.behaviour();
        RnicConfig.Limits l = quiet.limits();
        RnicConfig styled = RnicRig.behaving(
                quiet,
                new RnicConfig.Behaviour(
                        b.unmatched(),
                        b.resetsPerSecond(),
                        b.echoesPerSecond(),
                        b.icmpErrorsPerSecond(),
                        b.announce(),
                        b.timeWaitNs(),
                        b.claimNs(),
                        style));
        RnicRig rig = new RnicRig(RnicRig.limited(
                styled,
                new RnicConfig.Limits(
                        l.flowsMax(),
                        l.listenersMax(),
                        l.addressesMax(),
                        l.qpsMax(),
                        l.timeWaitsMax(),
                        l.loopbackMax(),
                        l.transmitMax(),
                        new Neighbours.Limits(4, 8, 3, SECOND, 30 * SECOND, 600 * SECOND))));
        rig.order(new NicControl.Attach(0, A));
        rig.request(A, FLOW, 0, 1, new CreateAh(Path.DEFAULT));
        rig.resolve("10.0.0.2", PEER, 0);
        rig.take();
        return rig;
    }

    private void send(RnicRig rig) {
        rig.request(A, FLOW, 0, lastId++, new Transmit(syn(100)));
    }

    private static void moved(RnicRig rig, MacAddress to) {
        rig.receiveArp(ArpPacket.announcement(to, (Ipv4Address) ip("10.0.0.2")), MacAddress.BROADCAST, 0);
    }
}
