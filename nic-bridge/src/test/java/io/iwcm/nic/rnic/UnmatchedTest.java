package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.mac;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.OURS;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What nobody here wants (FC-50), and what is not for us at all. */
class UnmatchedTest {

    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final String RESET = "> " + PEER + " tcp " + FLOW + " ";

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");

    @Test
    void resetsCarryTheNumbersOfTheBook() {
        rig.receive(FLOW, syn(200));
        rig.receive(FLOW, segment("P", 200, 0, "abc")); // Not a segment that can be.
        rig.receive(FLOW, segment("F", 200, 0, "abc"));
        rig.receive(FLOW, segment("A", 200, 700, ""));
        rig.receive(FLOW, segment("SA", 200, 700, ""));
        rig.receive(FLOW, segment("FA", 200, 700, "abc"));
        rig.receive(FLOW, syn(0xffff_ffffL));
        assertThat(rig.take())
                .containsExactly(
                        RESET + "RA 0 ack 201",
                        RESET + "RA 0 ack 204",
                        RESET + "R 700",
                        RESET + "R 700",
                        RESET + "R 700",
                        RESET + "RA 0 ack 0");
        assertThat(rig.drops(Drop.NO_STEERING)).isEqualTo(6);
        assertThat(rig.drops(Drop.TCP_BAD_FLAGS)).isEqualTo(1);
    }

    @Test
    void aResetIsNeverAnswered() {
        rig.receive(FLOW, segment("R", 200, 0, ""));
        rig.receive(FLOW, segment("RA", 200, 700, ""));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.NO_STEERING)).isEqualTo(2);
        assertThat(rig.count(NicCounter.RESETS_SENT)).isZero();
    }

    @Test
    void onASharedLinkNothingIsAnswered() {
        RnicConfig.Behaviour b = RnicConfig.Behaviour.DEFAULT;
        RnicRig shared = new RnicRig(RnicRig.behaving(
                RnicRig.quiet("10.0.0.1/24"),
                new RnicConfig.Behaviour(
                        RnicConfig.Unmatched.DROP, 1000, 100, 100, false, b.timeWaitNs(), b.claimNs())));
        shared.receive(FLOW, syn(200));
        shared.receive(FLOW, segment("A", 200, 700, ""));
        assertThat(shared.take()).isEmpty();
        assertThat(shared.drops(Drop.NO_STEERING)).isEqualTo(2);
    }

    @Test
    void resetsAreLimited() {
        RnicConfig.Behaviour b = RnicConfig.Behaviour.DEFAULT;
        RnicRig slow = new RnicRig(RnicRig.behaving(
                RnicRig.quiet("10.0.0.1/24"),
                new RnicConfig.Behaviour(b.unmatched(), 10, 100, 100, false, b.timeWaitNs(), b.claimNs())));
        for (int i = 0; i < 50; i++) {
            slow.receive(FLOW, syn(200));
        }
        assertThat(slow.take()).hasSize(10);
        assertThat(slow.count(NicCounter.RESETS_LIMITED)).isEqualTo(40);
        slow.pass(SECOND / 2);
        for (int i = 0; i < 50; i++) {
            slow.receive(FLOW, syn(200));
        }
        assertThat(slow.take()).hasSize(5);
    }

    @Test
    void framesForOthersAreCountedAndNothingElse() {
        rig.receive(tcp(mac(9), PEER, FLOW));
        rig.receive(tcp(MacAddress.BROADCAST, PEER, FLOW));
        rig.receive(tcp(OURS, OURS, FLOW));
        rig.receive(tcp(OURS, MacAddress.ZERO, FLOW));
        rig.receive(tcp(OURS, PEER, flow("10.0.0.9:5000", "10.0.0.2:1")));
        rig.receive(new byte[] {1, 2, 3});
        rig.receive(new byte[14]);
        assertThat(rig.take()).isEmpty();
        assertThat(nonZero())
                .isEqualTo(Map.of(
                        Drop.ETH_NOT_FOR_US, 2L,
                        Drop.IP_BAD_DESTINATION, 1L,
                        Drop.ETH_BAD_SOURCE, 2L,
                        Drop.ADDRESS_NOT_LOCAL, 1L,
                        Drop.ETH_TRUNCATED, 1L));
        assertThat(rig.count(NicCounter.RCVD_PKT_ERR)).isEqualTo(4);
        assertThat(rig.count(NicCounter.FRAMES_RECEIVED)).isEqualTo(7);
    }

    private Map<Drop, Long> nonZero() {
        Map<Drop, Long> drops = new java.util.EnumMap<>(rig.rnic().snapshot().drops());
        drops.values().removeIf(n -> n == 0);
        return drops;
    }

    private static byte[] tcp(MacAddress to, MacAddress from, FlowKey flow) {
        Segment segment = syn(1);
        return FrameEncoder.tcp(new TcpFrame(new TcpFrame.Addressing(from, to, flow.reversed(), 0, 0), segment), 1);
    }
}
