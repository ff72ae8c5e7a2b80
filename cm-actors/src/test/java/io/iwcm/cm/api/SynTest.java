package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static io.iwcm.nic.testkit.Flows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.cm.actor.Marking;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SYNs with every kind of tag and marking, to one connection manager with addresses on several VLANs. */
class SynTest {

    private static final FlowKey TAGGED = flow("10.1.0.1:5000", "10.1.0.2:1", 100);
    private static final FlowKey UNTAGGED = flow("10.0.0.1:5000", "10.0.0.2:2");
    private static final FlowKey WRONG = flow("10.0.0.1:5000", "10.0.0.2:3", 100);
    private static final FlowKey PRIORITY_TAGGED = flow("10.0.0.1:5000", "10.0.0.2:4");
    private static final FlowKey SIX = flow("[fd00::1]:5000", "[fd00::2]:5");
    private static final FlowKey LINK = flow("[fe80::1]:5000", "[fe80::2]:6");
    private static final FlowKey LINK_TAGGED = flow("[fe80::1]:5000", "[fe80::2]:6", 100);

    private final Lab lab = new Lab();
    private Station station = lab.station(
            "10.0.0.1/24", "10.1.0.1/24@100", "fd00::1/64", "fe80::1/64", "fe80::1/64@100", "fe80::1/64@200");
    private final Stranger stranger = new Stranger(lab.port(), 1);

    @AfterEach
    void end() {
        lab.close();
    }

    /** FC-12: all four variants. */
    @Test
    void aWildcardListenerServesEachAddressOnItsVlanOnly() {
        listen("0.0.0.0:5000");

        stranger.syn(TAGGED, 5, 0);
        stranger.syn(UNTAGGED, 0, 0);
        stranger.syn(WRONG, 0, 0);
        stranger.syn(PRIORITY_TAGGED, 3, 0);

        assertAnswers(Segment.SYN | Segment.ACK, TAGGED, UNTAGGED, PRIORITY_TAGGED);
        assertThat(station.nic().drops(Drop.ADDRESS_NOT_LOCAL)).isEqualTo(1);
    }

    /** FC-12: bound to one address, it takes the first only. */
    @Test
    void aListenerOnOneAddressLeavesTheOthersAlone() {
        listen("10.1.0.1:5000");

        stranger.syn(UNTAGGED, 0, 0);
        assertAnswers(Segment.RST | Segment.ACK, UNTAGGED);
        stranger.syn(WRONG, 0, 0);
        stranger.syn(PRIORITY_TAGGED, 3, 0);
        assertAnswers(Segment.RST | Segment.ACK, PRIORITY_TAGGED);
        stranger.syn(TAGGED, 5, 0);
        assertAnswers(Segment.SYN | Segment.ACK, TAGGED);
        assertThat(station.nic().drops(Drop.ADDRESS_NOT_LOCAL)).isEqualTo(1);
    }

    /** FC-12, in IPv6: one link-local address on three links is three endpoints. */
    @Test
    void aLinkLocalAddressIsServedOnEachLinkForItself() {
        within(station.cm().listen(ListenOptions.on(Flows.end("[fe80::1]:5000")).vlan(100), new Events()));

        stranger.syn(LINK_TAGGED, 0, 0);
        assertAnswers(Segment.SYN | Segment.ACK, LINK_TAGGED);
        stranger.syn(LINK, 0, 0);
        assertAnswers(Segment.RST | Segment.ACK, LINK);

        listen("[fe80::1]:5000");
        stranger.syn(LINK, 0, 0);
        assertAnswers(Segment.SYN | Segment.ACK, LINK);
        assertThat(within(station.cm().snapshot()).nodes()).hasSize(2);
    }

    @Test
    void anIpv6WildcardServesIpv4TooUnlessItIsToldNotTo() {
        ListenHandle both = listen("[::]:5000");
        stranger.syn(SIX, 0, 0);
        stranger.syn(TAGGED, 0, 0);
        stranger.syn(LINK_TAGGED, 0, 0);
        assertAnswers(Segment.SYN | Segment.ACK, SIX, TAGGED, LINK_TAGGED);
        within(both.close());
        stranger.take(3); // The half-open ones are reset.

        within(station.cm().listen(ListenOptions.on(Flows.end("[::]:5000")).ipv6Only(), new Events()));
        stranger.syn(UNTAGGED, 0, 0);
        assertAnswers(Segment.RST | Segment.ACK, UNTAGGED);
        stranger.syn(SIX, 0, 0);
        assertAnswers(Segment.SYN | Segment.ACK, SIX);
    }

    /** PROTOCOL §24.17, both orders. */
    @ParameterizedTest
    @CsvSource({"0.0.0.0:5000, 10.0.0.1:5000", "10.0.0.1:5000, 0.0.0.0:5000", "[::]:5000, 0.0.0.0:5000"})
    void theMostSpecificListenerGetsTheSynWhicheverCameFirst(String first, String second) {
        listen(first, 3 << 5);
        listen(second, 5 << 5);
        int wanted = second.startsWith("10.") || first.startsWith("[") ? 5 : 3;

        stranger.syn(UNTAGGED, 0, 0);

        assertThat(stranger.take().addressing().priority()).isEqualTo(wanted);
    }

    /** Non-DSCP mode: the greater traffic class, and its precedence; a priority without a VLAN makes a priority tag. */
    @ParameterizedTest(name = "listener {0}, SYN {1}")
    @CsvSource({
        "0, 0, 0, 0",
        "0x28, 0, 0x28, 1",
        "0, 0x68, 0x68, 3",
        "0xb8, 0x68, 0xb8, 5",
        "0x28, 0xe0, 0xe0, 7",
        // The SYN's ECN bits are not taken over.
        "0, 0x6b, 0x68, 3",
        "0, 0x03, 0, 0",
    })
    void answersWithTheGreaterTrafficClass(String ours, String theirs, String both, int priority) {
        listen("0.0.0.0:5000", Integer.decode(ours));
        for (FlowKey flow : List.of(TAGGED, UNTAGGED)) {
            stranger.syn(flow, 6, Integer.decode(theirs));

            TcpFrame.Addressing answer = stranger.take().addressing();
            assertThat(answer.flow()).isEqualTo(flow.reversed());
            assertThat(answer.trafficClass()).isEqualTo(Integer.decode(both));
            assertThat(answer.priority()).isEqualTo(priority);
        }
        long mismatches = ours.equals(theirs) ? 0 : 2;
        assertThat(station.cm().counters().value(CmCounter.TOS_MISMATCHES)).isEqualTo(mismatches);
    }

    /** DSCP mode: the listener's own traffic class, and what the map says of it; a priority of its own goes first. */
    @Test
    void answersByTheDscpMap() {
        lab.close();
        List<Integer> map = new java.util.ArrayList<>(Collections.nCopies(Marking.CODE_POINTS, 1));
        map.set(46, 6);
        try (Lab dscp = new Lab()) {
            station = dscp.station(new Marking.ByDscp(map), "10.0.0.1/24", "10.1.0.1/24@100");
            Stranger other = new Stranger(dscp.port(), 1);
            listen("10.0.0.1:5000", 46 << 2);
            within(station.cm().listen(ListenOptions.on(TAGGED.local()).tos(new Tos(0x20, 4)), new Events()));

            other.syn(UNTAGGED, 0, 0xe0);
            TcpFrame.Addressing mapped = other.take().addressing();
            other.syn(TAGGED, 0, 0xe0);
            TcpFrame.Addressing own = other.take().addressing();

            assertThat(List.of(mapped.priority(), mapped.trafficClass())).containsExactly(6, 46 << 2);
            assertThat(List.of(own.priority(), own.trafficClass())).containsExactly(4, 0x20);

            var _ = station.cm().connect(ConnectOptions.to(Flows.end("10.1.0.9:7")));
            TcpFrame.Addressing syn = other.take().addressing();
            assertThat(List.of(syn.priority(), syn.trafficClass(), syn.flow().vlan()))
                    .containsExactly(1, 0, 100);
        }
    }

    @Test
    void opensWithItsTrafficClassAndThePrecedenceOfIt() {
        var _ = station.cm().connect(ConnectOptions.to(Flows.end("10.1.0.9:7")).tos(new Tos(0xb8, -1)));

        TcpFrame.Addressing syn = stranger.take().addressing();

        assertThat(List.of(syn.priority(), syn.trafficClass(), syn.flow().vlan()))
                .containsExactly(5, 0xb8, 100);
    }

    private ListenHandle listen(String local) {
        return listen(local, 0);
    }

    private ListenHandle listen(String local, int trafficClass) {
        Tos tos = new Tos(trafficClass, Tos.FROM_TRAFFIC_CLASS);
        return within(station.cm().listen(ListenOptions.on(Flows.end(local)).tos(tos), new Events()));
    }

    private void assertAnswers(int flags, FlowKey... flows) {
        assertThat(stranger.take(flows.length))
                .allSatisfy(frame -> assertThat(frame.segment().flags()).isEqualTo(flags))
                .extracting(frame -> frame.addressing().flow().reversed())
                .containsExactlyInAnyOrder(flows);
    }
}
