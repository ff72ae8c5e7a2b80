package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.BucketScene.caught;
import static io.iwcm.cm.actor.BucketScene.flagsOf;
import static io.iwcm.cm.actor.BucketScene.known;
import static io.iwcm.cm.actor.BucketScene.mpaRequest;
import static io.iwcm.cm.actor.BucketScene.syn;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.ListenOrder.AnswerPolicy;
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
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners that answer requests themselves. */
class BucketPolicyTest {

    private static final CmConnection.Accept ACCEPT =
            new CmConnection.Accept(Optional.empty(), Optional.empty(), Octets.EMPTY);
    private static final FlowKey FIRST = flow(1);
    private static final FlowKey SECOND = flow(2);

    private final BucketScene scene = new BucketScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void rejectsWhatItCannotAcceptForWantOfAQueuePair() {
        serve(new AnswerPolicy.Accept(ACCEPT, AnswerPolicy.Accept.UNLIMITED));
        requested(FIRST);

        scene.answer(order -> new NicControl.Failed(order.id(), NicEvent.Failure.RESOURCES));

        assertRejects(scene.request());
        scene.application.expectNoMessage(Duration.ZERO);
    }

    @Test
    void acceptsAsManyAsItMayAtATimeAndRejectsTheRest() {
        serve(new AnswerPolicy.Accept(ACCEPT, 1));
        requested(FIRST);
        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(3)));
        assertThat(scene.request().commands()).hasAtLeastOneElementOfType(NicCommand.ModifyQp.class);

        requested(SECOND);
        assertRejects(scene.request());
        assertThat(scene.counters.value(CmCounter.ACCEPT_LIMIT_REJECTS)).isEqualTo(1);

        scene.event(FIRST, new NicEvent.ModifyQpFailed(NicEvent.Failure.BAD_QP));
        assertThat(scene.request().flow()).isEqualTo(FIRST);
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(3));
        scene.awaitStates(StateName.FIN_WAIT1);
        requested(flow(3));
        assertThat(scene.control(NicControl.CreateQp.class)).isNotNull();
        assertThat(scene.counters.value(CmCounter.ACCEPT_LIMIT_REJECTS)).isEqualTo(1);
    }

    @Test
    void rejectsEveryRequestWithItsPrivateDataAndTellsNobody() {
        serve(new AnswerPolicy.Reject(Octets.ofHex("6e6f")));

        requested(FIRST);

        NicRequest reply = scene.request();
        assertRejects(reply);
        assertThat(reply.toString()).contains("6e6f");
        scene.application.expectNoMessage(Duration.ZERO);
    }

    private void serve(AnswerPolicy policy) {
        CmConsumer application = CmConsumer.of(scene.application.ref());
        scene.serve(new RelayedConsumer(scene.kit.spawn(PolicyRelay.create(policy, scene.counters)), application));
    }

    private void requested(FlowKey flow) {
        scene.deliver(caught(flow, syn()));
        scene.request();
        scene.event(flow, new NicEvent.AddressHandleReady(1500));
        scene.request();
        scene.event(flow, new NicEvent.SteeringInstalled());
        assertThat(flagsOf(scene.request())).containsExactly(Segment.SYN | Segment.ACK);
        scene.deliver(known(flow, mpaRequest()));
        assertThat(flagsOf(scene.request())).containsExactly(Segment.ACK);
    }

    /** The MPA reply with R, and FIN. */
    private static void assertRejects(NicRequest request) {
        assertThat(flagsOf(request)).containsExactly(Segment.ACK | Segment.PSH | Segment.FIN);
    }

    private static FlowKey flow(int port) {
        return Flows.flow("10.0.0.1:4420", "10.0.0.2:" + port);
    }
}
