package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.CloseQp;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteApbvt;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.ModifyQp;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FC-58, as far as the NIC: who talks to us from here never touches the link. */
class LoopbackTest {

    private static final CreateAh CREATE_AH = new CreateAh(new Path(3, 0x20));
    private static final AddQuadHash ADD = new AddQuadHash(Optional.empty());

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "10.0.0.3/24", "fd00::1/64", "10.1.0.1/24@100");

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:0, 10.0.0.1:5000, 0",
        "10.0.0.1:0, 10.0.0.3:5000, 0",
        "[::]:0, [fd00::1]:5000, 0",
        "0.0.0.0:0, 10.1.0.1:5000, 100",
        "127.0.0.1:0, 127.0.0.1:5000, 0",
        "[::]:0, [::1]:5000, 0",
    })
    void aSynTurnsRoundToTheListenerAndItsAnswerBack(String local, String remote, int vlan) {
        rig.listen(remote, vlan, 4, 4);
        RnicSnapshot.Held before = rig.held();
        FlowKey out = ((NicControl.FlowOpened) rig.open(local, remote, 0)).flow();
        FlowKey in = out.reversed();
        rig.request(A, out, 0, 1, CREATE_AH);
        rig.request(A, out, 0, 2, ADD, new AddApbvt());
        rig.take();
        rig.request(A, out, 0, 3, new Transmit(syn(100)));
        assertThat(rig.take()).containsExactly("ilq 1 " + in + " priority 3 S 100 listener");

        rig.request(A, in, 0, 1, CREATE_AH, new AddQuadHash(Optional.of(ListenKey.of(in))));
        rig.take();
        rig.request(A, in, 0, 2, new Transmit(segment("SA", 500, 101, "")));
        assertThat(rig.take()).containsExactly("ilq 1 " + out + " priority 3 SA 500 ack 101");

        rig.request(A, in, 0, 3, new DeleteQuadHash(), new FreeAh());
        rig.request(A, out, 0, 4, new DeleteApbvt(), new DeleteQuadHash(), new FreeAh());
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.FRAMES_TRANSMITTED)).isZero();
        assertThat(rig.count(NicCounter.SENT_PKT_Q)).isEqualTo(2);
    }

    @Test
    void withoutAListenerItIsRefusedAtOnceEvenOnASharedLink() {
        RnicConfig.Behaviour b = RnicConfig.Behaviour.DEFAULT;
        RnicRig shared = new RnicRig(RnicRig.behaving(
                RnicRig.quiet("10.0.0.1/24"),
                new RnicConfig.Behaviour(
                        RnicConfig.Unmatched.DROP, 1000, 100, 100, false, b.timeWaitNs(), b.claimNs())));
        shared.order(new NicControl.Attach(1, A));
        FlowKey out = shared.opened("0.0.0.0:0", "10.0.0.1:5000");
        shared.request(A, out, 0, 1, CREATE_AH, ADD, new Transmit(syn(100)));
        assertThat(shared.take()).endsWith("ilq 1 " + out + " priority 3 RA 0 ack 101");
    }

    @Test
    void framesComeRoundInOrder() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        FlowKey out = rig.opened("0.0.0.0:0", "10.0.0.1:5000");
        rig.request(A, out, 0, 1, CREATE_AH, ADD);
        rig.take();
        rig.request(A, out, 0, 2, new Transmit(syn(1)), new Transmit(syn(2)), new Transmit(syn(3)));
        assertThat(rig.take())
                .extracting(line -> line.replaceAll(".* S (\\d).*", "$1"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void theWayRoundIsBounded() {
        RnicConfig.Limits limits = RnicConfig.Limits.DEFAULT;
        RnicRig small = new RnicRig(RnicRig.limited(
                RnicRig.quiet("10.0.0.1/24"), new RnicConfig.Limits(8, 8, 8, 8, 8, 2, 8, limits.neighbours())));
        small.order(new NicControl.Attach(1, A));
        small.listen("10.0.0.1:5000", 0, 4, 4);
        FlowKey out = small.opened("0.0.0.0:0", "10.0.0.1:5000");
        small.request(A, out, 0, 1, CREATE_AH, ADD);
        small.take();
        small.request(A, out, 0, 2, new Transmit(syn(1)), new Transmit(syn(2)), new Transmit(syn(3)));
        assertThat(small.take()).hasSize(2);
        assertThat(small.count(NicCounter.BUF_ALLOC_FAIL)).isEqualTo(1);
        assertThat(small.drops(Drop.LINK_QUEUE_FULL)).isEqualTo(1);
    }

    @Test
    void anAddressThatGoesTakesItsFramesAlong() {
        rig.listen("10.0.0.3:5000", 0, 4, 4);
        FlowKey out = rig.opened("10.0.0.1:0", "10.0.0.3:5000");
        rig.request(A, out, 0, 1, CREATE_AH, ADD);
        rig.order(new NicControl.RemoveAddress(1, out.remote().address(), 0));
        rig.take();
        rig.request(A, out, 0, 2, new Transmit(syn(1)));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.ADDRESS_NOT_LOCAL)).isEqualTo(1);
    }

    /** Two queue pairs of one NIC: MPA reply, acknowledgement and both FINs in one turn, without recursion. */
    @Test
    void twoQueuePairsOfOneNicCloseWithEachOther() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        RnicSnapshot.Held before = rig.held();
        FlowKey out = rig.opened("0.0.0.0:0", "10.0.0.1:5000");
        FlowKey in = out.reversed();
        rig.request(A, out, 0, 1, CREATE_AH, ADD);
        rig.request(A, in, 0, 1, CREATE_AH, new AddQuadHash(Optional.of(ListenKey.of(in))));
        QpId one = ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(1))).qp();
        QpId two = ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(2))).qp();
        rig.request(A, in, 0, 2, HandOverTest.modify(one));
        rig.request(A, out, 0, 2, mirrored(two));
        rig.take();
        rig.request(A, out, 0, 3, new CloseQp(two));
        rig.request(A, in, 0, 3, new CloseQp(one));
        rig.pass(5 * SECOND);
        assertThat(rig.take())
                .filteredOn(line -> line.contains("CLOSE_COMPLETE"))
                .extracting(line -> line.contains(out.toString()))
                .containsExactlyInAnyOrder(true, false);
        assertThat(rig.rnic().snapshot().timeWaits()).isPositive();
        rig.order(new NicControl.DestroyQp(3, one));
        rig.order(new NicControl.DestroyQp(4, two));
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.FRAMES_TRANSMITTED)).isZero();
    }

    /** The initiator's end of {@link HandOverTest#modify}: it has the reply, 20 octets from 101 on. */
    private static ModifyQp mirrored(QpId qp) {
        HandOver other = HandOverTest.handOver(Octets.EMPTY);
        TcpHandOver tcp = other.tcp();
        return new ModifyQp(
                qp,
                new HandOver(
                        new TcpHandOver(
                                new TcpHandOver.SendSide(
                                        tcp.receive().nxt(), tcp.receive().nxt(), 8192, 8192, 0),
                                new TcpHandOver.ReceiveSide(tcp.send().nxt().plus(20), 8192, 0),
                                1460,
                                Octets.EMPTY,
                                Octets.EMPTY,
                                false),
                        other.rdma(),
                        Octets.EMPTY));
    }
}
