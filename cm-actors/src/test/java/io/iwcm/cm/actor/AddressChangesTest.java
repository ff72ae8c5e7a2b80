package io.iwcm.cm.actor;

import static io.iwcm.cm.actor.ListenersScene.KEY_ONE;
import static io.iwcm.cm.actor.ListenersScene.KEY_THREE;
import static io.iwcm.cm.actor.ListenersScene.KEY_TWO;
import static io.iwcm.cm.actor.ListenersScene.ONE;
import static io.iwcm.cm.actor.ListenersScene.THREE;
import static io.iwcm.cm.actor.ListenersScene.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.testkit.Flows;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.FishingOutcome;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Addresses and interfaces come and go under listeners; the test is NIC, bucket and whoever tells of it. */
class AddressChangesTest {

    private final ListenersScene scene = new ListenersScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void followsTheAddresses() {
        scene.listening("0.0.0.0:5000", 2);

        scene.change(new AddressChange.AddressDown(TWO.address(), TWO.vlan()));
        assertThat(scene.done(NicControl.Unlisten.class).key()).isEqualTo(KEY_TWO);
        assertThat(scene.done(NicControl.RemoveAddress.class).vlan()).isEqualTo(100);
        scene.change(new AddressChange.AddressDown(TWO.address(), TWO.vlan()));
        scene.bridge.expectNoMessage(Duration.ofMillis(50));

        scene.change(new AddressChange.AddressUp(TWO));
        scene.change(new AddressChange.AddressUp(TWO));
        assertThat(scene.done(NicControl.AddAddress.class).address()).isEqualTo(TWO);
        assertThat(scene.done(NicControl.Listen.class).key()).isEqualTo(KEY_TWO);
        scene.bridge.expectNoMessage(Duration.ofMillis(50));
    }

    @Test
    void keepsAChildOnlyIfItsEntryCouldBeSetAndTriesAgainAtTheNextChange() {
        scene.listening("0.0.0.0:5000", 2);

        scene.change(new AddressChange.AddressUp(THREE));
        scene.done(NicControl.AddAddress.class);
        scene.fail(NicEvent.Failure.RESOURCES);
        scene.changed.expectMessageClass(AddressAnswer.Done.class);

        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_TWO);
        assertThat(scene.counters.value(CmCounter.LISTEN_NODE_FAILURES)).isEqualTo(1);
        scene.change(new AddressChange.AddressDown(TWO.address(), TWO.vlan()));
        scene.done(NicControl.Unlisten.class);
        assertThat(scene.done(NicControl.Listen.class).key()).isEqualTo(KEY_THREE);
        scene.done(NicControl.RemoveAddress.class);
        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_THREE);
    }

    @Test
    void forgetsAnAddressThatTheNicDoesNotTake() {
        scene.listening("0.0.0.0:5000", 2);

        scene.change(new AddressChange.AddressUp(THREE));
        scene.fail(NicEvent.Failure.RESOURCES);
        scene.changed.expectMessage(new AddressAnswer.Refused(Cause.RESOURCES));

        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_TWO);
        scene.bridge.fishForMessage(Duration.ofSeconds(3), AddressChangesTest::untilUnlisten);
        scene.listen("10.0.0.3:5000");
        scene.answer.expectMessage(new ListenAnswer.Refused(Cause.ADDRESS_NOT_AVAILABLE));
    }

    @Test
    void aLateAnswerIsNotTakenForThatOfTheNextEntry() {
        scene.listening("0.0.0.0:5000", 2);
        scene.change(new AddressChange.AddressUp(THREE));
        scene.done(NicControl.AddAddress.class);
        Bridge.Control first = scene.bridge.expectMessageClass(Bridge.Control.class);
        scene.change(new AddressChange.AddressDown(THREE.address(), THREE.vlan()));
        scene.change(new AddressChange.AddressUp(THREE));
        scene.done(NicControl.Unlisten.class);
        scene.done(NicControl.RemoveAddress.class);
        scene.done(NicControl.AddAddress.class);

        first.replyTo().tell(new NicControl.Failed(first.order().id(), NicEvent.Failure.NOT_LOCAL));
        scene.done(NicControl.Listen.class);

        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_TWO, KEY_THREE);
        assertThat(scene.counters.value(CmCounter.LISTEN_NODE_FAILURES)).isZero();
    }

    /** FC-53. */
    @Test
    void aVlanThatGoesDownTakesItsAddressesAndNoOthers() {
        scene.listening("0.0.0.0:5000", 2);
        scene.served();
        scene.served();

        scene.change(new AddressChange.InterfaceDown(NicInterface.vlan(100)));
        assertThat(scene.done(NicControl.Unlisten.class).key()).isEqualTo(KEY_TWO);
        assertThat(scene.done(NicControl.RemoveAddress.class).address()).isEqualTo(TWO.address());
        assertThat(scene.bucket.expectMessageClass(IlqDispatcher.Unserve.class).key())
                .isEqualTo(KEY_TWO);
        assertThat(scene.bucket
                        .expectMessageClass(IlqDispatcher.AddressDown.class)
                        .place())
                .isEqualTo(Place.of(TWO));
        assertThat(scene.children()).containsExactly(KEY_ONE);

        scene.change(new AddressChange.InterfaceDown(NicInterface.vlan(100)));
        scene.change(new AddressChange.AddressUp(TWO));
        scene.bridge.expectNoMessage(Duration.ofMillis(50));
        scene.bucket.expectNoMessage(Duration.ZERO);

        scene.change(new AddressChange.InterfaceUp(NicInterface.vlan(100)));
        scene.change(new AddressChange.InterfaceUp(NicInterface.vlan(100)));
        assertThat(scene.done(NicControl.AddAddress.class).address()).isEqualTo(TWO);
        assertThat(scene.done(NicControl.Listen.class).key()).isEqualTo(KEY_TWO);
        scene.bridge.expectNoMessage(Duration.ofMillis(50));
        assertThat(scene.bucket
                        .expectMessageClass(IlqDispatcher.AddressUp.class)
                        .place())
                .isEqualTo(Place.of(TWO));
        assertThat(scene.served()).isEqualTo(KEY_TWO);
        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_TWO);
        for (int i = 0; i < 5; i++) scene.changed.expectMessageClass(AddressAnswer.Done.class);
    }

    @Test
    void theNicTakesAllItsVlansDownAndBringsBackThoseThatAreUp() {
        scene.listening("0.0.0.0:5000", 2);

        scene.change(new AddressChange.InterfaceDown(NicInterface.vlan(100)));
        scene.change(new AddressChange.InterfaceDown(NicInterface.NIC));
        assertThat(scene.children()).isEmpty();
        scene.change(new AddressChange.AddressUp(THREE));
        scene.change(new AddressChange.InterfaceUp(NicInterface.NIC));

        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_THREE);
    }

    @Test
    void anAddressThatComesWhileItsInterfaceIsDownWaitsForIt() {
        scene.listening("0.0.0.0:5000", 2);
        scene.change(new AddressChange.InterfaceDown(NicInterface.UNTAGGED));
        scene.done(NicControl.Unlisten.class);
        scene.done(NicControl.RemoveAddress.class);

        scene.change(new AddressChange.AddressUp(THREE));
        scene.change(new AddressChange.AddressDown(ONE.address(), ONE.vlan()));
        scene.bridge.expectNoMessage(Duration.ofMillis(50));
        scene.change(new AddressChange.InterfaceUp(NicInterface.UNTAGGED));

        assertThat(scene.done(NicControl.AddAddress.class).address()).isEqualTo(THREE);
        assertThat(scene.children()).containsExactly(KEY_TWO, KEY_THREE);
    }

    /** FC-54. */
    @Test
    void whatNobodyKnowsChangesNothing() {
        scene.listening("0.0.0.0:5000", 2);

        scene.change(new AddressChange.AddressDown(THREE.address(), 0));
        scene.change(new AddressChange.AddressDown(ONE.address(), 7));
        scene.change(new AddressChange.InterfaceUp(NicInterface.vlan(7)));
        scene.change(new AddressChange.InterfaceUp(NicInterface.NIC));

        for (int i = 0; i < 4; i++) scene.changed.expectMessageClass(AddressAnswer.Done.class);
        scene.bridge.expectNoMessage(Duration.ofMillis(50));
        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_TWO);
        assertThat(scene.counters.value(CmCounter.ADDRESS_CHANGES_IGNORED)).isEqualTo(4);
        assertThat(scene.counters.value(CmCounter.ADDRESS_UPS)).isZero();
        assertThat(scene.counters.value(CmCounter.ADDRESS_DOWNS)).isZero();
    }

    /** FC-54. */
    @Test
    void whileItStopsAddressesComeAndGoInVain() {
        scene.listening("0.0.0.0:5000", 2);
        TestProbe<Listeners.Closed> closed = scene.kit.createTestProbe();
        scene.listeners.tell(new Listeners.Close(closed.ref()));

        scene.change(new AddressChange.AddressUp(THREE));
        scene.change(new AddressChange.InterfaceDown(NicInterface.NIC));

        scene.changed.expectMessage(new AddressAnswer.Refused(Cause.SHUTDOWN));
        scene.changed.expectMessage(new AddressAnswer.Refused(Cause.SHUTDOWN));
        scene.done(NicControl.Unlisten.class);
        scene.done(NicControl.Unlisten.class);
        closed.expectMessageClass(Listeners.Closed.class);
        scene.bridge.expectNoMessage(Duration.ofMillis(50));
    }

    /** FC-15, FC-34 and their relatives: what another listener of the same port does is no affair of ours. */
    @Test
    void listenersOfOnePortComeAndGoEachForItself() {
        scene.listening("10.0.0.1:5000", 1);
        ActorRef<Listener.Command> other = scene.listening("10.1.0.1:5000", 1);
        TestProbe<Listener.Destroyed> destroyed = scene.kit.createTestProbe();

        other.tell(new Listener.Destroy(destroyed.ref()));
        assertThat(scene.done(NicControl.Unlisten.class).key()).isEqualTo(KEY_TWO);
        destroyed.expectMessageClass(Listener.Destroyed.class);

        assertThat(scene.children()).containsExactly(KEY_ONE);
        scene.listening("10.1.0.1:5000", 1);
        assertThat(scene.children()).containsExactly(KEY_ONE, KEY_TWO);
    }

    @Test
    void whatNoNicCanHaveIsRefusedInOneSentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AddressChange.AddressUp(Flows.address("224.0.0.1/24", 0)))
                .withMessageStartingWith("address 224.0.0.1/24 on VLAN 0 cannot be a NIC's");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AddressChange.AddressUp(Flows.address("10.0.0.1/33", 0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NicInterface.vlan(4095))
                .withMessage("VLAN 4095 is out of range: 0..4094 are allowed");
    }

    private static FishingOutcome untilUnlisten(Bridge.Command command) {
        boolean unlisten = command instanceof Bridge.Control(NicControl.Unlisten order, var _, var _)
                && order.key().equals(KEY_THREE);
        return unlisten ? FishingOutcomes.complete() : FishingOutcomes.continueAndIgnore();
    }
}
