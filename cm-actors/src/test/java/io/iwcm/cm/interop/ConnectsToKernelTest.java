package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import io.iwcm.nic.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** We connect to servers of the kernel's TCP. */
@RequiresTap
@RequiresTool({"ip", "python3"})
@Timeout(120)
class ConnectsToKernelTest {

    /** C: CRCs are used. We always say so. */
    private static final int CRC = 0x40;

    private static final int REJECT = 0x20;
    private static final int ENHANCED = 0x10;
    /** In our first FPDU; any will do, but there are peers that refuse 0. */
    private static final int STAG = 1;

    private final KernelLab lab = new KernelLab();
    private final KernelPeer peer = lab.peer();
    private final Events events = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest(name = "{0} {1} octets")
    @CsvSource({"V4, 0", "V4, 508", "V6, 7", "V6, 508"})
    void isAcceptedInRevision2AndCloses(Family family, int octets) {
        String port = peer.ask("listen", "l", family.kernels());
        CompletionStage<ConnectResult> connecting =
                connect(clientServer(family, port).privateData(counting(octets)));
        String request = MpaHex.request(CRC | ENHANCED, 2, "00040003" + MpaHex.counting(octets));
        takesRequest(family, request);
        peer.expect("sent", "send", "c", MpaHex.reply(CRC | ENHANCED, 2, "00030002" + MpaHex.counting(octets)));

        Connection connection = connected(connecting);
        CmEvent.ConnectReply reply = events.take(CmEvent.ConnectReply.class);
        assertThat(reply.peer()).isEqualTo(new PeerDepths(true, 3, 2));
        assertThat(reply.privateData()).isEqualTo(counting(octets));
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        endsInOrder();
        lab.station().awaitNothingHeld();
    }

    @ParameterizedTest(name = "{0} {1} octets")
    @CsvSource({"V4, 0", "V4, 512", "V6, 1", "V6, 512"})
    void isAcceptedInRevision1AndSeesTheKernelClose(Family family, int octets) {
        String port = peer.ask("listen", "l", family.kernels());
        CompletionStage<ConnectResult> connecting =
                connect(ConnectOptions.to(family.kernels(port)).revision1().privateData(counting(octets)));
        takesRequest(family, MpaHex.request(CRC, 1, MpaHex.counting(octets)));
        peer.expect("sent", "trickle", "c", MpaHex.reply(0, 1, MpaHex.counting(octets)));

        connected(connecting);
        CmEvent.ConnectReply reply = events.take(CmEvent.ConnectReply.class);
        assertThat(reply.peer()).isEqualTo(PeerDepths.NONE);
        assertThat(reply.privateData()).isEqualTo(counting(octets));
        peer.expect("done", "half-close", "c");
        endsInOrder();
        peer.expect("FIN", "rest", "c");
        lab.station().awaitNothingHeld();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"V4, WRITE", "V6, WRITE", "V4, READ", "V6, READ"})
    void sendsTheFirstFpduThatTheKernelChose(Family family, String rtr) {
        boolean read = rtr.equals("READ");
        String port = peer.ask("listen", "l", family.kernels());
        CompletionStage<ConnectResult> connecting =
                connect(ConnectOptions.to(family.kernels(port)).depths(new ReadDepths(4, 3)));
        takesRequest(family, MpaHex.request(CRC | ENHANCED, 2, "8004c003"));
        peer.expect("sent", "send", "c", MpaHex.reply(CRC | ENHANCED, 2, read ? "80034004" : "80038004"));

        Connection connection = connected(connecting);
        String first = read ? MpaHex.emptyReadRequest(STAG) : MpaHex.emptyWrite(STAG);
        peer.expect(first, "receive", "c", first.length() / 2);
        if (read) peer.expect("sent", "send", "c", MpaHex.emptyReadResponse(STAG));
        events.take(CmEvent.ConnectReply.class);
        within(connection.disconnect());
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        endsInOrder();
        lab.station().awaitNothingHeld();
    }

    @ParameterizedTest(name = "{0} revision {1}")
    @CsvSource({"V4, 1", "V4, 2", "V6, 1", "V6, 2"})
    void isToldWhyTheKernelRejects(Family family, int revision) {
        boolean enhanced = revision == 2;
        String port = peer.ask("listen", "l", family.kernels());
        ConnectOptions options = clientServer(family, port);
        CompletionStage<ConnectResult> connecting = connect(enhanced ? options : options.revision1());
        takesRequest(family, enhanced ? MpaHex.request(CRC | ENHANCED, 2, "00040003") : MpaHex.request(CRC, 1, ""));
        String reply =
                enhanced ? MpaHex.reply(REJECT | ENHANCED, 2, "00010002" + "6e6f") : MpaHex.reply(REJECT, 1, "6e6f");
        peer.expect("sent", "send", "c", reply);
        peer.expect("done", "half-close", "c");

        CmEvent.ConnectReply told = failed(connecting, Cause.REJECTED_ULP);
        assertThat(told.privateData()).isEqualTo(Octets.ofHex("6e6f"));
        assertThat(told.peer()).isEqualTo(enhanced ? new PeerDepths(true, 1, 2) : PeerDepths.NONE);
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        lab.station().awaitNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    void fallsBackToRevision1WhenTheKernelClosesOnRevision2(Family family) {
        String port = peer.ask("listen", "l", family.kernels());
        CompletionStage<ConnectResult> connecting = connect(clientServer(family, port));
        takesRequest(family, MpaHex.request(CRC | ENHANCED, 2, "00040003"));
        peer.expect("done", "close", "c");

        takesRequest(family, MpaHex.request(CRC, 1, ""));
        peer.expect("sent", "send", "c", MpaHex.reply(0, 1, ""));
        Connection connection = connected(connecting);
        assertThat(events.take(CmEvent.ConnectReply.class).peer()).isEqualTo(PeerDepths.NONE);
        within(connection.abort());
        peer.expect("ECONNRESET", "rest", "c");
        lab.station().awaitNothingHeld();
        assertThat(lab.cm().counters().value(CmCounter.MPA_FALLBACKS)).isEqualTo(1);
    }

    @Test
    void doesNotFallBackWhenItMayNot() {
        String port = peer.ask("listen", "l", Family.V4.kernels());
        CompletionStage<ConnectResult> connecting =
                connect(clientServer(Family.V4, port).fallBack(false));
        takesRequest(Family.V4, MpaHex.request(CRC | ENHANCED, 2, "00040003"));
        peer.expect("done", "close", "c");

        failed(connecting, Cause.RESET);
        lab.station().awaitNothingHeld();
        assertThat(lab.cm().counters().value(CmCounter.MPA_FALLBACKS)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void isToldOfTheKernelsReset(Family family) {
        String port = peer.ask("listen", "l", family.kernels());
        CompletionStage<ConnectResult> connecting =
                connect(clientServer(family, port).revision1());
        takesRequest(family, MpaHex.request(CRC, 1, ""));
        peer.expect("done", "reset", "c");

        failed(connecting, Cause.RESET);
        lab.station().awaitNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedByAClosedPort(Family family) {
        String port = peer.ask("unused", family.kernels());

        failed(connect(clientServer(family, port)), Cause.REFUSED_TCP);
        lab.station().awaitNothingHeld();
    }

    @Test
    void connectsTwentyAtOnce() {
        String port = peer.ask("listen", "l", Family.V6.kernels());
        List<CompletionStage<ConnectResult>> connecting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            connecting.add(connect(ConnectOptions.to(Family.V6.kernels(port)).revision1()));
        }
        for (int i = 0; i < 20; i++) {
            peer.expect(Family.V6.ours(), "accept", "c" + i, "l");
            peer.expect(MpaHex.request(CRC, 1, ""), "receive", "c" + i, MpaHex.HEADER);
            peer.expect("sent", "send", "c" + i, MpaHex.reply(0, 1, ""));
        }
        connecting.forEach(ConnectsToKernelTest::connected);
        assertThat(within(lab.cm().snapshot()).nodes()).hasSize(20);

        for (int i = 0; i < 20; i++) peer.expect("done", "close", "c" + i);

        await("all are closed", () -> events.all().size() == 60);
        lab.station().awaitNothingHeld();
        assertThat(events.all())
                .filteredOn(event -> event.equals(new CmEvent.Closed(Cause.NONE)))
                .hasSize(20);
    }

    private CompletionStage<ConnectResult> connect(ConnectOptions options) {
        return lab.cm().connect(options, events);
    }

    private static ConnectOptions clientServer(Family family, String port) {
        return ConnectOptions.to(family.kernels(port)).clientServer().depths(new ReadDepths(4, 3));
    }

    private void takesRequest(Family family, String request) {
        peer.expect(family.ours(), "accept", "c", "l");
        peer.expect(request, "receive", "c", request.length() / 2);
    }

    private static Connection connected(CompletionStage<ConnectResult> connecting) {
        ConnectResult result = within(connecting);
        assertThat(result).isInstanceOf(ConnectResult.Connected.class);
        return ((ConnectResult.Connected) result).connection();
    }

    private CmEvent.ConnectReply failed(CompletionStage<ConnectResult> connecting, Cause cause) {
        ConnectResult result = within(connecting);
        assertThat(result).isInstanceOf(ConnectResult.Failed.class);
        assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(cause);
        assertThat(events.all()).hasSize(1);
        return events.take(CmEvent.ConnectReply.class);
    }

    private void endsInOrder() {
        assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(events.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
    }

    private static Octets counting(int octets) {
        return Octets.ofHex(MpaHex.counting(octets));
    }
}
