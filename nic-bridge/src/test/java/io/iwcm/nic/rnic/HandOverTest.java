package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.mac;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.AbortQp;
import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.CloseQp;
import io.iwcm.nic.spi.NicCommand.DeleteApbvt;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.ModifyQp;
import io.iwcm.nic.spi.NicCommand.Reinject;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From ModifyQp to the end: the queue pair has the flow's frames. Our next number is 101, the peer's 301. */
class HandOverTest {

    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final Octets LSMM = Octets.ofHex("4d504120494420526570204672616d65 4001 0000");

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");
    private final RnicSnapshot.Held before = rig.held();
    private QpId qp = new QpId(1);
    private long epoch;

    @BeforeEach
    void acceptOneConnection() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        qp = created();
        epoch = rig.install(A, FLOW);
        rig.take();
    }

    @Test
    void theQueuePairSendsTheReplyAndItsSegmentsNeverSeeTheIlq() {
        handOver(3);
        assertThat(rig.take()).containsExactly(event("LLP_CONNECTION_ESTABLISHED"), tcp("PA 101 ack 301 +20"));
        rig.receive(FLOW, segment("A", 301, 121, ""));
        assertThat(rig.take()).containsExactly(event("LSMM_ACKNOWLEDGED"));
        assertThat(rig.takeIlq()).isEmpty();
        assertThat(rig.held().halfOpen()).as("the backlog place is given back").isZero();
    }

    /** What ICMP says of an established connection is not acted upon (RFC 5927 §5.2). */
    @Test
    void icmpErrorsAboutItAreCountedAndNothingElse() {
        handOver(3);
        rig.take();
        rig.receive(IcmpErrorTest.error(FLOW, 3, 3, 0));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.count(NicCounter.ICMP_ABOUT_QP)).isEqualTo(1);
        assertThat(rig.count(NicCounter.ICMP_ERRORS)).isZero();
    }

    @Test
    void theConnectionsHandleAndPortGoWithoutHarm() {
        rig.request(A, FLOW, epoch, 3, new AddApbvt());
        handOver(4);
        rig.request(A, FLOW, epoch, 5, new DeleteApbvt(), new DeleteQuadHash(), new FreeAh());
        rig.take();
        rig.receive(FLOW, segment("PA", 301, 121, "x"));
        rig.pass(SECOND);
        assertThat(rig.take()).as("it still sends").contains(tcp("A 121 ack 302"));
        assertThat(rig.takeIlq()).isEmpty();
    }

    @Test
    void theConnectionSendsNothingAnyMore() {
        handOver(3);
        rig.take();
        rig.request(A, FLOW, epoch, 4, new Transmit(segment("A", 101, 301, "")));
        assertThat(rig.take()).isEmpty();
    }

    @Test
    void segmentsThatWereStillUnderWayGoBack() {
        handOver(3);
        rig.take();
        rig.request(A, FLOW, epoch, 4, new Reinject(segment("A", 301, 121, "")));
        assertThat(rig.take()).containsExactly(event("LSMM_ACKNOWLEDGED"));
    }

    @Test
    void theReplyIsRepeatedOnTimeToWhereTheNextHopIsNow() {
        handOver(3);
        rig.take();
        rig.receiveArp(
                ArpPacket.announcement(mac(7), (Ipv4Address) FLOW.remote().address()), MacAddress.BROADCAST, 0);
        rig.take();
        rig.pass(SECOND);
        assertThat(rig.take()).contains("> " + mac(7) + " tcp " + FLOW + " PA 101 ack 301 +20");
    }

    @Test
    void whoClosesFirstLeavesATimeWaitRowAndNothingElse() {
        RnicSnapshot.Held listening = listening();
        handOver(3);
        rig.request(A, FLOW, epoch, 4, new CloseQp(qp));
        rig.receive(FLOW, segment("FA", 301, 122, ""));
        assertThat(rig.take()).contains(event("LLP_CLOSE_COMPLETE"), tcp("A 122 ack 302"));
        assertThat(rig.rnic().snapshot().timeWaits()).isEqualTo(1);
        rig.receive(FLOW, segment("FA", 301, 122, ""));
        assertThat(rig.take()).containsExactly(tcp("A 122 ack 302"));
        rig.request(A, FLOW, epoch, 5, new DeleteApbvt(), new FreeAh());
        rig.order(new NicControl.DestroyQp(7, qp));
        assertThat(rig.held()).isEqualTo(listening);
    }

    @Test
    void aResetOfThePeerEndsItAndGivesEverythingBack() {
        RnicSnapshot.Held listening = listening();
        handOver(3);
        rig.take();
        rig.receive(FLOW, segment("R", 301, 0, ""));
        assertThat(rig.take()).containsExactly(event("LLP_CONNECTION_RESET"));
        rig.order(new NicControl.DestroyQp(7, qp));
        assertThat(rig.held()).isEqualTo(listening);
        assertThat(rig.rnic().nextDeadlineNs()).as("neighbours only").isGreaterThan(rig.nowNs() + 20 * SECOND);
    }

    @Test
    void anAbortResetsThePeer() {
        RnicSnapshot.Held listening = listening();
        handOver(3);
        rig.take();
        rig.request(A, FLOW, epoch, 4, new AbortQp(new QpId(77)));
        assertThat(rig.take()).as("not its queue pair").isEmpty();
        rig.request(A, FLOW, epoch, 5, new AbortQp(qp), new FreeAh());
        assertThat(rig.take()).hasSize(2).first().asString().startsWith(tcp("RA "));
        rig.order(new NicControl.DestroyQp(7, qp));
        assertThat(rig.held()).isEqualTo(listening);
    }

    @Test
    void destroyingAQueuePairResetsItsConnection() {
        RnicSnapshot.Held listening = listening();
        handOver(3);
        rig.take();
        rig.order(new NicControl.DestroyQp(7, qp));
        rig.order(new NicControl.DestroyQp(8, qp));
        assertThat(rig.take()).hasSize(2).first().asString().startsWith(tcp("RA "));
        assertThat(rig.held()).isEqualTo(listening);
    }

    @Test
    void aDispatcherThatGoesTakesItsHandedOverConnectionsAlong() {
        RnicSnapshot.Held listening = listening();
        handOver(3);
        rig.take();
        rig.order(new NicControl.Detach(7, A));
        assertThat(rig.take()).first().asString().startsWith(tcp("RA "));
        rig.order(new NicControl.DestroyQp(7, qp));
        assertThat(rig.held()).isEqualTo(listening);
    }

    @Test
    void aHandOverIsAnsweredAgainAndNotDoneAgain() {
        handOver(3);
        rig.take();
        handOver(3);
        assertThat(rig.take()).containsExactly(event("LLP_CONNECTION_ESTABLISHED"));
    }

    @Test
    void aQueuePairServesOneConnection() {
        handOver(3);
        FlowKey other = flow("10.0.0.1:5000", "10.0.0.2:2");
        long second = rig.install(A, other);
        rig.take();
        rig.request(A, other, second, 3, modify(qp));
        rig.request(A, other, second, 4, modify(new QpId(4711)));
        rig.receive(FLOW, segment("R", 301, 0, ""));
        rig.request(A, other, second, 5, modify(qp));
        rig.request(A, other, second, 5, modify(qp));
        String refused = "event 1 " + other + " epoch " + second + " qp failed BAD_QP";
        assertThat(rig.take()).containsExactly(refused, refused, event("LLP_CONNECTION_RESET"), refused, refused);
        rig.receive(other, segment("A", 301, 101, ""));
        assertThat(rig.take()).containsExactly("ilq 1 " + other + " A 301 ack 101");
    }

    @Test
    void aFlowThatCannotSendOrIsNotInTheQuadHashIsNotHandedOver() {
        rig.request(A, FLOW, epoch, 3, new FreeAh(), modify(qp));
        assertThat(rig.take()).containsExactly("event 1 " + FLOW + " epoch " + epoch + " qp failed DEVICE");
        rig.order(new NicControl.DestroyQp(7, qp));
        rig.order(new NicControl.Unlisten(8, ListenKey.of(FLOW)));
        rig.request(A, FLOW, epoch, 4, new DeleteQuadHash());
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void asManyQueuePairsAsMay() {
        RnicConfig.Limits limits = RnicConfig.Limits.DEFAULT;
        RnicRig small = new RnicRig(RnicRig.limited(
                RnicRig.quiet("10.0.0.1/24"), new RnicConfig.Limits(8, 8, 8, 2, 8, 8, 8, limits.neighbours())));
        NicControl.QpCreated first = (NicControl.QpCreated) small.order(new NicControl.CreateQp(1));
        small.order(new NicControl.CreateQp(2));
        assertThat(small.order(new NicControl.CreateQp(3))).isEqualTo(new NicControl.Failed(3, Failure.RESOURCES));
        assertThat(small.count(NicCounter.QPS_REFUSED)).isEqualTo(1);
        small.order(new NicControl.DestroyQp(4, first.qp()));
        assertThat(small.order(new NicControl.CreateQp(5))).isInstanceOf(NicControl.QpCreated.class);
    }

    /** What is held when the connection and its queue pair are gone and only the listener is left. */
    private RnicSnapshot.Held listening() {
        RnicSnapshot.Held h = before;
        return new RnicSnapshot.Held(h.flows(), 1, 0, 0, 1, h.handles(), h.qps(), h.underWay());
    }

    private QpId created() {
        return ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(1))).qp();
    }

    private void handOver(long id) {
        rig.request(A, FLOW, epoch, id, modify(qp));
    }

    static ModifyQp modify(QpId qp) {
        return modify(qp, LSMM);
    }

    /** Without an MPA reply it is the initiator's. */
    static ModifyQp modify(QpId qp, Octets lsmm) {
        return new ModifyQp(qp, handOver(lsmm));
    }

    static HandOver handOver(Octets lsmm) {
        TcpHandOver tcp = new TcpHandOver(
                new TcpHandOver.SendSide(seq(101), seq(101), 8192, 8192, 0),
                new TcpHandOver.ReceiveSide(seq(301), 8192, 0),
                1460,
                Octets.EMPTY,
                Octets.EMPTY,
                false);
        RdmaParams rdma =
                new RdmaParams(lsmm.isEmpty(), new ReadDepths(4, 4), true, false, false, false, Optional.empty());
        return new HandOver(tcp, rdma, lsmm);
    }

    private String event(String code) {
        return "event 1 " + FLOW + " epoch " + epoch + " qp " + code;
    }

    private static String tcp(String text) {
        return "> " + PEER + " tcp " + FLOW + " " + text;
    }
}
