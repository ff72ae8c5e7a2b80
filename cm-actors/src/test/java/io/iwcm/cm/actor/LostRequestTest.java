package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.BucketScene.PASSIVE;
import static io.iwcm.cm.actor.BucketScene.caught;
import static io.iwcm.cm.actor.BucketScene.flagsOf;
import static io.iwcm.cm.actor.BucketScene.has;
import static io.iwcm.cm.actor.BucketScene.known;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The peer resets while the application decides: the flow is free at once, the application's answer still has its place. */
@DisplayName("A request whose connection is lost")
@Tag("FC-28")
@Tag("FC-40")
class LostRequestTest {

    private final BucketScene scene = new BucketScene().serve();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void givesItsFlowBackAtOnceAndKeepsNoCheckpoint() {
        scene.requested();
        NicRequest given = reset(PASSIVE);

        assertThat(has(given, NicCommand.DeleteQuadHash.class)).isTrue();
        assertThat(has(given, NicCommand.FreeAh.class)).isTrue();
        assertThat(given.checkpoint()).isEmpty();
        scene.awaitStates(StateName.MPAREQ_RCVD);
    }

    @Test
    void isNoObstacleToANewConnectionOfTheSameFlow() {
        CmConnection lost = scene.requested();
        reset(PASSIVE);

        CmConnection fresh = scene.requested();

        assertThat(fresh.flow()).isEqualTo(lost.flow());
        scene.awaitStates(StateName.MPAREQ_RCVD, StateName.MPAREQ_RCVD);
        assertThat(call(lost, accept())).isEqualTo(Cause.RESET);
        scene.awaitStates(StateName.MPAREQ_RCVD);
        assertThat(call(fresh, new CmConnection.Reject(Octets.EMPTY))).isEqualTo(Cause.NONE);
        assertThat(flagsOf(scene.request())).containsExactly(Segment.ACK | Segment.PSH | Segment.FIN);
    }

    @Test
    void canStillBeRejected() {
        CmConnection lost = scene.requested();
        reset(PASSIVE);
        scene.requested();

        assertThat(call(lost, new CmConnection.Reject(Octets.EMPTY))).isEqualTo(Cause.NONE);
        scene.awaitStates(StateName.MPAREQ_RCVD);
        scene.bridge.expectNoMessage();
    }

    @Test
    void failsAnAcceptAsTheDestroyedListenerHasIt() {
        CmConnection lost = scene.requested();
        scene.bucket.tell(new IlqDispatcher.ListenerGone(7));
        assertThat(flagsOf(scene.request())).containsExactly(Segment.ACK | Segment.RST);
        scene.serve().requested();

        assertThat(call(lost, accept())).isEqualTo(Cause.INVALID);
    }

    @Test
    void isOneOfABoundedNumber() {
        List<CmConnection> lost = new ArrayList<>();
        for (int i = 0; i <= NodeTable.AWAITING_ANSWER_MAX; i++) {
            FlowKey flow = Flows.flow("10.0.0.1:4420", "10.0.0.3:" + (2_000 + i));
            lost.add(scene.requested(flow));
            reset(flow);
        }

        scene.bridge.awaitAssert(() -> {
            assertThat(scene.counters.value(CmCounter.LOST_REQUESTS_DROPPED)).isEqualTo(1);
            assertThat(scene.nodes()).hasSize(NodeTable.AWAITING_ANSWER_MAX);
            return true;
        });
        TestProbe<Cause> answer = scene.kit.createTestProbe();
        lost.getFirst().call(accept(), answer.ref());
        scene.answer(order -> new NicControl.Failed(order.id(), NicEvent.Failure.NO_FLOW));
        answer.expectMessage(Cause.RESET);
        assertThat(call(lost.getLast(), accept())).isEqualTo(Cause.RESET);
    }

    /** Events of the flow's former life are not for the connection that has lost it. */
    @Test
    void hearsNothingOfItsFormerFlow() {
        scene.requested();
        reset(PASSIVE);
        scene.event(PASSIVE, new NicEvent.Superseded());
        scene.deliver(known(PASSIVE, BucketScene.mpaRequest()));
        scene.expectGrant(1);

        scene.awaitStates(StateName.MPAREQ_RCVD);
        assertThat(scene.counters.value(CmCounter.ILQ_UNKNOWN_FLOW)).isEqualTo(1);
        scene.deliver(caught(PASSIVE, BucketScene.syn()));
        assertThat(has(scene.request(), NicCommand.CreateAh.class)).isTrue();
    }

    private NicRequest reset(FlowKey flow) {
        scene.deliver(known(
                flow,
                new Segment(
                        new SeqNum(BucketScene.PEER_ISN + 1 + 28),
                        new SeqNum(0),
                        Segment.RST,
                        0,
                        TcpOptions.NONE,
                        Octets.EMPTY)));
        scene.expectGrant(1);
        return scene.request();
    }

    private Cause call(CmConnection connection, CmConnection.Call call) {
        TestProbe<Cause> answer = scene.kit.createTestProbe();
        connection.call(call, answer.ref());
        return answer.receiveMessage();
    }

    private static CmConnection.Accept accept() {
        return new CmConnection.Accept(Optional.of(new QpId(3)), Optional.empty(), Octets.EMPTY);
    }
}
