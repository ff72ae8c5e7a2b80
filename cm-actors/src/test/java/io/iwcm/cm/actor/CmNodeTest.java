package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.BucketScene.PASSIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** One node, driven message by message. */
class CmNodeTest {

    private final TestInbox<Bridge.Command> bridge = TestInbox.create();
    private final TestInbox<IlqDispatcher.Command> bucket = TestInbox.create();
    private final TestInbox<NicControl.Answer> ignored = TestInbox.create();
    private final TestInbox<Cause> answer = TestInbox.create();
    private final AtomicLong nowNs = new AtomicLong();
    private final CmCounters counters = new CmCounters();
    private final TestInbox<CmNotice> application = TestInbox.create();
    private final NodeRecord record = new NodeRecord(
            new CmConnection(new ConnectionId(1), PASSIVE, Role.PASSIVE, bucket.getRef()),
            CmConsumer.of(application.getRef()),
            7,
            0);
    private final NodeHome home = new NodeHome(
            BucketScene.FIRST,
            bucket.getRef(),
            bridge.getRef(),
            nowNs::get,
            TestParams.ordinary((_, _) -> new SeqNum(BucketScene.OUR_ISN)),
            counters,
            CmObserver.NONE,
            ignored.getRef());
    private final BehaviorTestKit<CmNode.Command> node = BehaviorTestKit.create(CmNode.passive(
            home,
            record,
            new AdmitSpec(PASSIVE, BucketScene.syn(), BucketScene.KEY, NicCommand.Path.DEFAULT, Optional.empty())));

    @Test
    void ordersAllOfAStepAtOnceWithTheStateAfterItAsCheckpoint() {
        NicRequest first = request();
        assertThat(first.commands()).containsExactly(new NicCommand.CreateAh(NicCommand.Path.DEFAULT));

        node.run(new CmNode.FromNic(0, 0, new NicEvent.AddressHandleReady(1500)));
        node.run(new CmNode.FromNic(5, 0, new NicEvent.SteeringInstalled()));

        assertThat(request().commands()).hasSize(1);
        assertThat(((NodeCheckpoint) request().checkpoint().orElseThrow()).state())
                .isInstanceOf(CmState.SynRcvd.class);
        assertThat(bridge.hasMessages()).isFalse();
    }

    @Test
    void ordersBeforeItTellsTheApplication() {
        handshake();

        node.run(new CmNode.Arrived(BucketScene.mpaRequest()));

        List<Bridge.Command> told = bridge.getAllReceived();
        assertThat(told).hasSize(2);
        assertThat(told.getFirst()).isInstanceOf(Bridge.Request.class);
        assertThat(((CmNotice.Event) noticeOf(told.getLast())).event()).isInstanceOf(CmEvent.ConnectRequest.class);
    }

    @Test
    void armsAndDisarmsItsTimersAsTheMachineSays() {
        List<Effect> atFirst = node.getAllEffects();
        handshake();
        node.run(new CmNode.Arrived(BucketScene.mpaRequest()));

        assertThat(scheduled(atFirst)).containsExactly(TimerKey.DEADLINE + " 10s");
        assertThat(scheduled(node.getAllEffects()))
                .contains(TimerKey.RETRANSMIT + " 1s", TimerKey.DEADLINE + " 75s", "cancel " + TimerKey.RETRANSMIT);
    }

    @Test
    void hearsNothingOfAnEntryThatItsOwnHasReplaced() {
        node.run(new CmNode.FromNic(0, 0, new NicEvent.AddressHandleReady(1500)));
        node.run(new CmNode.FromNic(5, 0, new NicEvent.SteeringInstalled()));
        bridge.getAllReceived();

        node.run(new CmNode.FromNic(4, 0, new NicEvent.Superseded()));

        assertThat(bucket.hasMessages()).isFalse();
        node.run(new CmNode.FromNic(5, 0, new NicEvent.Superseded()));
        assertThat(bucket.hasMessages()).isTrue();
    }

    @Test
    void goesOnAnsweringWhenItHasEndedUntilItIsReleased() {
        node.run(new CmNode.Happened(new CmInput.Shutdown()));
        assertThat(bucket.receiveMessage()).isInstanceOf(IlqDispatcher.NodeEnded.class);
        bridge.getAllReceived();

        node.run(new CmNode.Called(CmInput.Disconnect::new, Optional.empty(), answer.getRef()));
        node.run(new CmNode.Called(
                id -> new CmInput.Accept(id, new QpId(4), Optional.empty(), Octets.EMPTY),
                Optional.of(new QpId(4)),
                answer.getRef()));

        List<Bridge.Command> told = bridge.getAllReceived();
        assertThat(noticeOf(told.get(0))).isEqualTo(Cause.NONE);
        assertThat(((Bridge.Control) told.get(1)).order()).isEqualTo(new NicControl.DestroyQp(0, new QpId(4)));
        assertThat(noticeOf(told.get(2))).isEqualTo(Cause.INVALID);
        assertThat(told).hasSize(3);
        assertThat(node.isAlive()).isTrue();
        node.run(CmNode.Released.INSTANCE);
        assertThat(node.isAlive()).isFalse();
        assertThat(bucket.hasMessages()).isFalse();
    }

    @Test
    void keepsNoCheckpointOfWhatIsOver() {
        bridge.getAllReceived();

        node.run(new CmNode.Happened(new CmInput.Shutdown()));

        assertThat(request().checkpoint()).isEmpty();
    }

    private void handshake() {
        node.run(new CmNode.FromNic(0, 0, new NicEvent.AddressHandleReady(1500)));
        node.run(new CmNode.FromNic(5, 0, new NicEvent.SteeringInstalled()));
        bridge.getAllReceived();
    }

    private NicRequest request() {
        return ((Bridge.Request) bridge.receiveMessage()).request();
    }

    private static List<String> scheduled(List<Effect> effects) {
        List<String> timers = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.TimerScheduled<?> timer) {
                timers.add(timer.key() + " "
                        + Duration.ofNanos(timer.delay().toNanos()).toSeconds() + "s");
            } else if (effect instanceof Effect.TimerCancelled timer) {
                timers.add("cancel " + timer.key());
            }
        }
        return timers;
    }

    private static Object noticeOf(Bridge.Command command) {
        return ((Bridge.Tell) command).announcement().message();
    }
}
