package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.listen;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.EnterTimeWait;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.MoveInBacklog;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** FC-83: a connection that is over still answers, and gives way to a new one by the book. */
class LingeringTest {

    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final String ACK = "> " + PEER + " tcp " + FLOW + " A 7000 ack 9000";

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");

    @BeforeEach
    void closeOneConnection() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        long epoch = rig.install(A, FLOW);
        rig.request(A, FLOW, epoch, 3, new EnterTimeWait(new TimeWaitRow(seq(7000), seq(9000), 512)), new FreeAh());
        rig.take();
    }

    @Test
    void lateSegmentsAreAcknowledgedAndResetsIgnored() {
        rig.receive(FLOW, segment("FA", 8999, 7000, ""));
        assertThat(rig.take()).containsExactly(ACK);
        rig.receive(FLOW, segment("PA", 8000, 6000, "old"));
        assertThat(rig.take()).containsExactly(ACK);
        rig.receive(FLOW, segment("R", 9000, 0, ""));
        rig.receive(FLOW, segment("RA", 9000, 7000, ""));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.rnic().snapshot().timeWaits()).isEqualTo(1);
    }

    @Test
    void aLateFinStartsItAgainAndThenItEnds() {
        rig.pass(50 * SECOND);
        rig.receive(FLOW, segment("FA", 8999, 7000, ""));
        rig.pass(59 * SECOND);
        assertThat(rig.rnic().snapshot().timeWaits()).isEqualTo(1);
        rig.pass(SECOND);
        assertThat(rig.rnic().snapshot().timeWaits()).isZero();
        rig.take();
        rig.receive(FLOW, segment("FA", 8999, 7000, ""));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " R 7000");
    }

    @Test
    void aSynBeyondGoesToTheListenerWithTheNumberOursMustExceed() {
        rig.receive(FLOW, syn(9001));
        assertThat(rig.take()).containsExactly("ilq 1 " + FLOW + " S 9001 listener isn above 7000");
        rig.receive(FLOW, syn(9000));
        assertThat(rig.take()).containsExactly(ACK);
    }

    @Test
    void itEndsWhenTheNewHandshakeIsComplete() {
        rig.receive(FLOW, syn(9001));
        long epoch = rig.install(A, FLOW);
        rig.take();
        rig.receive(FLOW, segment("A", 9002, 20000, ""));
        assertThat(rig.take()).containsExactly("ilq 1 " + FLOW + " A 9002 ack 20000");
        assertThat(rig.rnic().snapshot().timeWaits()).isEqualTo(1);
        rig.request(A, FLOW, epoch, 3, new MoveInBacklog(BacklogPlace.WAITING));
        assertThat(rig.rnic().snapshot().timeWaits()).isZero();
    }

    @Test
    void itGoesOnWhenTheSynWasAnOldDuplicate() {
        rig.receive(FLOW, syn(9001));
        long epoch = rig.install(A, FLOW);
        rig.request(A, FLOW, epoch, 3, new DeleteQuadHash(), new FreeAh());
        rig.take();
        rig.receive(FLOW, segment("PA", 8000, 6000, "old"));
        assertThat(rig.take()).containsExactly(ACK);
    }

    @Test
    void aSynBeyondWithNobodyListeningIsRefused() {
        rig.order(new NicControl.Unlisten(1, listen("10.0.0.1:5000", 0)));
        rig.receive(FLOW, syn(9001));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " RA 0 ack 9002");
    }
}
