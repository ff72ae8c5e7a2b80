package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.StateName;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bucket whose code throws, and one that goes on with what another has left. */
class BucketRestartTest {

    private static final FlowKey OTHER = Flows.flow("10.0.0.1:4420", "10.0.0.2:50009");

    private final BucketScene scene = new BucketScene();
    private final TestProbe<Cause> answer = scene.kit.createTestProbe("answer", Cause.class);

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void saysNothingAboutItsConnectionsAndComesBackEmptyUnderAnotherName() {
        scene.serve();
        scene.requested();
        scene.serve(new Poison());

        scene.deliver(BucketScene.caught(OTHER, BucketScene.syn()));

        assertThat(scene.listeners.expectMessageClass(Listeners.Joined.class).bucket())
                .isEqualTo(scene.bucket);
        Bridge.Attach attach = scene.bridge.expectMessageClass(Bridge.Attach.class); // And no request before.
        assertThat(attach.owner()).isNotEqualTo(BucketScene.OWNER);
        assertThat(attach.replaces()).contains(BucketScene.OWNER);
        scene.awaitStates();
        scene.application.expectNoMessage(Duration.ZERO);
        scene.serve();
        scene.deliver(BucketScene.caught(OTHER, BucketScene.syn())); // For the one before it.
        attach.to().tell(new Bridge.Delivered(attach.owner(), List.of(BucketScene.caught(OTHER, BucketScene.syn()))));
        assertThat(scene.request().flow()).isEqualTo(OTHER);
        scene.bridge.expectNoMessage(Duration.ZERO);
    }

    @Test
    void goesOnWithAConnectionThatAwaitsTheApplication() {
        scene.serve();
        scene.deliver(BucketScene.caught(BucketScene.PASSIVE, BucketScene.syn()));
        scene.request();
        scene.expectGrant(1);
        scene.event(BucketScene.PASSIVE, new io.iwcm.nic.spi.NicEvent.AddressHandleReady(1500));
        scene.request();
        scene.event(BucketScene.PASSIVE, new io.iwcm.nic.spi.NicEvent.SteeringInstalled());
        scene.request();
        scene.deliver(BucketScene.known(BucketScene.PASSIVE, BucketScene.mpaRequest()));
        NodeCheckpoint left = (NodeCheckpoint) scene.request().checkpoint().orElseThrow();
        CmConnection connection = scene.application.receiveMessage().connection();
        assertThat(left.state()).isInstanceOf(CmState.MpaReqRcvd.class);

        try (BucketScene heir = new BucketScene()) {
            heir.deliver(new Rnic.Adopt(BucketScene.PASSIVE, 17, left, List.of()));

            CmNotice moved = scene.application.expectMessageClass(CmNotice.Moved.class);
            assertThat(moved.connection().home()).isEqualTo(heir.bucket);
            assertThat(moved.connection().id()).isEqualTo(connection.id());
            heir.awaitStates(StateName.MPAREQ_RCVD);
            moved.connection()
                    .call(
                            new CmConnection.Accept(
                                    Optional.of(new QpId(3)), Optional.empty(), io.iwcm.nic.wire.Octets.EMPTY),
                            answer.ref());
            NicRequest adopted = heir.request();
            assertThat(adopted.epoch()).isEqualTo(17);
            assertThat(adopted.id()).isEqualTo(1);
            assertThat(adopted.commands()).isEmpty();
            NicRequest accepted = heir.request();
            assertThat(BucketScene.has(accepted, NicCommand.ModifyQp.class)).isTrue();
        }
    }

    @Test
    void tellsOnlyWhatHasNotBeenToldAndEndsTheQueuePairThatWasMade() {
        scene.serve();
        scene.established();
        scene.event(BucketScene.PASSIVE, BucketScene.qp(AsyncEvent.Code.LLP_FIN_RECEIVED));
        NodeCheckpoint left = (NodeCheckpoint) scene.request().checkpoint().orElseThrow();
        assertThat(left.queuePairs()).containsExactly(new QpId(3));
        assertThat(scene.told()).isEqualTo(new CmEvent.Disconnected(Cause.NONE));

        try (BucketScene heir = new BucketScene()) {
            heir.deliver(new Rnic.Adopt(
                    BucketScene.PASSIVE,
                    17,
                    left,
                    List.of(new Rnic.FlowEvent(
                            BucketScene.PASSIVE, 17, 9, BucketScene.qp(AsyncEvent.Code.LLP_CLOSE_COMPLETE)))));

            scene.application.expectMessageClass(CmNotice.Moved.class);
            CmNotice.Event last = scene.application.expectMessageClass(CmNotice.Event.class);
            assertThat(last.event()).isEqualTo(new CmEvent.Closed(Cause.NONE));
            assertThat(last.number()).isEqualTo(4);
            NicRequest closing = heir.request();
            assertThat(closing.seen()).isEqualTo(9);
            assertThat(closing.checkpoint()).isEmpty();
            assertThat(heir.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(3));
            heir.awaitStates();
        }
    }

    @Test
    void sendsACallAfterAConnectionThatLivesElsewhere() {
        CmConnection elsewhere =
                new CmConnection(new ConnectionId(77), BucketScene.PASSIVE, Role.PASSIVE, scene.bucket);
        elsewhere.call(new CmConnection.Disconnect(), answer.ref());

        NicControl.Forward forward = scene.control(NicControl.Forward.class);

        assertThat(forward.flow()).isEqualTo(BucketScene.PASSIVE);
        answer.expectNoMessage(Duration.ZERO);
        scene.deliver(new Rnic.Forwarded(BucketScene.PASSIVE, forward.letter())); // It is not here either.
        answer.expectMessage(Cause.NONE);
    }

    private static final class Poison implements CmConsumer {
        @Override
        public Announcement<?> telling(CmNotice notice) {
            throw new AssertionError("the bucket has not survived it");
        }

        @Override
        public Optional<org.apache.pekko.actor.typed.ActorRef<?>> actor() {
            throw new IllegalStateException("on purpose");
        }
    }
}
