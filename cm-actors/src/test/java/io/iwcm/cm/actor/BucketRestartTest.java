package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bucket whose code throws. */
class BucketRestartTest {

    private final BucketScene scene = new BucketScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void takesItsConnectionsDownAndComesBackEmpty() {
        scene.serve();
        scene.requested();
        FlowKey other = Flows.flow("10.0.0.1:4420", "10.0.0.2:50009");
        scene.serve(new Poison());

        scene.deliver(BucketScene.caught(other, BucketScene.syn()));

        NicRequest last = scene.request();
        assertThat(last.flow()).isEqualTo(BucketScene.PASSIVE);
        assertThat(BucketScene.flagsOf(last)).containsExactly(Segment.RST | Segment.ACK);
        assertThat(BucketScene.has(last, NicCommand.DeleteQuadHash.class)).isTrue();
        assertThat(scene.listeners.expectMessageClass(Listeners.Joined.class).bucket())
                .isEqualTo(scene.bucket);
        ActorRef<Bridge.Delivered> ilq =
                scene.bridge.expectMessageClass(Bridge.Attach.class).to();
        scene.awaitStates();

        scene.serve();
        ilq.tell(new Bridge.Delivered(BucketScene.OWNER, List.of(BucketScene.caught(other, BucketScene.syn()))));
        assertThat(scene.request().flow()).isEqualTo(other);
    }

    private static final class Poison implements CmConsumer {
        @Override
        public void tell(CmNotice notice) {}

        @Override
        public CmConsumer of(CmConnection connection) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.empty();
        }
    }
}
