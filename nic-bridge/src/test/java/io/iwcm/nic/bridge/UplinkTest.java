package io.iwcm.nic.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;

class UplinkTest {

    private static final Owner OWNER = new Owner(1);

    private final TestInbox<Bridge.Command> bridge = TestInbox.create();
    private final BehaviorTestKit<Bridge.Command> uplink = BehaviorTestKit.create(create());

    private Behavior<Bridge.Command> create() {
        return Uplink.create(bridge.getRef());
    }

    @Test
    void bringsWhatWasInTheMailboxAsOneMessageInOrder() {
        for (int i = 1; i <= 3; i++) uplink.run(grant(i));
        assertThat(bridge.hasMessages()).isFalse();

        uplink.runOne(); // What it told itself when the first came.

        assertThat(bridge.receiveMessage()).isEqualTo(new Bridge.Batch(List.of(grant(1), grant(2), grant(3))));
        assertThat(bridge.hasMessages()).isFalse();
    }

    @Test
    void bringsOneByItself() {
        uplink.run(grant(1));
        uplink.runOne();

        assertThat(bridge.getAllReceived()).containsExactly(grant(1));
    }

    @Test
    void lacksNothingAndRepeatsNothingHoweverManyCome() {
        int count = 2 * Uplink.BATCH_MAX + 5;
        for (int i = 0; i < count; i++) uplink.run(grant(i));
        while (uplink.selfInbox().hasMessages()) uplink.runOne();

        List<Bridge.Command> brought = new ArrayList<>();
        for (Bridge.Command command : bridge.getAllReceived()) {
            if (command instanceof Bridge.Batch(var commands)) {
                assertThat(commands).hasSizeLessThanOrEqualTo(Uplink.BATCH_MAX);
                brought.addAll(commands);
            } else {
                brought.add(command);
            }
        }
        assertThat(brought)
                .containsExactlyElementsOf(
                        IntStream.range(0, count).mapToObj(UplinkTest::grant).toList());
    }

    @Test
    void letsNothingOvertakeWhatWaits() {
        uplink.run(grant(1));
        uplink.run(grant(2));
        uplink.run(Bridge.Stop.INSTANCE);

        assertThat(bridge.getAllReceived())
                .containsExactly(new Bridge.Batch(List.of(grant(1), grant(2))), Bridge.Stop.INSTANCE);
    }

    private static Bridge.Grant grant(int entries) {
        return new Bridge.Grant(OWNER, entries);
    }
}
