package io.iwcm.nic.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.testkit.FakeLink;
import io.iwcm.nic.testkit.FakeRnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member is out of reach: the bridge goes on without its dispatchers, and nothing that they still want happens. */
class LostMemberTest {

    private static final Owner OWNER = new Owner(1);
    private static final FlowKey FLOW = Flows.flow("10.0.0.1:4420", "10.0.0.2:50000");
    private static final Bridge.Delivered DISMISSED = new Bridge.Delivered(OWNER, List.of(new Rnic.Dismissed()));

    private final ActorTestKit kit = ActorTestKit.create("lost-member-test");
    private final FakeRnic rnic = new FakeRnic();
    private final NicHost host = NicHost.start(kit.system(), new FakeLink(), rnic, NicHost.Options.DEFAULT);
    private final ActorRef<Bridge.Command> bridge = kit.spawn(Bridge.create(host));
    private final TestProbe<Bridge.Delivered> dispatcher = kit.createTestProbe();
    private final TestProbe<NicControl.Answer> answers = kit.createTestProbe();
    private final TestProbe<String> application = kit.createTestProbe();
    private final Address member = dispatcher.ref().path().address();

    @BeforeEach
    void attach() {
        bridge.tell(new Bridge.Attach(OWNER, Optional.empty(), dispatcher.ref(), answers.ref()));
        answers.expectMessageClass(NicControl.Done.class);
    }

    @AfterEach
    void end() {
        host.close();
        kit.shutdownTestKit();
    }

    @Test
    void handsTheFlowsOfItsDispatchersOn() {
        bridge.tell(new Bridge.MemberLost(member));

        NicControl.Detach detach = rnic.takeControl(NicControl.Detach.class);
        assertThat(detach.owner()).isEqualTo(OWNER);
        assertThat(detach.handsOn()).isTrue();
    }

    @Test
    void leavesTheDispatchersOfOthersAlone() {
        bridge.tell(new Bridge.MemberLost(new Address("pekko", "elsewhere", "127.0.0.2", 7355)));

        bridge.tell(new Bridge.Tell(OWNER, new Announcement<>(application.ref(), "still here")));

        application.expectMessage("still here");
    }

    @Test
    void tellsNobodyWhatTheyHaveToSayAndThemThatTheyAreDismissed() {
        bridge.tell(new Bridge.MemberLost(member));

        bridge.tell(new Bridge.Tell(OWNER, new Announcement<>(application.ref(), "too late")));

        dispatcher.expectMessage(DISMISSED);
        application.expectNoMessage(Duration.ZERO);
    }

    @Test
    void carriesOutNothingAndAnswersNothingThatTheyOrder() {
        bridge.tell(new Bridge.MemberLost(member));
        rnic.takeControl(NicControl.Detach.class);

        bridge.tell(new Bridge.Control(new NicControl.DestroyQp(5, new QpId(3)), answers.ref(), Optional.of(OWNER)));

        dispatcher.expectMessage(DISMISSED);
        bridge.tell(new Bridge.Control(new NicControl.DestroyQp(6, new QpId(4)), answers.ref()));
        answers.expectMessage(new NicControl.Done(6));
        assertThat(rnic.takeControl(NicControl.DestroyQp.class).qp()).isEqualTo(new QpId(4));
    }

    @Test
    void saysSoToThoseThatWakeUpWithARequest() {
        bridge.tell(new Bridge.MemberLost(member));

        bridge.tell(new Bridge.Request(OWNER, new NicRequest(FLOW, 1, 1, List.of(), Optional.empty())));

        dispatcher.expectMessage(DISMISSED);
    }

    @Test
    void saysSoToThoseThatAreBackWithoutAWord() {
        bridge.tell(new Bridge.MemberLost(member));

        bridge.tell(new Bridge.MemberBack(member));

        dispatcher.expectMessage(DISMISSED);
    }

    @Test
    void takesThemBackUnderAnotherName() {
        Owner again = new Owner(2);
        bridge.tell(new Bridge.MemberLost(member));

        bridge.tell(new Bridge.Attach(again, Optional.of(OWNER), dispatcher.ref(), answers.ref()));
        bridge.tell(new Bridge.MemberBack(member));
        bridge.tell(new Bridge.Tell(again, new Announcement<>(application.ref(), "hello")));

        application.expectMessage("hello");
        dispatcher.expectNoMessage(Duration.ZERO);
    }

    @Test
    void tellsWhatIsToBeToldAfterWhatWasAskedBefore() {
        TestProbe<String> order = kit.createTestProbe();
        rnic.onRequest((_, _) -> order.ref().tell("requested"));

        bridge.tell(new Bridge.Request(OWNER, new NicRequest(FLOW, 1, 1, List.of(), Optional.empty())));
        bridge.tell(new Bridge.Tell(OWNER, new Announcement<>(order.ref(), "told")));

        order.expectMessage("requested");
        order.expectMessage("told");
    }
}
