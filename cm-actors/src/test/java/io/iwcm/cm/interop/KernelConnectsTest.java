package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import io.iwcm.nic.wire.Octets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of the kernel's TCP come to our listener. */
@RequiresTap
@RequiresTool({"ip", "python3"})
@Timeout(120)
class KernelConnectsTest {

    private static final int PORT = 4420;
    /** C: CRCs are used. We always say so. */
    private static final int CRC = 0x40;

    private static final int REJECT = 0x20;
    private static final int ENHANCED = 0x10;
    private static final CmEvent.ConnectRequest ENHANCED_REQUEST =
            new CmEvent.ConnectRequest(2, new PeerDepths(true, 4, 3), new ReadDepths(32, 4), counting(16));

    private final KernelLab lab = new KernelLab();
    private final KernelPeer peer = lab.peer();
    private final Events events = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest(name = "{0} {1} octets")
    @CsvSource({"V4, 0", "V4, 512", "V6, 3", "V6, 512"})
    void acceptsRevision1AndSeesTheKernelClose(Family family, int octets) {
        ListenHandle listener = listen(family);
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        peer.expect("sent", "send", "c", MpaHex.request(CRC, 1, MpaHex.counting(octets)));

        Connection connection =
                requested(new CmEvent.ConnectRequest(1, PeerDepths.NONE, new ReadDepths(32, 32), counting(octets)));
        accept(connection, octets);
        String reply = MpaHex.reply(CRC, 1, MpaHex.counting(octets));
        peer.expect(reply, "receive", "c", MpaHex.HEADER + octets);
        events.take(CmEvent.Established.class);

        peer.expect("done", "half-close", "c");
        endsInOrder();
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        nothingStays(listener);
    }

    @ParameterizedTest(name = "{0} {1} octets")
    @CsvSource({"V4, 0", "V4, 508", "V6, 5", "V6, 508"})
    void acceptsRevision2AndClosesItself(Family family, int octets) {
        ListenHandle listener = listen(family);
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        peer.expect("sent", "send", "c", MpaHex.request(ENHANCED, 2, "00040003" + MpaHex.counting(octets)));

        Connection connection = requested(
                new CmEvent.ConnectRequest(2, new PeerDepths(true, 4, 3), new ReadDepths(32, 4), counting(octets)));
        accept(connection, octets);
        String reply = MpaHex.reply(CRC | ENHANCED, 2, "00100004" + MpaHex.counting(octets));
        peer.expect(reply, "receive", "c", MpaHex.HEADER + 4 + octets);
        assertThat(events.take(CmEvent.Established.class).depths()).isEqualTo(new ReadDepths(16, 4));

        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        endsInOrder();
        nothingStays(listener);
    }

    @ParameterizedTest
    @EnumSource
    void takesARequestThatComesOctetByOctet(Family family) {
        ListenHandle listener = listen(family);
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        peer.expect("sent", "trickle", "c", MpaHex.request(ENHANCED, 2, "00040003" + MpaHex.counting(16)));

        accept(requested(ENHANCED_REQUEST), 0);
        peer.expect(MpaHex.reply(CRC | ENHANCED, 2, "00100004"), "receive", "c", MpaHex.HEADER + 4);
        events.take(CmEvent.Established.class);

        peer.expect("done", "close", "c");
        endsInOrder();
        nothingStays(listener);
    }

    @ParameterizedTest(name = "{0} revision {1}")
    @CsvSource({"V4, 1", "V4, 2", "V6, 1", "V6, 2"})
    void tellsTheKernelWhyTheApplicationRejects(Family family, int revision) {
        ListenHandle listener = listen(family);
        boolean enhanced = revision == 2;
        String request =
                enhanced ? MpaHex.request(ENHANCED, 2, "00040003" + MpaHex.counting(16)) : MpaHex.request(0, 1, "");
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        peer.expect("sent", "send", "c", request);

        Connection asked = events.take().connection();
        assertThat(within(asked.reject(Octets.ofHex("6e6f21")))).isEqualTo(Cause.NONE);
        String heard = peer.ask("rest", "c");
        if (enhanced) {
            assertThat(heard).matches(MpaHex.reply(CRC | REJECT | ENHANCED, 2, "........6e6f21") + " FIN");
        } else {
            assertThat(heard).isEqualTo(MpaHex.reply(CRC | REJECT, 1, "6e6f21") + " FIN");
        }
        peer.expect("done", "close", "c");
        nothingStays(listener);
        assertThat(events.all()).hasSize(1);
        assertThat(lab.cm().counters().value(CmCounter.REJECTS)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"V4, WRITE", "V6, WRITE", "V4, READ", "V6, READ"})
    void standsInThePeerToPeerModelWhenTheKernelsFirstFpduIsThere(Family family, Rtr rtr) {
        ListenHandle listener = listen(family);
        boolean read = rtr == Rtr.READ;
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        // A in the IRD word; C or D in the ORD word offers the one form we shall send.
        String depths = read ? "80044003" : "80048003";
        peer.expect("sent", "send", "c", MpaHex.request(CRC | ENHANCED, 2, depths));
        Connection connection = events.take().connection();
        accept(connection, 0);
        String answered = read ? "80104004" : "80108004";
        peer.expect(MpaHex.reply(CRC | ENHANCED, 2, answered), "receive", "c", MpaHex.HEADER + 4);
        assertThat(events.all()).hasSize(1);

        peer.expect("sent", "send", "c", read ? MpaHex.emptyReadRequest(7) : MpaHex.emptyWrite(7));
        events.take(CmEvent.Established.class);

        String response = MpaHex.emptyReadResponse(7);
        if (read) peer.expect(response, "receive", "c", response.length() / 2);
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        endsInOrder();
        nothingStays(listener);
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhereNobodyListens(Family family) {
        peer.expect("ECONNREFUSED", "connect", "c", family.ours(), PORT);

        assertThat(lab.station().nic().count(NicCounter.RESETS_SENT)).isEqualTo(1);
        lab.station().awaitNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    void answersPings(Family family) {
        peer.expect("reply", "ping", family.ours(), 0);
        peer.expect("reply", "ping", family.ours(), 1001);

        assertThat(lab.station().nic().count(NicCounter.ECHOES_ANSWERED)).isEqualTo(2);
    }

    @Test
    void resetsWhatIsNoMpaAndTellsTheApplicationNothing() {
        ListenHandle listener = listen(Family.V4);
        peer.expect("connected", "connect", "c", Family.V4.ours(), PORT);
        peer.expect("sent", "send", "c", MpaHex.counting(40));

        peer.expect("ECONNRESET", "rest", "c");
        nothingStays(listener);
        assertThat(events.all()).isEmpty();
        assertThat(lab.cm().counters().value(CmCounter.MPA_MALFORMED)).isEqualTo(1);
    }

    @Test
    void tellsTheApplicationOfAReset() {
        ListenHandle listener = listenAccepting();
        peer.expect("connected", "connect", "c", Family.V6.ours(), PORT);
        peer.expect("sent", "send", "c", MpaHex.request(0, 1, ""));
        peer.expect(MpaHex.reply(CRC, 1, ""), "receive", "c", MpaHex.HEADER);
        events.take(CmEvent.Established.class);

        peer.expect("done", "reset", "c");

        assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.RESET);
        assertThat(events.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.RESET);
        nothingStays(listener);
    }

    @Test
    void servesFiftyOneAfterTheOther() {
        ListenHandle listener = listenAccepting();
        for (int i = 0; i < 50; i++) {
            Family family = i % 2 == 0 ? Family.V4 : Family.V6;
            peer.expect("connected", "connect", "c", family.ours(), PORT);
            peer.expect("sent", "send", "c", MpaHex.request(0, 1, ""));
            peer.expect(MpaHex.reply(CRC, 1, ""), "receive", "c", MpaHex.HEADER);
            peer.expect("done", "half-close", "c");
            peer.expect("FIN", "rest", "c");
            peer.expect("done", "close", "c");
            events.take(CmEvent.Established.class);
            endsInOrder();
        }
        nothingStays(listener);
        assertThat(lab.cm().counters().value(CmCounter.ACCEPTS)).isEqualTo(50);
    }

    @Test
    void servesTwentyAtOnce() {
        ListenHandle listener = listenAccepting();
        List<String> names = IntStream.range(0, 20).mapToObj(i -> "c" + i).toList();
        names.forEach(name -> peer.expect("begun", "begin", name, Family.V4.ours(), PORT));
        names.forEach(name -> peer.expect("connected", "finish", name));
        names.forEach(name -> peer.expect("sent", "send", name, MpaHex.request(0, 1, "")));
        names.forEach(name -> peer.expect(MpaHex.reply(CRC, 1, ""), "receive", name, MpaHex.HEADER));
        names.forEach(_ -> events.take(CmEvent.Established.class));
        assertThat(within(lab.cm().snapshot()).nodes()).hasSize(20);

        names.forEach(name -> peer.expect("done", "close", name));

        await("all are closed", () -> events.all().size() == 60);
        nothingStays(listener);
        assertThat(events.all())
                .filteredOn(event -> event.equals(new CmEvent.Closed(Cause.NONE)))
                .hasSize(20);
    }

    private ListenHandle listenAccepting() {
        ListenOptions options = ListenOptions.on(Flows.end("[::]:" + PORT)).accepting(AcceptOptions.DEFAULT);
        return within(lab.cm().listen(options, events));
    }

    private ListenHandle listen(Family family) {
        return within(lab.cm().listen(ListenOptions.on(family.ours(PORT)), events));
    }

    private Connection requested(CmEvent.ConnectRequest expected) {
        Events.Heard request = events.take();
        assertThat(request.event()).isEqualTo(expected);
        return request.connection();
    }

    private static void accept(Connection connection, int octets) {
        AcceptOptions options =
                AcceptOptions.DEFAULT.depths(new ReadDepths(16, 8)).privateData(counting(octets));
        assertThat(within(connection.accept(options))).isEqualTo(Cause.NONE);
    }

    private void endsInOrder() {
        assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(events.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
    }

    private void nothingStays(ListenHandle listener) {
        within(listener.close());
        lab.station().awaitNothingHeld();
    }

    private static Octets counting(int octets) {
        return Octets.ofHex(MpaHex.counting(octets));
    }
}
