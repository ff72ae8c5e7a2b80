package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.BucketScene.PASSIVE;
import static io.iwcm.cm.actor.BucketScene.flagsOf;
import static io.iwcm.cm.actor.BucketScene.known;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a bucket makes of addresses that come and go, and of those that are its own at both ends. */
class BucketAddressTest {

    private static final FlowKey FLOW = Flows.flow("10.0.0.1:49152", "10.0.0.2:4420");

    private final BucketScene scene = new BucketScene();
    private final TestProbe<ConnectAnswer> connectAnswer = scene.kit.createTestProbe();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void endsOnlyConnectionsOfTheAddressAndVlanThatWentDown() {
        scene.serve();
        scene.requested();

        down(new Place(PASSIVE.local().address(), 100));
        down(new Place(PASSIVE.remote().address(), 0));
        scene.deliver(known(PASSIVE, BucketScene.mpaRequest()));
        assertThat(flagsOf(scene.request())).as("it still answers").containsExactly(Segment.ACK);
        down(Place.of(PASSIVE));

        assertThat(flagsOf(scene.request())).containsExactly(Segment.RST | Segment.ACK);
    }

    @Test
    void opensNoConnectionOnAnAddressThatWentDownWhileTheNicWasAsked() {
        connect();
        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(6)));
        Bridge.Control asked = scene.bridge.expectMessageClass(Bridge.Control.class);
        down(Place.of(FLOW));
        asked.replyTo().tell(new NicControl.FlowOpened(asked.order().id(), FLOW, false));

        connectAnswer.expectMessage(new ConnectAnswer.Refused(Cause.LOCAL_DOWN));
        NicRequest release = scene.request();
        assertThat(release.flow()).isEqualTo(FLOW);
        assertThat(release.commands()).containsExactly(new NicCommand.DeleteQuadHash());
        assertThat(scene.control(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(6));
        assertThat(scene.nodes()).isEmpty();

        scene.bucket.tell(new IlqDispatcher.AddressUp(Place.of(FLOW)));
        opened(FLOW, false);
        connectAnswer.expectMessageClass(ConnectAnswer.Started.class);
    }

    @Test
    void countsAConnectionAsLoopbackWhenTheNicSaysThatItStaysInside() {
        opened(FLOW, true);
        opened(Flows.flow("10.0.0.1:49153", "10.0.0.2:4420"), false);
        opened(Flows.flow("127.0.0.1:49152", "127.0.0.1:4420"), true);

        for (int i = 0; i < 3; i++) connectAnswer.expectMessageClass(ConnectAnswer.Started.class);
        assertThat(scene.counters.value(CmCounter.LPBS)).isEqualTo(2);
    }

    private void opened(FlowKey flow, boolean inside) {
        connect();
        scene.answer(order -> new NicControl.QpCreated(order.id(), new QpId(6)));
        scene.answer(order -> new NicControl.FlowOpened(order.id(), flow, inside));
        assertThat(scene.request().flow()).isEqualTo(flow);
    }

    private void connect() {
        scene.bucket.tell(new IlqDispatcher.Connect(
                1, BucketScene.toPeer(), CmConsumer.of(scene.application.ref()), scene.opened(connectAnswer)));
    }

    private void down(Place place) {
        scene.bucket.tell(new IlqDispatcher.AddressDown(place));
    }
}
