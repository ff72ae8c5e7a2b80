package io.iwcm.nic.rnic;

import static io.iwcm.nic.rnic.HandOverTest.modify;
import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.B;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.Letter;
import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a dispatcher's flows when it goes and others are there. */
class SuccessionTest {

    private static final CreateAh CREATE_AH = new CreateAh(Path.DEFAULT);
    private static final AddQuadHash ADD = new AddQuadHash(Optional.empty());
    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");

    private record Saved(int number, List<QpId> queuePairs) implements Checkpoint {
        Saved(int number) {
            this(number, List.of());
        }

        @Override
        public String toString() {
            return "saved " + number;
        }
    }

    private record Note(String text) implements Letter {}

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");

    @BeforeEach
    void attachBoth() {
        rig.order(new NicControl.Attach(1, B));
    }

    @Test
    void anInstalledFlowGoesOnWithWhoIsLeftUnderAHigherEpoch() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)), new AddApbvt());
        RnicSnapshot.Held before = rig.held();
        rig.take();

        rig.order(new NicControl.Detach(5, A));

        long raised = epoch + 1;
        assertThat(rig.take()).containsExactly("adopt 2 " + FLOW + " epoch " + raised + " saved 3");
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.FLOWS_HANDED_ON)).isEqualTo(1);
        rig.receive(FLOW, segment("A", 1, 2, ""));
        rig.request(B, FLOW, raised, 1, 0, Optional.of(new Saved(4)), new Transmit(segment("A", 9, 9, "")));
        assertThat(rig.take())
                .containsExactly("ilq 2 " + FLOW + " A 1 ack 2", "> " + PEER + " tcp " + FLOW + " A 9 ack 9");
        assertThat(rig.rnic().checkpointOf(FLOW)).isEqualTo(Optional.of(new Saved(4)));
    }

    @Test
    void anIncarnationMayAdoptFromTheOneItReplaces() {
        rig.order(new NicControl.Detach(5, B));
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)));
        rig.take();

        rig.order(new NicControl.Attach(6, new Owner(7), Optional.of(A)));

        assertThat(rig.take()).containsExactly("adopt 7 " + FLOW + " epoch " + (epoch + 1) + " saved 3");
    }

    @Test
    void whoWakesUpLateIsFencedOff() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)));
        rig.order(new NicControl.Detach(5, A));
        RnicSnapshot.Held before = rig.held();
        rig.take();

        rig.request(A, FLOW, epoch, 4, 2, Optional.of(new Saved(99)), new Transmit(segment("R", 1, 1, "")));
        rig.request(A, FLOW, 0, 5, 2, Optional.of(new Saved(99)), new AddApbvt(), new DeleteQuadHash());
        rig.request(A, FLOW, epoch + 1, 6, 2, Optional.of(new Saved(99)), new DeleteQuadHash(), new FreeAh());
        rig.request(B, FLOW, epoch, 7, 2, Optional.of(new Saved(99)), new DeleteQuadHash(), new FreeAh());
        rig.order(new NicControl.Attach(8, A));
        rig.request(A, FLOW, 0, 9, 2, Optional.of(new Saved(99)), CREATE_AH, new DeleteQuadHash());
        rig.request(A, FLOW, epoch + 1, 9, 2, Optional.of(new Saved(99)), new DeleteQuadHash());

        assertThat(rig.take()).noneMatch(line -> line.startsWith("> ")).noneMatch(line -> line.startsWith("event 2"));
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.rnic().checkpointOf(FLOW)).isEqualTo(Optional.of(new Saved(3)));
    }

    @Test
    void whatWasNotAcknowledgedTravelsAlong() {
        rig.request(A, FLOW, 0, 1, 0, Optional.of(new Saved(1)), CREATE_AH);
        rig.resolve("10.0.0.2", PEER, 0);
        rig.request(A, FLOW, 0, 2, 1, Optional.of(new Saved(2)), ADD);
        long epoch = rig.rnic().epochOf(FLOW).orElseThrow();
        rig.take();

        rig.order(new NicControl.Detach(5, A));
        assertThat(rig.take()).containsExactly("adopt 2 " + FLOW + " epoch " + (epoch + 1) + " saved 2, 2 installed");
        rig.request(B, FLOW, epoch + 1, 1, 2, Optional.of(new Saved(3)));
        rig.order(new NicControl.Attach(6, A, Optional.of(B)));
        assertThat(rig.take()).containsExactly("adopt 1 " + FLOW + " epoch " + (epoch + 2) + " saved 3");
    }

    @Test
    void whatIsPreparedKeepsTheEpochItIsAdoptedUnder() {
        rig.request(A, FLOW, 0, 1, 0, Optional.of(new Saved(1)), CREATE_AH);
        rig.take();
        rig.order(new NicControl.Detach(5, A));
        long epoch = rig.takeAdopted().getFirst().adopt().epoch();
        assertThat(epoch).isPositive();

        rig.resolve("10.0.0.2", PEER, 0);
        rig.request(B, FLOW, epoch, 1, 1, Optional.of(new Saved(2)), ADD);
        rig.request(B, FLOW, epoch, 2, 1, Optional.of(new Saved(3)), new Transmit(segment("S", 1, 0, "")));

        assertThat(rig.rnic().epochOf(FLOW)).isEqualTo(Optional.of(epoch));
        assertThat(rig.take())
                .contains("event 2 " + FLOW + " epoch " + epoch + " handle ready 1500")
                .endsWith("event 2 " + FLOW + " epoch " + epoch + " installed", "> " + PEER + " tcp " + FLOW + " S 1");
    }

    @Test
    void whatCannotBeGoneOnWithIsGivenBack() {
        RnicSnapshot.Held before = rig.held();
        rig.opened("0.0.0.0:0", "10.0.0.9:4420");
        rig.request(A, flow("10.0.0.1:5000", "10.0.0.77:3"), 0, 1, CREATE_AH);
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, new Transmit(segment("SA", 100, 201, "")));
        rig.take();

        rig.order(new NicControl.Detach(5, A));

        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " RA 101 ack 201");
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void whatCanBeGoneOnWithWaitsWhenNobodyIsLeft() {
        long epoch = handedOver();
        RnicSnapshot.Held before = rig.held();

        rig.order(new NicControl.Detach(5, B));
        rig.order(new NicControl.Detach(6, A));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.held()).isEqualTo(before);
        rig.receive(FLOW, segment("R", 301, 0, ""));
        rig.order(new NicControl.Attach(7, new Owner(7)));

        assertThat(rig.take())
                .last()
                .asString()
                .startsWith("adopt 7 " + FLOW + " epoch " + (epoch + 1) + " saved 4")
                .endsWith("qp LLP_CONNECTION_RESET");
    }

    @Test
    void whatNoQueuePairHasIsResetWhenNobodyComesInTime() {
        RnicSnapshot.Held before = rig.held();
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)), new Transmit(segment("SA", 100, 201, "")));
        rig.order(new NicControl.Detach(5, B));
        rig.order(new NicControl.Detach(6, A));
        rig.take();

        rig.pass(120_000_000_000L);

        assertThat(rig.take()).contains("> " + PEER + " tcp " + FLOW + " RA 101 ack 201");
        assertThat(rig.held().flows()).isEqualTo(before.flows());
    }

    @Test
    void flowsEndWhenTheirDispatcherIsNotToHandThemOn() {
        RnicSnapshot.Held before = rig.held();
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)), new Transmit(segment("SA", 100, 201, "")));
        rig.take();

        rig.order(new NicControl.Detach(5, A, false));

        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + FLOW + " RA 101 ack 201");
        assertThat(rig.held()).isEqualTo(before);
    }

    @Test
    void queuePairsGoWithTheConnectionThatNamesThemAndTheOthersEnd() {
        QpId named = createQp(Optional.of(A));
        QpId lost = createQp(Optional.of(A));
        createQp(Optional.empty());
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3, List.of(named))));

        rig.order(new NicControl.Detach(5, A));
        assertThat(rig.held().qps()).isEqualTo(2);
        rig.request(B, FLOW, epoch + 1, 1, 2, Optional.of(new Saved(4, List.of(named))), modify(lost));
        rig.request(B, FLOW, epoch + 1, 2, 2, Optional.of(new Saved(5, List.of(named))), modify(named));
        assertThat(rig.take())
                .contains(
                        "event 2 " + FLOW + " epoch " + (epoch + 1) + " qp failed BAD_QP",
                        "event 2 " + FLOW + " epoch " + (epoch + 1) + " qp LLP_CONNECTION_ESTABLISHED");
        assertThat(rig.order(new NicControl.CreateQp(9, Optional.of(A)))).isInstanceOf(NicControl.Failed.class);
    }

    @Test
    void theLastWordsOfAConnectionStayUntilTheyAreAcknowledged() {
        RnicSnapshot.Held before = rig.held();
        long epoch = handedOver();
        rig.receive(FLOW, segment("R", 301, 0, ""));
        assertThat(rig.held().flows()).isEqualTo(1);
        rig.take();

        rig.order(new NicControl.Detach(5, A));
        assertThat(rig.take())
                .containsExactly("adopt 2 " + FLOW + " epoch " + (epoch + 1) + " saved 4, 4 qp LLP_CONNECTION_RESET");
        rig.request(A, FLOW, epoch, 9, 4, Optional.empty());
        assertThat(rig.held().flows()).isEqualTo(1);
        rig.request(B, FLOW, epoch + 1, 1, 4, Optional.empty());
        assertThat(rig.held().flows()).isEqualTo(before.flows());
        assertThat(rig.take()).isEmpty();
    }

    @Test
    void aFlowThatIsOverCanBeHadAnewWhileItsLastWordsWait() {
        long epoch = handedOver();
        rig.receive(FLOW, segment("R", 301, 0, ""));
        long second = rig.install(B, FLOW, Optional.empty());
        assertThat(second).isGreaterThan(epoch);
        rig.take();

        rig.request(A, FLOW, epoch, 9, 3, Optional.of(new Saved(9)), new Transmit(segment("A", 1, 1, "")));
        assertThat(rig.take()).isEmpty();
        rig.order(new NicControl.Attach(5, new Owner(5), Optional.of(A)));
        assertThat(rig.take())
                .singleElement()
                .asString()
                .contains("epoch " + (second + 1) + " saved 9, 4 qp LLP_CONNECTION_RESET");
        rig.receive(FLOW, segment("A", 1, 2, ""));
        assertThat(rig.take()).containsExactly("ilq 2 " + FLOW + " A 1 ack 2");
    }

    @Test
    void whoEndsAConnectionBeforeItsQueuePairDoesIsNotAskedToAcknowledge() {
        RnicSnapshot.Held before = rig.held();
        long epoch = handedOver();
        rig.request(A, FLOW, epoch, 5, 3, Optional.empty());
        rig.receive(FLOW, segment("R", 301, 0, ""));
        assertThat(rig.held().flows()).isEqualTo(before.flows());
    }

    @Test
    void eventsThatNobodyAcknowledgesAreKeptUpToALimit() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)));
        for (int i = 0; i < 40; i++) {
            rig.request(A, FLOW, epoch, 4 + i, 2, Optional.of(new Saved(3)), ADD);
        }
        rig.order(new NicControl.Detach(5, A));
        assertThat(rig.takeAdopted().getFirst().adopt().events())
                .hasSize(32)
                .last()
                .matches(event -> event.number() == 42);
        assertThat(rig.count(NicCounter.EVENTS_FORGOTTEN)).isEqualTo(8);
    }

    @Test
    void nothingIsOnTheWireThatTheCheckpointDoesNotKnow() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        List<Optional<Checkpoint>> storedWhenSent = new ArrayList<>();
        Rnic.Output wire = new Rnic.Output() {
            @Override
            public void transmit(byte[] frame) {
                storedWhenSent.add(rig.rnic().checkpointOf(FLOW));
            }

            @Override
            public void ilq(Owner to, Rnic.IlqEntry entry) {}

            @Override
            public void event(Owner to, Rnic.FlowEvent event) {}

            @Override
            public void deliver(Owner to, Rnic.Delivery delivery) {}

            @Override
            public void answer(NicControl.Answer answer) {}
        };
        NicRequest request = new NicRequest(
                FLOW, epoch, 3, 2, List.of(new Transmit(segment("A", 1, 1, ""))), Optional.of(new Saved(3)));

        rig.rnic().request(A, request, rig.nowNs(), wire);

        assertThat(storedWhenSent).containsExactly(Optional.of(new Saved(3)));
    }

    @Test
    void aLetterGoesToWhoOwnsTheFlowNow() {
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)));
        rig.take();
        rig.order(new NicControl.Forward(5, FLOW, new Note("one")));
        rig.order(new NicControl.Detach(6, A));
        rig.order(new NicControl.Forward(7, FLOW, new Note("two")));
        assertThat(rig.take())
                .containsExactly(
                        "letter 1 " + FLOW + " Note[text=one]",
                        "adopt 2 " + FLOW + " epoch " + (epoch + 1) + " saved 3",
                        "letter 2 " + FLOW + " Note[text=two]");
        FlowKey nobodys = flow("10.0.0.1:5000", "10.0.0.2:1");
        assertThat(rig.order(new NicControl.Forward(8, nobodys, new Note("three"))))
                .isEqualTo(new NicControl.Failed(8, Failure.NO_FLOW));
    }

    /** A connection of A that a queue pair of an application has; its last request was the fourth, its last event the third. */
    private long handedOver() {
        QpId qp = createQp(Optional.empty());
        long epoch = rig.install(A, FLOW, Optional.empty());
        rig.request(A, FLOW, epoch, 3, 2, Optional.of(new Saved(3)), modify(qp));
        rig.request(A, FLOW, epoch, 4, 3, Optional.of(new Saved(4)), new FreeAh());
        rig.take();
        return epoch;
    }

    private QpId createQp(Optional<Owner> owner) {
        return ((NicControl.QpCreated) rig.order(new NicControl.CreateQp(1, owner))).qp();
    }
}
