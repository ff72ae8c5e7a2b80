package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FC-57: peers that do not say where they are, at once or ever; and those that are ourselves. */
class UnresolvedTest {

    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final Lab lab = new Lab();
    private final Station station = lab.station("10.0.0.1/24", "10.0.0.3/24", "fd00::1/64");
    private final Stranger stranger = new Stranger(lab.port(), 1);
    private final Events events = new Events();

    @AfterEach
    void end() {
        assertThat(stranger.framesToNobody()).isZero();
        lab.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.2:4420", "[fd00::2]:4420"})
    void aConnectWaitsForAPeerThatAnswersTheLastQuestion(String peer) {
        stranger.ignore(2);

        var _ = station.cm().connect(ConnectOptions.to(Flows.end(peer)), events);

        assertThat(stranger.take().segment().flags()).isEqualTo(Segment.SYN);
        assertThat(station.nic().count(NicCounter.NEIGHBOUR_SOLICITS)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.2:4420", "[fd00::2]:4420"})
    void aConnectToAPeerThatNeverAnswersFailsOnceAsUnreachable(String peer) {
        stranger.ignore(FOR_EVER);

        ConnectResult result = within(station.cm().connect(ConnectOptions.to(Flows.end(peer)), events));

        assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(Cause.UNREACHABLE);
        assertThat(events.take(CmEvent.ConnectReply.class).outcome()).isEqualTo(Cause.UNREACHABLE);
        station.awaitNothingHeld();
        assertThat(events.all()).hasSize(1);
        assertThat(station.nic().count(NicCounter.NEIGHBOUR_FAILURES)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1:5000, 10.0.0.2:1", "[fd00::1]:5000, [fd00::2]:1"})
    void aSynFromAPeerThatCannotBeAnsweredIsDroppedInSilence(String local, String remote) {
        FlowKey flow = Flows.flow(local, remote);
        ListenHandle listener = within(station.cm().listen(ListenOptions.on(Flows.end("[::]:5000")), events));
        stranger.ignore(FOR_EVER);

        stranger.syn(flow, 0, 0);
        await("the half-open one has failed", () -> station.cm().counters().value(CmCounter.AH_FAILURES) == 1);
        stranger.ignore(0);
        stranger.syn(flow, 0, 0);
        assertThat(stranger.take().segment().flags()).isEqualTo(Segment.SYN | Segment.ACK);

        within(listener.close());
        station.awaitNothingHeld();
        assertThat(events.all()).isEmpty();
    }

    /** FC-58: every connection that stays inside the NIC is counted as loopback, and none of them is on the wire. */
    @Test
    void whatStaysInsideIsCountedAsLoopback() {
        within(station.cm().listen(ListenOptions.on(Flows.end("[::]:5000")).accepting(AcceptOptions.DEFAULT), events));

        assertThat(connect("10.0.0.1:0", "10.0.0.1:5000")).isInstanceOf(ConnectResult.Connected.class);
        assertThat(connect("10.0.0.1:0", "10.0.0.3:5000")).isInstanceOf(ConnectResult.Connected.class);
        assertThat(connect("[::]:0", "[fd00::1]:5000")).isInstanceOf(ConnectResult.Connected.class);
        assertThat(((ConnectResult.Failed) connect("0.0.0.0:0", "127.0.0.1:5000")).cause())
                .isEqualTo(Cause.REFUSED_TCP);
        assertThat(((ConnectResult.Failed) connect("[::]:0", "[::1]:5000")).cause())
                .isEqualTo(Cause.REFUSED_TCP);
        assertThat(station.cm().counters().value(CmCounter.LPBS)).isEqualTo(5);

        var _ = station.cm().connect(ConnectOptions.to(Flows.end("10.0.0.2:5000")));
        assertThat(stranger.take().segment().flags()).isEqualTo(Segment.SYN);
        assertThat(station.cm().counters().value(CmCounter.LPBS)).isEqualTo(5);
    }

    @Test
    @Tag("FC-58")
    void aRejectInTheListenersHandlerIsTheConnectsResult() {
        Octets why = Octets.wrap(new byte[] {1, 2, 3});
        ListenHandle listener = within(
                station.cm().listen(ListenOptions.on(Flows.end("10.0.0.1:5000")), (asked, _) -> asked.reject(why)));

        ConnectResult result = within(station.cm().connect(ConnectOptions.to(Flows.end("10.0.0.1:5000")), events));

        assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(Cause.REJECTED_ULP);
        assertThat(events.take(CmEvent.ConnectReply.class).privateData()).isEqualTo(why);
        within(listener.close());
        station.awaitNothingHeld();
        assertThat(events.all()).hasSize(1);
        assertThat(station.nic().held().ports()).isZero();
    }

    private ConnectResult connect(String from, String to) {
        return within(station.cm().connect(ConnectOptions.to(Flows.end(to)).from(Flows.end(from))));
    }
}
