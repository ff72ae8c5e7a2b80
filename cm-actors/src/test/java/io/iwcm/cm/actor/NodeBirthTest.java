package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.BucketScene.PASSIVE;
import static io.iwcm.cm.actor.BucketScene.caught;
import static io.iwcm.cm.actor.BucketScene.known;
import static io.iwcm.cm.actor.BucketScene.syn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.mpa.Decoded;
import io.iwcm.cm.mpa.Initiator;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection has from its beginning, at either end. */
class NodeBirthTest {

    private final BucketScene scene = new BucketScene();

    @AfterEach
    void end() {
        scene.close();
    }

    /** The SYN's traffic class is 0x28. */
    @ParameterizedTest(name = "listener {0}, priority {1}")
    @CsvSource({
        "0,    -1, 1, 40",
        "0x60, -1, 3, 96",
        "0x20, -1, 1, 40",
        "0,    5,  5, 0",
        "0xb8, 0,  0, 184",
    })
    void aPassiveOneIsMarkedAsListenerAndSynAsk(String trafficClass, int priority, int sentPriority, int sentClass) {
        scene.serve(
                CmConsumer.of(scene.application.ref()), new ListenOrder.Tos(Integer.decode(trafficClass), priority));

        scene.deliver(caught(PASSIVE, syn()));

        assertThat(scene.request().commands())
                .containsExactly(new NicCommand.CreateAh(new NicCommand.Path(sentPriority, sentClass)));
        scene.expectGrant(1);
        scene.event(PASSIVE, new NicEvent.AddressHandleFailed(NicEvent.Failure.NEIGHBOUR_UNREACHABLE));
        scene.awaitStates();
        scene.application.expectNoMessage(Duration.ZERO);
        assertThat(scene.counters.value(CmCounter.AH_FAILURES)).isEqualTo(1);
    }

    @ParameterizedTest(name = "revision {0}")
    @CsvSource({"1, 512", "2, 508"})
    void anActiveOneAsksForWhatItsApplicationAskedForAsFarAsItCan(int revision, int privateDataMax) {
        Octets longest = Octets.wrap(new byte[privateDataMax]);
        ConnectOrder order = order(revision, new ReadDepths(9999, 3), longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> order(revision, new ReadDepths(4, 3), Octets.wrap(new byte[privateDataMax + 1])))
                .withMessage("private data of " + (privateDataMax + 1) + " octets is too long: at most "
                        + privateDataMax + " are allowed in MPA revision " + revision);

        MpaFrame request = sentRequest(order);

        assertThat(request.revision()).isEqualTo(revision);
        assertThat(request.privateData()).isEqualTo(longest);
        assertThat(request.enhanced().map(asked -> new ReadDepths(asked.ird(), asked.ord())))
                .isEqualTo(revision == 2 ? Optional.of(new ReadDepths(32, 3)) : Optional.empty());
    }

    private static ConnectOrder order(int revision, ReadDepths depths, Octets privateData) {
        return new ConnectOrder(
                Flows.end("10.0.0.1:0"),
                Flows.end("10.0.0.2:4420"),
                0,
                Optional.of(new QpId(6)),
                ListenOrder.Tos.DEFAULT,
                new Initiator.Wish(revision, depths, false, privateData),
                false);
    }

    /** The MPA request of a connection with this order; the peer's part is played as far as it. */
    private MpaFrame sentRequest(ConnectOrder order) {
        FlowKey flow = Flows.flow("10.0.0.1:49152", "10.0.0.2:4420");
        TestProbe<ConnectAnswer> answer = scene.kit.createTestProbe();
        scene.bucket.tell(
                new IlqDispatcher.Connect(1, order, CmConsumer.of(scene.application.ref()), scene.opened(answer)));
        scene.answer(open -> new NicControl.FlowOpened(open.id(), flow, false));
        scene.request();
        assertThat(answer.expectMessageClass(ConnectAnswer.Started.class)
                        .connection()
                        .flow())
                .isEqualTo(flow);
        scene.event(flow, new NicEvent.AddressHandleReady(1500));
        scene.request();
        scene.event(flow, new NicEvent.SteeringInstalled());
        scene.request();
        scene.deliver(known(flow, Flows.segment("SA", BucketScene.PEER_ISN, BucketScene.OUR_ISN + 1, "")));
        Octets sent = scene.request().commands().stream()
                .map(command -> ((NicCommand.Transmit) command).segment().payload())
                .findFirst()
                .orElseThrow();
        return ((Decoded.Complete) MpaCodec.decode(sent, MpaFrame.Kind.REQUEST)).frame();
    }
}
