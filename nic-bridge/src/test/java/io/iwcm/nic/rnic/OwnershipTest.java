package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.B;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteApbvt;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.MoveInBacklog;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose a flow is: the first owns, epochs fence, requests count once, and nobody's flows end. */
class OwnershipTest {

    private static final CreateAh CREATE_AH = new CreateAh(Path.DEFAULT);
    private static final AddQuadHash ADD = new AddQuadHash(Optional.empty());
    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final String EVENT = " " + FLOW + " epoch ";

    private record Saved(int number) implements Checkpoint {}

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");

    @BeforeEach
    void attachBoth() {
        rig.order(new NicControl.Attach(1, B));
    }

    @Test
    void theFirstOwnsAndTheSecondIsToldThatTheQuadIsTaken() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        RnicSnapshot.Held before = rig.held();
        rig.take();
        rig.request(B, FLOW, 0, 1, CREATE_AH);
        rig.request(B, FLOW, 0, 2, ADD, new AddApbvt());
        rig.request(B, FLOW, 0, 3, new Transmit(syn(1)));
        rig.request(B, FLOW, 0, 4, new DeleteQuadHash(), new DeleteApbvt(), new FreeAh());
        assertThat(rig.take())
                .containsExactly(
                        "event 2" + EVENT + epoch + " handle failed QUAD_TAKEN",
                        "event 2" + EVENT + epoch + " steering failed QUAD_TAKEN");
        assertThat(rig.held()).isEqualTo(before);
        rig.receive(FLOW, segment("A", 1, 2, ""));
        assertThat(rig.take()).containsExactly("ilq 1 " + FLOW + " A 1 ack 2");
        assertThat(rig.count(NicCounter.QUAD_TAKEN)).isEqualTo(4);
    }

    @Test
    void aRequestIsCarriedOutOnceAndAnsweredEachTime() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, new Transmit(syn(1)), new AddApbvt());
        rig.request(A, FLOW, epoch, 3, new Transmit(syn(1)), new AddApbvt());
        rig.take();
        rig.request(A, FLOW, 0, 1, CREATE_AH);
        rig.request(A, FLOW, 0, 2, ADD);
        assertThat(rig.take())
                .containsExactly(
                        "event 1" + EVENT + epoch + " handle ready 1500", "event 1" + EVENT + epoch + " installed");
        assertThat(rig.count(NicCounter.PKT_SENT)).isEqualTo(1);
        assertThat(rig.count(NicCounter.REQUESTS_REPEATED)).isEqualTo(3);
        rig.request(A, FLOW, epoch, 4, new DeleteApbvt());
        assertThat(rig.held().ports()).isZero();
    }

    @Test
    void aRequestThatWasLostCountsWhenItIsRepeatedLate() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.take();
        rig.request(A, FLOW, epoch, 4, new Saved(4), new Transmit(segment("A", 2, 2, "")));
        rig.request(A, FLOW, epoch, 3, new Saved(3), new Transmit(segment("A", 1, 1, "")));
        rig.request(A, FLOW, epoch, 3, new Saved(3), new Transmit(segment("A", 1, 1, "")));
        assertThat(rig.take())
                .containsExactly(
                        "> " + PEER + " tcp " + FLOW + " A 2 ack 2", "> " + PEER + " tcp " + FLOW + " A 1 ack 1");
        assertThat(rig.rnic().checkpointOf(FLOW)).isEqualTo(Optional.of(new Saved(4)));
    }

    @Test
    void whoSleptThroughHisConnectionDoesNoHarmToTheNext() {
        long old = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, old, 3, new DeleteQuadHash(), new FreeAh());
        long fresh = rig.install(B, FLOW, Optional.empty());
        RnicSnapshot.Held before = rig.held();
        rig.take();
        rig.request(A, FLOW, old, 4, new Saved(9), new Transmit(syn(1)), new AddApbvt());
        rig.request(A, FLOW, old, 5, new DeleteQuadHash(), new FreeAh());
        assertThat(rig.take()).containsExactly("event 1" + EVENT + fresh + " superseded");
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.rnic().checkpointOf(FLOW)).isEmpty();
        assertThat(rig.count(NicCounter.SUPERSEDED)).isEqualTo(1);
        rig.request(B, FLOW, fresh, 3, new Transmit(syn(1)));
        assertThat(rig.take()).hasSize(1);
    }

    @Test
    void whatIsOrderedForAFlowThatIsGoneIsSupersededButTidyingUpIsNot() {
        long old = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, old, 3, new DeleteQuadHash());
        rig.take();
        rig.request(A, FLOW, old, 4, new FreeAh(), new DeleteApbvt());
        assertThat(rig.take()).isEmpty();
        rig.request(A, FLOW, old, 5, new Transmit(syn(1)));
        rig.request(A, FLOW, old, 6, new Saved(6), new MoveInBacklog(BacklogPlace.WAITING));
        assertThat(rig.take()).containsExactly("event 1" + EVENT + "0 superseded", "event 1" + EVENT + "0 superseded");
    }

    @Test
    void whoIsNotAttachedOwnsNothing() {
        Owner stranger = new Owner(99);
        rig.request(stranger, FLOW, 0, 1, CREATE_AH);
        assertThat(rig.take()).containsExactly("event 99" + EVENT + "0 superseded");
        assertThat(rig.held().flows()).isZero();
    }

    @Test
    void whatIsPreparedAndNeverInstalledIsGivenBackInTime() {
        RnicSnapshot.Held before = rig.held();
        rig.request(A, FLOW, 0, 1, CREATE_AH, new AddApbvt());
        rig.resolve("10.0.0.2", PEER, 0);
        rig.pass(59 * SECOND);
        assertThat(rig.held()).isNotEqualTo(before);
        rig.pass(2 * SECOND);
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.FLOWS_EXPIRED)).isEqualTo(1);
    }

    @Test
    void anInstalledFlowStaysHoweverLongItIsQuiet() {
        rig.install(A, FLOW, Optional.empty());
        rig.pass(10_000 * SECOND);
        assertThat(rig.rnic().epochOf(FLOW)).isPresent();
    }

    @Test
    void theFlowsOfADispatcherThatGoesAreResetAndGivenBack() {
        RnicSnapshot.Held before = rig.held();
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, new AddApbvt(), new Transmit(segment("SA", 100, 201, "")));
        rig.request(A, FLOW, epoch, 4, new Transmit(segment("PA", 101, 301, "abc")));
        FlowKey fresh = flow("10.0.0.1:5000", "10.0.0.2:2");
        rig.install(A, fresh, Optional.empty());
        FlowKey preparing = flow("10.0.0.1:5000", "10.0.0.77:3");
        rig.request(A, preparing, 0, 1, CREATE_AH);
        FlowKey other = flow("10.0.0.1:5000", "10.0.0.2:4");
        rig.install(B, other, Optional.empty());
        rig.take();

        rig.order(new NicControl.Detach(5, A));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " RA 104 ack 301");
        assertThat(rig.held().flows()).isEqualTo(1);
        assertThat(rig.count(NicCounter.FLOWS_ORPHANED)).isEqualTo(3);

        rig.request(A, FLOW, epoch, 5, new Transmit(syn(1)));
        assertThat(rig.take()).containsExactly("event 1" + EVENT + "0 superseded");
        rig.request(B, other, 0, 3, new DeleteQuadHash(), new FreeAh());
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void ordersOfARequestTakeEffectInOrder() {
        RnicSnapshot.Held before = rig.held();
        rig.install(A, FLOW, Optional.empty());
        rig.take();
        rig.request(
                A,
                FLOW,
                0,
                3,
                new Transmit(segment("R", 1, 0, "")),
                new DeleteQuadHash(),
                new FreeAh(),
                new Transmit(segment("R", 2, 0, "")));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " R 1");
        assertThat(rig.held()).isEqualTo(before);
    }
}
