package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every way in which there is no connection, and what both ends hear of it. */
class RefusalTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final Lab lab = new Lab();
    private final Station active = lab.station("10.0.0.2/24");
    private final Station passive = lab.station("10.0.0.1/24");
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @Test
    void bringsTheRejectionsPrivateDataToTheOtherEnd() {
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents));
        var connecting = active.cm().connect(ConnectOptions.to(PEER), activeEvents);

        Connection asked = passiveEvents.take().connection();
        assertThat(within(asked.reject(Octets.wrap("no".getBytes())))).isEqualTo(Cause.NONE);

        ConnectResult.Failed failed = (ConnectResult.Failed) within(connecting);
        assertThat(failed.cause()).isEqualTo(Cause.REJECTED_ULP);
        assertThat(failed.reply().orElseThrow().privateData()).isEqualTo(Octets.wrap("no".getBytes()));
        assertThat(failed.reply().orElseThrow().peer()).isNotEqualTo(PeerDepths.NONE);
        assertNothingMoreIsTold(listener, 1);
        assertThat(passive.cm().counters().value(CmCounter.REJECTS)).isEqualTo(1);
    }

    @Test
    void rejectsByPolicyWithoutAskingTheApplication() {
        ListenHandle listener = within(
                passive.cm().listen(ListenOptions.on(PEER).rejecting(Octets.wrap("never".getBytes())), passiveEvents));

        ConnectResult.Failed failed =
                (ConnectResult.Failed) within(active.cm().connect(ConnectOptions.to(PEER), activeEvents));

        assertThat(failed.cause()).isEqualTo(Cause.REJECTED_ULP);
        assertThat(failed.reply().orElseThrow().privateData()).isEqualTo(Octets.wrap("never".getBytes()));
        assertNothingMoreIsTold(listener, 0);
    }

    @Test
    void isRefusedWhereNobodyListens() {
        ConnectResult.Failed failed =
                (ConnectResult.Failed) within(active.cm().connect(ConnectOptions.to(PEER), activeEvents));

        assertThat(failed.cause()).isEqualTo(Cause.REFUSED_TCP);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(1);
        assertThat(active.cm().counters().value(CmCounter.CONNECT_ERRS)).isEqualTo(1);
    }

    @Test
    void isRefusedOnceTheListenerIsClosed() {
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents));
        within(listener.close());
        within(listener.close());

        ConnectResult.Failed failed = (ConnectResult.Failed) within(active.cm().connect(ConnectOptions.to(PEER)));

        assertThat(failed.cause()).isEqualTo(Cause.REFUSED_TCP);
        passive.awaitNothingHeld();
    }

    @Test
    void isUnreachableWhereNobodyAnswersArp() {
        ConnectResult.Failed failed = (ConnectResult.Failed)
                within(active.cm().connect(ConnectOptions.to(Flows.end("10.0.0.99:4420")), activeEvents));

        assertThat(failed.cause()).isEqualTo(Cause.UNREACHABLE);
        active.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(1);
    }

    @Test
    void isUnreachableWithoutARoute() {
        ConnectResult.Failed failed =
                (ConnectResult.Failed) within(active.cm().connect(ConnectOptions.to(Flows.end("192.168.1.1:4420"))));

        assertThat(failed).isEqualTo(new ConnectResult.Failed(Cause.UNREACHABLE, Optional.empty()));
        active.awaitNothingHeld();
    }

    @Test
    void failsFromAnAddressThatIsNotOurs() {
        ConnectResult.Failed failed = (ConnectResult.Failed)
                within(active.cm().connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.77:0"))));

        assertThat(failed.cause()).isEqualTo(Cause.ADDRESS_NOT_AVAILABLE);
        active.awaitNothingHeld();
    }

    @Test
    void failsAnAcceptThatComesAfterThePeersReset() {
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents));
        Events caller = new Events();
        active.cm().connect(ConnectOptions.to(PEER), caller);
        Connection asked = passiveEvents.take().connection();
        long before = passive.nic().count(NicCounter.PKT_RCVD);
        within(active.cm().stop());

        await("the reset has arrived", () -> passive.nic().count(NicCounter.PKT_RCVD) > before);
        assertThat(within(asked.accept())).isEqualTo(Cause.RESET);
        assertThat(caller.take(CmEvent.ConnectReply.class).outcome()).isEqualTo(Cause.SHUTDOWN);
        within(listener.close());
        passive.awaitNothingHeld();
        assertThat(passiveEvents.all()).hasSize(1);
    }

    @Test
    void endsAConnectionWhoseHandlerThrowsAndNoOther() {
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(PEER), (connection, event) -> {
            passiveEvents.onEvent(connection, event);
            if (event instanceof CmEvent.ConnectRequest(int revision, var _, var _, var _) && revision == 1) {
                throw new IllegalStateException("on purpose");
            }
            if (event instanceof CmEvent.ConnectRequest) connection.accept();
        }));

        ConnectResult broken =
                within(active.cm().connect(ConnectOptions.to(PEER).revision1()));
        ConnectResult.Connected well =
                (ConnectResult.Connected) within(active.cm().connect(ConnectOptions.to(PEER)));

        assertThat(((ConnectResult.Failed) broken).cause()).isEqualTo(Cause.REJECTED_ULP);
        assertThat(passive.cm().counters().value(CmCounter.CONSUMER_FAILURES)).isEqualTo(1);
        within(well.connection().abort());
        within(listener.close());
        active.awaitNothingHeld();
        passive.awaitNothingHeld();
    }

    @Test
    void saysWhyItCannotListen() {
        within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents));

        assertThatExceptionOfType(CmException.class)
                .isThrownBy(() -> within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents)))
                .withMessage("cannot listen on 10.0.0.1:4420: address in use")
                .returns(Cause.ADDRESS_IN_USE, CmException::why);
        assertThatExceptionOfType(CmException.class)
                .isThrownBy(
                        () -> within(passive.cm().listen(ListenOptions.on(Flows.end("10.0.0.2:4420")), passiveEvents)))
                .withMessage("cannot listen on 10.0.0.2:4420: address not available");
    }

    @Test
    @Tag("FC-36")
    @Tag("FC-62")
    void refusesWhatIsNotAllowedBeforeAnythingIsDone() {
        assertRefused(
                () -> ConnectOptions.to(Flows.end("10.0.0.1:0")),
                "remote port 0 cannot be connected to: 1..65535 are allowed");
        assertRefused(
                () -> ConnectOptions.to(PEER).privateData(Octets.wrap(new byte[509])),
                "private data of 509 octets is too long: at most 508 are allowed in MPA revision 2");
        assertRefused(
                () -> ConnectOptions.to(PEER).revision1().privateData(Octets.wrap(new byte[513])),
                "private data of 513 octets is too long: at most 512 are allowed in MPA revision 1");
        assertRefused(
                () -> AcceptOptions.DEFAULT.privateData(Octets.wrap(new byte[513])),
                "private data of 513 octets is too long: at most 512 are allowed in MPA revision 1");
        assertRefused(() -> ConnectOptions.to(PEER).vlan(4095), "VLAN 4095 is out of range: 0..4094 are allowed");
        assertRefused(
                () -> ConnectOptions.to(PEER).from(Flows.end("[fd00::1]:0")),
                "local address fd00::1 and remote address 10.0.0.1 must be of one address family");
        assertRefused(
                () -> ConnectOptions.to(Flows.end("224.0.0.1:4420")),
                "remote address 224.0.0.1 cannot be connected to: a unicast address is allowed");
        assertRefused(
                () -> ListenOptions.on(Flows.end("10.0.0.1:0")), "port 0 cannot be listened on: 1..65535 are allowed");
        assertRefused(
                () -> ListenOptions.on(PEER).backlog(0, 1), "SYN backlog 0 is out of range: 1..1048576 are allowed");
        assertRefused(() -> new QpId(0), "QP number 0 is out of range: 1..16777215 are allowed");
        assertRefused(() -> Flows.end("10.0.0.1:65536"), "port 65536 is out of range: 0..65535 are allowed");
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable what, String sentence) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(what)
                .withMessage(sentence);
    }

    private void assertNothingMoreIsTold(ListenHandle listener, int requests) {
        within(listener.close());
        active.awaitNothingHeld();
        passive.awaitNothingHeld();
        assertThat(activeEvents.all()).hasSize(1).allMatch(CmEvent.ConnectReply.class::isInstance);
        assertThat(passiveEvents.all()).hasSize(requests).allMatch(CmEvent.ConnectRequest.class::isInstance);
    }
}
