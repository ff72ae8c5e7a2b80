package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.ip;
import static io.iwcm.nic.testkit.Flows.mac;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.OURS;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.Route;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.VlanTag;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where frames go: address handles, ARP and neighbour discovery, gateways. */
class NextHopTest {

    private static final CreateAh CREATE_AH = new CreateAh(Path.DEFAULT);
    private static final FlowKey V4 = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final FlowKey V6 = flow("[fd00::1]:5000", "[fd00::2]:33000");

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "fe80::1/64", "fd00::1/64", "10.1.0.1/24@100");

    /** FC-57: after two seconds, and nothing is sent before. */
    @Test
    void aHandleIsReadyWhenArpHasAnswered() {
        rig.request(A, V4, 0, 1, CREATE_AH);
        assertThat(rig.take()).containsExactly("> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.2 tell 10.0.0.1");
        rig.pass(2 * SECOND);
        rig.take();
        rig.resolve("10.0.0.2", PEER, 0);
        assertThat(rig.take()).containsExactly("event 1 " + V4 + " epoch 0 handle ready 1500");
        rig.request(A, V4, 0, 2, new Transmit(syn(100)));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + V4 + " S 100");
    }

    @Test
    void aHandleIsReadyWhenNeighbourDiscoveryHasAnswered() {
        rig.request(A, V6, 0, 1, CREATE_AH);
        assertThat(rig.take()).containsExactly("> 33:33:ff:00:00:02 ns fd00::2 tell fd00::1");
        rig.resolve("fd00::2", PEER, 0);
        rig.request(A, V6, 0, 2, new Transmit(syn(100)));
        assertThat(rig.take())
                .containsExactly("event 1 " + V6 + " epoch 0 handle ready 1500", "> " + PEER + " tcp " + V6 + " S 100");
    }

    /** FC-57. */
    @Test
    void aNeighbourThatNeverAnswersFailsTheHandleOnceAndNothingStays() {
        RnicSnapshot.Held before = rig.held();
        rig.request(A, V4, 0, 1, CREATE_AH);
        rig.pass(10 * SECOND);
        assertThat(rig.take())
                .containsExactly(
                        "> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.2 tell 10.0.0.1",
                        "> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.2 tell 10.0.0.1",
                        "> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.2 tell 10.0.0.1",
                        "event 1 " + V4 + " epoch 0 handle failed NEIGHBOUR_UNREACHABLE");
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void nothingIsSentWithoutAHandle() {
        rig.request(A, V4, 0, 1, CREATE_AH, new Transmit(syn(100)));
        rig.take();
        assertThat(rig.count(NicCounter.TRANSMITS_WITHOUT_HANDLE)).isEqualTo(1);
        rig.resolve("10.0.0.2", PEER, 0);
        rig.request(A, V4, 0, 2, new FreeAh(), new Transmit(syn(100)));
        assertThat(rig.take()).noneMatch(line -> line.contains("tcp"));
        assertThat(rig.count(NicCounter.TRANSMITS_WITHOUT_HANDLE)).isEqualTo(2);
    }

    @Test
    void whoFreesItsHandleIsToldNothingMore() {
        RnicSnapshot.Held before = rig.held();
        rig.request(A, V4, 0, 1, CREATE_AH);
        rig.request(A, V4, 0, 2, new FreeAh());
        assertThat(rig.held()).isEqualTo(before);
        rig.take();
        rig.resolve("10.0.0.2", PEER, 0);
        assertThat(rig.take()).isEmpty();
    }

    @Test
    void framesFollowANextHopThatMoves() {
        rig.install(A, V4, Optional.empty());
        rig.take();
        rig.receiveArp(ArpPacket.announcement(mac(7), (Ipv4Address) ip("10.0.0.2")), MacAddress.BROADCAST, 0);
        rig.request(A, V4, 0, 3, new Transmit(syn(100)));
        assertThat(rig.take()).first().isEqualTo("> " + mac(7) + " arp REQUEST 10.0.0.2 tell 10.0.0.1");
        assertThat(rig.count(NicCounter.NEIGHBOUR_CHANGES)).isEqualTo(1);
        rig.request(A, V4, 0, 4, new Transmit(syn(100)));
        assertThat(rig.take()).containsExactly("> " + mac(7) + " tcp " + V4 + " S 100");
    }

    /** FC-57: between SYN and accept, say. */
    @Test
    void aNextHopThatIsLostIsSentNothingUntilItIsFoundAgain() {
        long epoch = rig.install(A, V4, Optional.empty());
        rig.pass(40 * SECOND);
        rig.request(A, V4, epoch, 3, new Transmit(syn(100)));
        rig.pass(3 * SECOND);
        rig.take();
        rig.request(A, V4, epoch, 4, new Transmit(syn(100)));
        assertThat(rig.take()).containsExactly("> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.2 tell 10.0.0.1");
        assertThat(rig.count(NicCounter.TRANSMITS_UNRESOLVED)).isEqualTo(1);
        rig.resolve("10.0.0.2", mac(8), 0);
        rig.request(A, V4, epoch, 5, new Transmit(syn(100)));
        assertThat(rig.take()).containsExactly("> " + mac(8) + " tcp " + V4 + " S 100");
    }

    /** FC-56. */
    @Test
    void aGatewayIsAskedForAndTheDestinationStays() {
        RnicConfig plain = RnicRig.quiet("10.0.0.1/24");
        Route route = new Route(ip("0.0.0.0"), 0, Optional.of(ip("10.0.0.254")), 0);
        RnicRig routed = new RnicRig(new RnicConfig(
                plain.mac(),
                plain.addresses(),
                List.of(route),
                plain.mtu(),
                plain.behaviour(),
                plain.limits(),
                plain.ports(),
                plain.qp()));
        routed.order(new NicControl.Attach(0, A));
        FlowKey far = flow("10.0.0.1:5000", "192.168.9.9:33000");
        routed.request(A, far, 0, 1, CREATE_AH);
        assertThat(routed.take()).containsExactly("> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.254 tell 10.0.0.1");
        routed.resolve("10.0.0.254", mac(254), 0);
        routed.request(A, far, 0, 2, new Transmit(syn(100)));
        assertThat(routed.take()).endsWith("> " + mac(254) + " tcp " + far + " S 100");
    }

    @Test
    void whatHasNoRouteOrIsNotOursFailsAtOnce() {
        RnicSnapshot.Held before = rig.held();
        FlowKey far = flow("10.0.0.1:5000", "192.168.9.9:33000");
        FlowKey foreign = flow("10.0.0.9:5000", "10.0.0.2:33000");
        FlowKey otherVlan = flow("10.1.0.1:5000", "10.1.0.2:33000", 0);
        rig.request(A, far, 0, 1, CREATE_AH);
        rig.request(A, foreign, 0, 1, CREATE_AH);
        rig.request(A, otherVlan, 0, 1, CREATE_AH);
        assertThat(rig.take())
                .containsExactly(
                        "event 1 " + far + " epoch 0 handle failed NO_ROUTE",
                        "event 1 " + foreign + " epoch 0 handle failed NOT_LOCAL",
                        "event 1 " + otherVlan + " epoch 0 handle failed NOT_LOCAL");
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void aTaggedFlowAsksAndSendsOnItsVlanWithItsPriority() {
        FlowKey tagged = flow("10.1.0.1:5000", "10.1.0.2:33000", 100);
        rig.request(A, tagged, 0, 1, new CreateAh(new Path(5, 0x28)));
        assertThat(rig.take()).containsExactly("> ff:ff:ff:ff:ff:ff arp REQUEST 10.1.0.2 tell 10.1.0.1 vlan 100");
        rig.resolve("10.1.0.2", PEER, 100);
        rig.request(A, tagged, 0, 2, new Transmit(syn(100)));
        assertThat(rig.take()).endsWith("> " + PEER + " tcp " + tagged + " priority 5 S 100");
    }

    @Test
    void answersWhoAsksForAnAddressOfThatVlan() {
        Ipv4Address peer = (Ipv4Address) ip("10.0.0.2");
        rig.receiveArp(ArpPacket.request(PEER, peer, (Ipv4Address) ip("10.0.0.1")), MacAddress.BROADCAST, 0);
        rig.receiveArp(ArpPacket.request(PEER, peer, (Ipv4Address) ip("10.0.0.9")), MacAddress.BROADCAST, 0);
        rig.receiveArp(ArpPacket.request(PEER, peer, (Ipv4Address) ip("10.0.0.1")), MacAddress.BROADCAST, 100);
        assertThat(rig.take()).containsExactly("> " + PEER + " arp REPLY 10.0.0.2 tell 10.0.0.1");
        rig.request(A, V4, 0, 1, CREATE_AH);
        assertThat(rig.take())
                .as("who asked for us needs not be asked")
                .contains("event 1 " + V4 + " epoch 0 handle ready 1500");
    }

    @Test
    void answersNeighbourSolicitationsAndDuplicateChecks() {
        var peer = (Ipv6Address) ip("fd00::2");
        var ours = (Ipv6Address) ip("fd00::1");
        var group = MacAddress.parse("33:33:ff:00:00:01");
        rig.receiveNeighbour(NeighbourMessage.Solicitation.resolve(PEER, peer, ours), PEER, group, 0);
        rig.receiveNeighbour(NeighbourMessage.Solicitation.resolve(PEER, peer, peer), PEER, group, 0);
        var check = new NeighbourMessage.Solicitation(
                (Ipv6Address) ip("::"), ours.solicitedNodeMulticast(), ours, Optional.empty());
        rig.receiveNeighbour(check, PEER, group, 0);
        assertThat(rig.take())
                .containsExactly(
                        "> " + PEER + " na fd00::1 to fd00::2 solicited", "> 33:33:00:00:00:01 na fd00::1 to ff02::1");
        assertThat(rig.count(NicCounter.ADDRESS_CONFLICTS)).isEqualTo(1);
    }

    @Test
    void nobodyElseCanSayWhereWeAreOrWhereTheWorldIs() {
        rig.receiveArp(
                ArpPacket.request(mac(9), (Ipv4Address) ip("10.0.0.1"), (Ipv4Address) ip("10.0.0.1")),
                MacAddress.BROADCAST,
                0);
        rig.receiveArp(
                ArpPacket.request(mac(9), (Ipv4Address) ip("8.8.8.8"), (Ipv4Address) ip("10.0.0.1")),
                MacAddress.BROADCAST,
                0);
        assertThat(rig.take()).containsExactly("> " + mac(9) + " arp REPLY 8.8.8.8 tell 10.0.0.1");
        assertThat(rig.count(NicCounter.ADDRESS_CONFLICTS)).isEqualTo(1);
        assertThat(rig.rnic().neighbours()).isEmpty();
    }

    @Test
    void announcesItsAddressesWhenItStartsAndWhenOneIsAdded() {
        RnicConfig quiet = RnicRig.quiet("10.0.0.1/24", "fd00::1/64");
        RnicRig loud = new RnicRig(RnicRig.behaving(quiet, RnicConfig.Behaviour.DEFAULT));
        loud.pass(0);
        assertThat(loud.take())
                .containsExactly(
                        "> ff:ff:ff:ff:ff:ff arp REQUEST 10.0.0.1 tell 10.0.0.1",
                        "> 33:33:00:00:00:01 na fd00::1 to ff02::1");
        loud.order(new NicControl.AddAddress(1, new NicControl.LocalAddress(ip("10.1.0.1"), 24, 100)));
        assertThat(loud.take()).containsExactly("> ff:ff:ff:ff:ff:ff arp REQUEST 10.1.0.1 tell 10.1.0.1 vlan 100");
        loud.pass(10 * SECOND);
        assertThat(loud.take()).isEmpty();
    }

    @Test
    void asManyResolutionsAsTheTableHoldsAndNoMore() {
        RnicConfig config = RnicRig.quiet("10.0.0.1/16");
        RnicConfig.Limits limits = RnicConfig.Limits.DEFAULT;
        RnicRig small = new RnicRig(RnicRig.limited(
                config,
                new RnicConfig.Limits(
                        limits.flowsMax(),
                        limits.listenersMax(),
                        limits.addressesMax(),
                        limits.qpsMax(),
                        limits.timeWaitsMax(),
                        limits.loopbackMax(),
                        limits.transmitMax(),
                        new Neighbours.Limits(4, 8, 3, SECOND, 30 * SECOND, 600 * SECOND))));
        small.order(new NicControl.Attach(0, A));
        for (int i = 1; i <= 3; i++) {
            small.request(A, flow("10.0.0.1:5000", "10.0.1." + i + ":1"), 0, 1, CREATE_AH);
        }
        assertThat(small.take()).last().asString().endsWith("handle failed RESOURCES");
        assertThat(small.count(NicCounter.NEIGHBOUR_REFUSALS)).isEqualTo(1);
    }

    @Test
    void answersEchoRequestsToItsOwnAddresses() {
        rig.receive(echo("10.0.0.1", 0));
        rig.receive(echo("10.0.0.3", 0));
        rig.receive(echo("10.0.0.1", 100));
        assertThat(rig.take()).containsExactly("> " + PEER + " echo reply 10.0.0.1 7/8 c0ffee");
        RnicConfig.Behaviour b = RnicConfig.Behaviour.DEFAULT;
        RnicRig silent = new RnicRig(RnicRig.behaving(
                RnicRig.quiet("10.0.0.1/24"),
                new RnicConfig.Behaviour(
                        b.unmatched(), b.resetsPerSecond(), 0, 100, false, b.timeWaitNs(), b.claimNs())));
        silent.receive(echo("10.0.0.1", 0));
        assertThat(silent.take()).isEmpty();
        assertThat(silent.count(NicCounter.ECHOES_LIMITED)).isEqualTo(1);
    }

    private static byte[] echo(String to, int vlan) {
        var ethernet = new EthernetHeader(OURS, PEER, new VlanTag(0, false, vlan));
        return FrameEncoder.echo(
                new Parsed.Echo(ethernet, ip("10.0.0.2"), ip(to), true, 7, 8, Octets.ofHex("c0ffee")), 1);
    }

    @Test
    void aHandleIsAskedForAgainWithoutASecondQuestion() {
        rig.request(A, V4, 0, 1, CREATE_AH);
        rig.request(A, V4, 0, 1, CREATE_AH);
        rig.request(A, V4, 0, 2, CREATE_AH);
        assertThat(rig.take()).hasSize(1);
        rig.resolve("10.0.0.2", PEER, 0);
        rig.request(A, V4, 0, 1, CREATE_AH);
        assertThat(rig.take())
                .containsExactly(
                        "event 1 " + V4 + " epoch 0 handle ready 1500", "event 1 " + V4 + " epoch 0 handle ready 1500");
        assertThat(rig.count(NicCounter.REQUESTS_REPEATED)).isEqualTo(2);
    }
}
