package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.DeviceCommand;
import io.iwcm.nic.spi.DeviceCommand.QpToError;
import io.iwcm.nic.spi.DeviceCommand.QpToRts;
import io.iwcm.nic.testkit.FakeDevice;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a device is told of the queue pair of a connect that failed. */
@Tag("FC-68")
class FailedConnectQpTest {

    private static final Octets KEY = Octets.wrap("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII));

    private final Lab lab = new Lab();
    private final FakeDevice device = new FakeDevice();
    private final Station station = lab.stationOver(device, "10.0.0.1/24");
    private final Stranger stranger = new Stranger(lab.port(), 1);
    private final Events events = new Events();

    @AfterEach
    void end() {
        lab.close();
        assertThat(device.violations()).isEmpty();
    }

    @Test
    void aQueuePairThatNeverTookOverIsFlushedOnceWhenItIsDestroyed() {
        CompletionStage<ConnectResult> rejected = connect();
        HandmadePeer rejecting = HandmadePeer.isAsked(stranger);
        rejecting.say(reply("7002000480034004"), Segment.FIN);
        assertThat(cause(rejected)).isEqualTo(Cause.REJECTED_ULP);
        rejecting.hearFin();

        CompletionStage<ConnectResult> misunderstood = connect();
        HandmadePeer.isAsked(stranger).say(Octets.wrap(new byte[20]), 0);
        assertThat(cause(misunderstood)).isEqualTo(Cause.PROTOCOL);

        station.awaitNothingHeld();
        assertThat(ofQueuePairs())
                .hasSize(2)
                .allMatch(QpToError.class::isInstance)
                .doesNotHaveDuplicates();
        assertThat(events.all()).hasSize(2);
    }

    @Test
    void aQueuePairThatSentItsTerminateGoesToErrorOnce() {
        CompletionStage<ConnectResult> result = connect();
        HandmadePeer peer = HandmadePeer.isAsked(stranger);

        peer.say(reply("500200048003" + "7ffe"), 0); // Far more reads than we can take.

        assertThat(cause(result)).isEqualTo(Cause.RESOURCES);
        assertThat(events.take(CmEvent.ConnectReply.class).peer()).isEqualTo(new PeerDepths(true, 3, 0x3ffe));
        assertThat(peer.hear().toHex()).contains("20060000"); // Layer 2, type 0, code 6.
        peer.reset();
        station.awaitNothingHeld();
        assertThat(ofQueuePairs())
                .satisfiesExactly(
                        command -> assertThat(command).isInstanceOf(QpToRts.class),
                        command -> assertThat(command).isInstanceOf(QpToError.class));
        assertThat(events.all()).hasSize(1);
    }

    private CompletionStage<ConnectResult> connect() {
        return station.cm()
                .connect(ConnectOptions.to(Flows.end("10.0.0.2:4420")).fallBack(false), events);
    }

    private static Cause cause(CompletionStage<ConnectResult> result) {
        return ((ConnectResult.Failed) within(result)).cause();
    }

    private static Octets reply(String hex) {
        return KEY.concat(Octets.ofHex(hex));
    }

    private List<DeviceCommand> ofQueuePairs() {
        return device.take().stream()
                .filter(command -> switch (command) {
                    case QpToRts _, DeviceCommand.QpToClosing _, QpToError _ -> true;
                    case DeviceCommand.AddSyn _,
                            DeviceCommand.DeleteSyn _,
                            DeviceCommand.AddQuad _,
                            DeviceCommand.DeleteQuad _,
                            DeviceCommand.AddPort _,
                            DeviceCommand.DeletePort _,
                            DeviceCommand.CreateHandle _,
                            DeviceCommand.FreeHandle _ -> false;
                })
                .toList();
    }
}
