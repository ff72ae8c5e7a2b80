package io.iwcm.nic.rnic;

import static io.iwcm.nic.rnic.CookieScene.ADDRESSES;
import static io.iwcm.nic.rnic.CookieScene.FLOW;
import static io.iwcm.nic.rnic.CookieScene.ISN;
import static io.iwcm.nic.rnic.CookieScene.USUAL;
import static io.iwcm.nic.rnic.CookieScene.ack;
import static io.iwcm.nic.rnic.CookieScene.answer;
import static io.iwcm.nic.rnic.CookieScene.cookieFor;
import static io.iwcm.nic.rnic.CookieScene.peer;
import static io.iwcm.nic.rnic.CookieScene.rig;
import static io.iwcm.nic.rnic.CookieScene.sent;
import static io.iwcm.nic.rnic.CookieScene.syn;
import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.OURS;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Rnic.IlqEntry;
import io.iwcm.nic.spi.Rnic.SynCompleted;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SYNs answered with cookies, and what brings them back (RFC 4987). A slot is a second here. */
class CookiesTest {

    private final RnicRig rig = rig(CookieMode.ALWAYS, 1_000);

    @Test
    void aSynIsAnsweredFromItsOwnFrameAndNothingIsStored() {
        rig.listen("10.1.0.1:5000", 100, 4, 8);
        RnicSnapshot.Held before = rig.held();
        FlowKey tagged = flow("10.1.0.1:5000", "10.1.0.2:33000", 100);
        rig.receive(FrameEncoder.tcp(
                new TcpFrame(new TcpFrame.Addressing(PEER, OURS, tagged.reversed(), 5, 0x48), syn(ISN, USUAL)), 7));
        TcpFrame sent = sent(rig).getFirst();
        assertThat(sent.addressing()).isEqualTo(new TcpFrame.Addressing(OURS, PEER, tagged, 5, 0x48));
        assertThat(sent.segment())
                .isEqualTo(new Segment(
                        sent.segment().seq(),
                        ISN.plus(1),
                        Segment.SYN | Segment.ACK,
                        65_535,
                        TcpOptions.ofSyn(1460, 2),
                        Octets.EMPTY));
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.COOKIES_SENT)).isEqualTo(1);
        assertThat(rig.takeIlq()).isEmpty();
    }

    @Test
    void theAnswerSaysWhatTheListenerOffersAndScalesOnlyIfTheSynDoes() {
        rig.order(new NicControl.Listen(
                1, ListenKey.of(flow("[fd00::1]:5000", "[fd00::2]:1")), 4, 8, new SynOffer(40_000, 3)));
        FlowKey flow = flow("[fd00::1]:5000", "[fd00::2]:33000");
        rig.receive(flow, syn(ISN, TcpOptions.ofSyn(1440, TcpOptions.ABSENT)));
        rig.receive(flow, syn(ISN, TcpOptions.ofSyn(1440, 0)));
        List<TcpFrame> sent = sent(rig);
        assertThat(sent.getFirst().segment().window()).isEqualTo(40_000);
        assertThat(sent.getFirst().segment().options()).isEqualTo(TcpOptions.ofSyn(1440, TcpOptions.ABSENT));
        assertThat(sent.getLast().segment().options()).isEqualTo(TcpOptions.ofSyn(1440, 3));
    }

    /** FC-47: congestion notification is asked for and not offered. */
    @Test
    @Tag("FC-47")
    void aSynWithDataAndCongestionFlagsIsASyn() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        rig.receive(
                FLOW,
                new Segment(
                        ISN,
                        seq(0),
                        Segment.SYN | Segment.ECE | Segment.CWR | Segment.PSH,
                        8192,
                        USUAL,
                        Octets.ofHex("616263")));
        Segment sent = sent(rig).getFirst().segment();
        assertThat(sent.flags()).isEqualTo(Segment.SYN | Segment.ACK);
        assertThat(sent.ack()).isEqualTo(ISN.plus(1));
    }

    @Test
    @Tag("FC-44")
    void onlyTheAckOfThisPeerAndThisSynCompletes() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum cookie = cookieFor(rig, FLOW);
        rig.receive(FLOW, ack(seq(2000), cookie));
        rig.receive(flow("10.0.0.1:5000", "10.0.0.2:33001"), ack(ISN, cookie));
        rig.receive(FLOW, ack(ISN, cookie.plus(1)));
        assertThat(rig.takeIlq()).isEmpty();
        assertThat(rig.take()).hasSize(3).allMatch(line -> line.contains(" R "));
        assertThat(rig.count(NicCounter.COOKIES_BAD)).isEqualTo(3);
        assertThat(rig.held().flows()).isZero();

        rig.receive(FLOW, ack(ISN, cookie));
        assertThat(rig.take())
                .containsExactly("ilq 1 " + FLOW + " A 1001 ack " + cookie.plus(1) + " listener completed");
        assertThat(rig.takeIlq().getFirst().completed())
                .contains(new SynCompleted(ISN, cookie, USUAL, SynOffer.DEFAULT));
        assertThat(rig.count(NicCounter.COOKIES_ACCEPTED)).isEqualTo(1);
    }

    @Test
    @Tag("FC-44")
    void anOldAckCompletesNothing() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum cookie = cookieFor(rig, FLOW);
        rig.pass(3 * SECOND);
        rig.receive(FLOW, ack(ISN, cookie));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " R " + cookie.plus(1));
        assertThat(rig.count(NicCounter.COOKIES_STALE)).isEqualTo(1);
        rig.pass(SECOND);
        rig.receive(FLOW, ack(ISN, cookie));
        assertThat(rig.takeIlq()).isEmpty();
        assertThat(rig.count(NicCounter.COOKIES_STALE)).isEqualTo(1);
        assertThat(rig.count(NicCounter.COOKIES_BAD)).isZero(); // No cookie is out any more: nothing is checked.
    }

    /** gVisor issue 6076. */
    @ParameterizedTest
    @ValueSource(ints = {Segment.RST | Segment.ACK, Segment.SYN | Segment.ACK, Segment.RST, Segment.PSH})
    void nothingButAnAckCompletes(int flags) {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum cookie = cookieFor(rig, FLOW);
        rig.receive(FLOW, answer(flags, ISN, cookie, ""));
        assertThat(rig.takeIlq()).isEmpty();
        assertThat(rig.held().flows()).isZero();
        assertThat(rig.count(NicCounter.COOKIES_ACCEPTED)).isZero();
    }

    @Test
    void aSegmentWithDataCompletesWhenTheAckIsLost() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum cookie = cookieFor(rig, FLOW);
        rig.receive(FLOW, answer(Segment.ACK | Segment.PSH, ISN, cookie, "request"));
        IlqEntry entry = rig.takeIlq().getFirst();
        assertThat(entry.completed()).isPresent();
        assertThat(entry.frame().segment().payload().length()).isEqualTo(7);
    }

    @Test
    void aSharedLinkIsNotReset() {
        RnicConfig config = RnicRig.quiet(ADDRESSES);
        RnicConfig.Behaviour b = config.behaviour();
        RnicRig shared = new RnicRig(
                RnicRig.behaving(
                        config,
                        new RnicConfig.Behaviour(
                                RnicConfig.Unmatched.DROP, 1000, 100, 100, false, b.timeWaitNs(), b.claimNs())),
                new SoftDevice(),
                CookieScene.cookies(CookieMode.ALWAYS, 10));
        shared.order(new NicControl.Attach(0, A));
        shared.listen("10.0.0.1:5000", 0, 4, 8);
        SeqNum cookie = cookieFor(shared, FLOW);
        shared.receive(FLOW, ack(ISN, cookie.plus(1)));
        assertThat(shared.take()).isEmpty();
        assertThat(shared.count(NicCounter.COOKIES_BAD)).isEqualTo(1);
        assertThat(shared.drops(Drop.NO_STEERING)).isEqualTo(1);
    }

    @Test
    void whoCannotBeAnsweredIsNot() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        for (MacAddress nobody : List.of(MacAddress.ZERO, MacAddress.BROADCAST, new MacAddress(0x01_00_5e_00_00_01L))) {
            rig.receive(FrameEncoder.tcp(
                    new TcpFrame(new TcpFrame.Addressing(nobody, OURS, FLOW.reversed(), 0, 0), syn(ISN, USUAL)), 7));
        }
        for (String nobody : List.of("10.0.0.255:1", "224.0.0.1:1", "10.0.0.1:1", "0.0.0.0:1")) {
            rig.receive(flow("10.0.0.1:5000", nobody), syn(ISN, USUAL));
        }
        assertThat(rig.take()).isEmpty();
        assertThat(rig.count(NicCounter.COOKIES_SENT)).isZero();
    }

    /** It takes less than a cookie can say: as if there were none. */
    @Test
    void aPeerWithATinyMssHasToBeHalfOpen() {
        rig.listen("10.0.0.1:5000", 0, 1, 8);
        rig.receive(FLOW, syn(ISN, TcpOptions.ofSyn(100, 7)));
        assertThat(rig.takeIlq()).hasSize(1);
        rig.install(A, peer(1));
        rig.receive(FLOW, syn(ISN, TcpOptions.ofSyn(100, 7)));
        assertThat(rig.drops(Drop.SYN_BACKLOG_FULL)).isEqualTo(1);
    }

    @Test
    void aListenerThatSentNoCookiesHasNoneToCheck() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        rig.listen("10.0.0.1:5001", 0, 4, 8);
        cookieFor(rig, FLOW);
        rig.receive(flow("10.0.0.1:5001", "10.0.0.2:33000"), segment("A", 1001, 77, ""));
        assertThat(rig.take()).hasSize(1).allMatch(line -> line.endsWith(" R 77"));
        assertThat(rig.count(NicCounter.COOKIES_BAD)).isZero();
    }
}
