package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.Recorder;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import io.iwcm.nic.testkit.RequiresTshark;
import io.iwcm.nic.wire.Octets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** We talk, over a wire and over a TAP, and Wireshark says what it understood. */
@RequiresTshark
@Timeout(180)
class TsharkJudgesTest {

    private static final Octets ASKED = Octets.ofHex("a1a2a3a4a5");
    private static final Octets ANSWERED = Octets.ofHex("b1b2b3");
    private static final String V4 = "198.18.0.2/24, 198.18.0.1/24, 198.18.0.1:4420";
    private static final String V6 = "fd00::2/64, fd00::1/64, [fd00::1]:4420";
    private static final String V4_VLAN = "198.18.1.2/24@100, 198.18.1.1/24@100, 198.18.1.1:4420";
    private static final String V6_VLAN = "fd01::2/64@7, fd01::1/64@7, [fd01::1]:4420";

    private final Lab lab = new Lab();
    private final Events activeEvents = new Events();
    private final Events passiveEvents = new Events();

    @TempDir
    private Path directory;

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({V4, V6, V4_VLAN, V6_VLAN})
    void readsAnEnhancedHandshakeAndTheFirstFpdus(String from, String to, String endpoint) {
        ConnectOptions options = ConnectOptions.to(Flows.end(endpoint)).depths(new ReadDepths(4, 3));

        Tshark tshark = recorded(from, to, UnaryOperator.identity(), (active, passive) -> {
            Connection connection = establish(active, passive, endpoint, options);
            assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
            ended();
        });

        // A=1, IRD 4; C=1, D=1, ORD 3. Answered: A=1, IRD 16; D=1, ORD 4. Then a zero-length Read and its response.
        assertThat(mpa(tshark))
                .containsExactly(
                        "req rev 2 M 0 C 1 R 0 res 0x10 length 9 8004c003a1a2a3a4a5",
                        "rep rev 2 M 0 C 1 R 0 res 0x10 length 7 80104004b1b2b3",
                        "fpdu 46 opcode 0x01",
                        "fpdu 14 opcode 0x02");
        assertThat(tshark.fields("tcp.flags.fin == 1", "frame.number")).hasSize(2);
        assertThat(tshark.fields("tcp.flags.reset == 1", "frame.number")).isEmpty();
        tshark.findsNothingWrong();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({V4, V6_VLAN})
    void readsAHandshakeOfRevision1AndAReset(String from, String to, String endpoint) {
        ConnectOptions options = ConnectOptions.to(Flows.end(endpoint)).revision1();

        Tshark tshark = recorded(from, to, UnaryOperator.identity(), (active, passive) -> {
            Connection connection = establish(active, passive, endpoint, options);
            assertThat(within(connection.abort())).isEqualTo(Cause.NONE);
            ended();
        });

        assertThat(mpa(tshark))
                .containsExactly(
                        "req rev 1 M 0 C 1 R 0 res 0x00 length 5 a1a2a3a4a5",
                        "rep rev 1 M 0 C 1 R 0 res 0x00 length 3 b1b2b3");
        assertThat(tshark.fields("tcp.flags.reset == 1", "frame.number")).hasSize(1);
        tshark.findsNothingWrong();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({V4, V6})
    void readsARejection(String from, String to, String endpoint) {
        ConnectOptions options = ConnectOptions.to(Flows.end(endpoint))
                .depths(new ReadDepths(4, 3))
                .clientServer()
                .privateData(ASKED);

        Tshark tshark = recorded(from, to, UnaryOperator.identity(), (active, passive) -> {
            ListenOptions rejecting = ListenOptions.on(Flows.end(endpoint)).rejecting(ANSWERED);
            within(passive.cm().listen(rejecting, passiveEvents));
            ConnectResult result = within(active.cm().connect(options, activeEvents));
            assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(Cause.REJECTED_ULP);
            active.awaitNothingHeld();
        });

        List<String> frames = mpa(tshark);
        assertThat(frames).hasSize(2);
        assertThat(frames.getFirst()).isEqualTo("req rev 2 M 0 C 1 R 0 res 0x10 length 9 00040003a1a2a3a4a5");
        assertThat(frames.getLast()).matches("rep rev 2 M 0 C 1 R 1 res 0x10 length 7 [0-9a-f]{8}b1b2b3");
        tshark.findsNothingWrong();
    }

    @Test
    void readsARetransmittedRequest() {
        String endpoint = "198.18.0.1:4420";
        ConnectOptions options = ConnectOptions.to(Flows.end(endpoint)).revision1();
        byte[] key = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);

        Tshark tshark =
                recorded("198.18.0.2/24", "198.18.0.1/24", link -> new LosesFirst(link, key), (active, passive) -> {
                    Connection connection = establish(active, passive, endpoint, options);
                    assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
                    ended();
                });

        // A retransmission is not dissected again.
        assertThat(tshark.fields("iwarp_mpa.req", "iwarp_mpa.privatedata")).containsExactly("a1a2a3a4a5");
        String again = "tcp.analysis.retransmission && tcp.payload contains \"MPA ID Req Frame\"";
        assertThat(tshark.fields(again, "frame.number")).hasSize(1);
        tshark.findsNothingWrong();
    }

    @Test
    @RequiresTap
    @RequiresTool({"ip", "python3"})
    void readsWhatWeSayToAKernel() {
        Path file = directory.resolve("tap.pcap");
        try (KernelLab kernel = new KernelLab(UnaryOperator.identity(), tap -> record(tap, file))) {
            KernelPeer peer = kernel.peer();
            for (Family family : Family.values()) {
                within(kernel.cm().listen(ListenOptions.on(family.ours(4420)), passiveEvents));
                peer.expect("reply", "ping", family.ours(), 100);
                peer.expect("ECONNREFUSED", "connect", "c", family.ours(), 4421);
                peer.expect("connected", "connect", "c", family.ours(), 4420);
                peer.expect("sent", "send", "c", MpaHex.request(0x50, 2, "80044003"));
                Connection connection = passiveEvents.take().connection();
                within(connection.accept(
                        AcceptOptions.DEFAULT.depths(new ReadDepths(16, 8)).privateData(ANSWERED)));
                peer.expect(MpaHex.reply(0x50, 2, "80104004b1b2b3"), "receive", "c", MpaHex.HEADER + 7);
                peer.expect("sent", "send", "c", MpaHex.emptyReadRequest(7));
                passiveEvents.take(CmEvent.Established.class);
                String response = MpaHex.emptyReadResponse(7);
                peer.expect(response, "receive", "c", response.length() / 2);
                within(connection.disconnect());
                peer.expect("FIN", "rest", "c");
                peer.expect("done", "close", "c");
                passiveEvents.take(CmEvent.Disconnected.class);
                passiveEvents.take(CmEvent.Closed.class);
            }
        }

        Tshark tshark = new Tshark(file);
        String request = "req rev 2 M 0 C 1 R 0 res 0x10 length 4 80044003";
        String reply = "rep rev 2 M 0 C 1 R 0 res 0x10 length 7 80104004b1b2b3";
        assertThat(mpa(tshark))
                .containsExactly(
                        request,
                        reply,
                        "fpdu 46 opcode 0x01",
                        "fpdu 14 opcode 0x02",
                        request,
                        reply,
                        "fpdu 46 opcode 0x01",
                        "fpdu 14 opcode 0x02");
        assertThat(tshark.fields("icmp.type == 0 || icmpv6.type == 129", "frame.number"))
                .hasSize(2);
        tshark.findsNothingWrong();
    }

    /** The judge is worth what it catches. */
    @Test
    void noticesOneWrongBitAndTwoWordsThatChangedPlaces() throws IOException {
        String endpoint = "198.18.0.1:4420";
        ConnectOptions options = ConnectOptions.to(Flows.end(endpoint));
        Tshark tshark = recorded("198.18.0.2/24", "198.18.0.1/24", UnaryOperator.identity(), (active, passive) -> {
            within(establish(active, passive, endpoint, options).disconnect());
            ended();
        });
        tshark.findsNothingWrong();
        Path file = directory.resolve("frames.pcap");
        String frames = HexFormat.of().formatHex(Files.readAllBytes(file));
        String request = MpaHex.emptyReadRequest(1);
        String response = MpaHex.emptyReadResponse(1);
        assertThat(frames).contains(request, response);

        String flipped = request.replaceFirst("^002e41", "002e40");
        // Words that change places: the TCP checksum cannot see that, the CRC can.
        String turned = response.replace("00000001", "00010000");
        Files.write(
                file, HexFormat.of().parseHex(frames.replace(request, flipped).replace(response, turned)));

        assertThat(tshark.fields("tcp.checksum.status == 0", "frame.number")).hasSize(1);
        assertThat(tshark.wrong()).hasSize(1);
        assertThat(tshark.crcs()).hasSize(2).allMatch(verdict -> verdict.contains("Bad CRC32"));
    }

    /** What two stations do. */
    @FunctionalInterface
    private interface Talk {
        void between(Lab.Station active, Lab.Station passive);
    }

    /** Records all that the active station sends, before it is damaged, and all that comes to it. */
    private Tshark recorded(String from, String to, UnaryOperator<Link> damage, Talk talk) {
        Path file = directory.resolve("frames.pcap");
        Recorder recorder = record(damage.apply(lab.port()), file);
        Lab.Station active = lab.station(recorder, CmObserver.NONE, from);
        Lab.Station passive = lab.station(lab.port(), CmObserver.NONE, to);
        talk.between(active, passive);
        lab.close();
        assertThat(recorder.failure()).isEmpty();
        return new Tshark(file);
    }

    private static Recorder record(Link link, Path file) {
        return Recorder.around(link, file, () -> System.currentTimeMillis() * 1_000_000);
    }

    private Connection establish(Lab.Station active, Lab.Station passive, String endpoint, ConnectOptions options) {
        within(passive.cm().listen(ListenOptions.on(Flows.end(endpoint)), passiveEvents));
        var connecting = active.cm().connect(options.privateData(ASKED), activeEvents);
        Connection asked = passiveEvents.take().connection();
        within(asked.accept(AcceptOptions.DEFAULT.depths(new ReadDepths(16, 8)).privateData(ANSWERED)));
        activeEvents.take(CmEvent.ConnectReply.class);
        passiveEvents.take(CmEvent.Established.class);
        return ((ConnectResult.Connected) within(connecting)).connection();
    }

    private void ended() {
        for (Events events : List.of(activeEvents, passiveEvents)) {
            events.take(CmEvent.Disconnected.class);
            events.take(CmEvent.Closed.class);
        }
    }

    /** Every MPA frame and FPDU in a few words. */
    private static List<String> mpa(Tshark tshark) {
        return tshark
                .fields(
                        "iwarp_mpa",
                        "iwarp_mpa.key.req",
                        "iwarp_mpa.rev",
                        "iwarp_mpa.marker_flag",
                        "iwarp_mpa.crc_flag",
                        "iwarp_mpa.rej_flag",
                        "iwarp_mpa.res",
                        "iwarp_mpa.pdlength",
                        "iwarp_mpa.privatedata",
                        "iwarp_mpa.ulpdulength",
                        "iwarp_rdma.opcode")
                .stream()
                .map(line -> words(line.split("\t", -1)))
                .toList();
    }

    private static String words(String[] field) {
        return field[8].isEmpty()
                ? "%s rev %s M %s C %s R %s res %s length %s %s"
                        .formatted(
                                field[0].isEmpty() ? "rep" : "req",
                                field[1],
                                field[2],
                                field[3],
                                field[4],
                                field[5],
                                field[6],
                                field[7])
                : "fpdu " + field[8] + " opcode " + field[9];
    }
}
