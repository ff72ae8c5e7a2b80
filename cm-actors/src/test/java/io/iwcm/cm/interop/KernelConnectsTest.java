package io.iwcm.cm.interop;

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
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import io.iwcm.nic.wire.Octets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
