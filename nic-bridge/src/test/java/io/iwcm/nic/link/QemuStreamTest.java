package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.frame;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stream link and a peer that is made of plain sockets. */
@Timeout(60)
class QemuStreamTest {

    @TempDir
    private Path directory;

    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();

    enum Family {
        TCP,
        UNIX
    }

    @ParameterizedTest
    @EnumSource
    void listensAndSpeaksFramesBehindTheirLengths(Family kind) throws Exception {
        try (QemuStreamLink link = listening(kind);
                Peer peer = Peer.to(address(link))) {
            awaitEvent(link, LinkEvent.CONNECTS, 1);
            peer.writes(record(frame(BROADCAST, MAC_A, 7)));
            assertThat(Frames.number(received.take())).isEqualTo(7);

            link.transmit(numbered(MAC_A, BROADCAST, 3));
            for (int number = 0; number < 3; number++) {
                assertThat(peer.reads()).isEqualTo(frame(MAC_A, BROADCAST, number));
            }
            assertThat(link.counters()).isEqualTo(new LinkCounters(1, 3, 0, 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectsOnceThePeerListens(Family kind) throws Exception {
        SocketAddress place;
        SocketPlace name;
        if (kind == Family.TCP) {
            try (var reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                place = reserved.getLocalSocketAddress();
                name = new SocketPlace.Inet("127.0.0.1", reserved.getLocalPort());
            }
        } else {
            place = UnixDomainSocketAddress.of(directory.resolve("peer"));
            name = new SocketPlace.Unix(directory.resolve("peer"));
        }
        try (QemuStreamLink link =
                QemuStreamLink.open(QemuStreamOptions.connecting(name, 1500).withRetryNs(1_000_000, 4_000_000))) {
            link.start(received::addAll);
            awaitEvent(link, LinkEvent.CONNECT_FAILURES, 3);
            try (var server = bound(place);
                    Peer peer = new Peer(server.accept())) {
                awaitEvent(link, LinkEvent.CONNECTS, 1);
                link.transmit(List.of(frame(BROADCAST, MAC_A, 1)));
                assertThat(Frames.number(peer.reads())).isEqualTo(1);
            }
            awaitEvent(link, LinkEvent.DISCONNECTS, 1);
            if (kind == Family.UNIX) {
                java.nio.file.Files.delete(directory.resolve("peer"));
            }
            try (var server = bound(place);
                    Peer peer = new Peer(server.accept())) {
                awaitEvent(link, LinkEvent.CONNECTS, 2);
                peer.writes(record(frame(BROADCAST, MAC_A, 2)));
                assertThat(Frames.number(received.take())).isEqualTo(2);
            }
        }
    }

    @Test
    void takesFramesInPiecesAndManyAtOnce() throws Exception {
        try (QemuStreamLink link = listening(Family.TCP);
                Peer peer = Peer.to(address(link))) {
            byte[] one = record(frame(BROADCAST, MAC_A, 1, 1514));
            for (byte octet : one) {
                peer.writes(octet);
            }
            ByteBuffer many = ByteBuffer.allocate(500 * one.length);
            for (int number = 0; number < 500; number++) {
                many.put(record(frame(BROADCAST, MAC_A, number, 1514)));
            }
            peer.writes(many.array());

            assertThat(received.take()).isEqualTo(frame(BROADCAST, MAC_A, 1, 1514));
            for (int number = 0; number < 500; number++) {
                assertThat(Frames.number(received.take())).isEqualTo(number);
            }
        }
    }

    @Test
    void dropsFramesThatDoNotFitAndGoesOn() throws Exception {
        try (QemuStreamLink link = listening(Family.UNIX);
                Peer peer = Peer.to(address(link))) {
            awaitEvent(link, LinkEvent.CONNECTS, 1);
            peer.writes(record(new byte[13]));
            peer.writes(record(new byte[1515]));
            peer.writes(record(new byte[FrameStream.FRAME_MAX]));
            peer.writes(record(frame(BROADCAST, MAC_A, 5, 1514)));
            assertThat(Frames.number(received.take())).isEqualTo(5);
            assertThat(link.counters().receiveDropped()).isEqualTo(3);

            link.transmit(List.of(new byte[13], new byte[1515], frame(BROADCAST, MAC_A, 6)));
            assertThat(Frames.number(peer.reads())).isEqualTo(6);
            assertThat(link.counters().sendDropped()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(ints = {0, FrameStream.FRAME_MAX + 1, -1, Integer.MIN_VALUE})
    void cutsOffAPeerWhoseLengthCannotBe(int length) throws Exception {
        try (QemuStreamLink link = listening(Family.TCP)) {
            try (Peer peer = Peer.to(address(link))) {
                ByteBuffer wrong = ByteBuffer.allocate(100);
                wrong.put(record(frame(BROADCAST, MAC_A, 1))).putInt(length);
                peer.writes(java.util.Arrays.copyOf(wrong.array(), wrong.position()));
                assertThat(peer.atEnd()).isTrue();
            }
            assertThat(Frames.number(received.take())).as("what came before").isEqualTo(1);
            awaitEvent(link, LinkEvent.DISCONNECTS, 1);
            assertThat(link.events().get(LinkEvent.WRONG_LENGTHS)).isEqualTo(1);
            try (Peer next = Peer.to(address(link))) {
                next.writes(record(frame(BROADCAST, MAC_A, 2)));
                assertThat(Frames.number(received.take())).isEqualTo(2);
            }
        }
    }

    @Test
    void turnsASecondPeerAway() throws Exception {
        try (QemuStreamLink link = listening(Family.UNIX);
                Peer first = Peer.to(address(link))) {
            awaitEvent(link, LinkEvent.CONNECTS, 1);
            try (Peer second = Peer.to(address(link))) {
                assertThat(second.atEnd()).isTrue();
            }
            awaitEvent(link, LinkEvent.STRANGERS, 1);
            first.writes(record(frame(BROADCAST, MAC_A, 3)));
            assertThat(Frames.number(received.take())).isEqualTo(3);
        }
    }

    @Test
    void neverWaitsForAPeerThatDoesNotReadAndClosesAtOnce() throws Exception {
        QemuStreamLink link = listening(Family.TCP);
        try (SocketChannel idle = SocketChannel.open()) {
            idle.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            idle.connect(address(link));
            awaitEvent(link, LinkEvent.CONNECTS, 1);
            List<byte[]> batch = numbered(MAC_A, BROADCAST, 100);
            while (link.counters().sendDropped() == 0) {
                link.transmit(batch);
            }
            link.close();
            assertThat(link.counters().sent()).isGreaterThan(FrameStream.SEND_BUFFER / 68 - 100);
        }
    }

    @Test
    void writesTheRestWhenASlowPeerReadsOn() throws Exception {
        try (QemuStreamLink link = listening(Family.TCP);
                Peer peer = Peer.to(address(link))) {
            awaitEvent(link, LinkEvent.CONNECTS, 1);
            int sent = 0;
            while (link.counters().sendDropped() == 0) {
                link.transmit(List.of(frame(MAC_A, BROADCAST, sent++, 1514)));
            }
            for (int number = 0; number < sent - 1; number++) {
                assertThat(peer.reads()).isEqualTo(frame(MAC_A, BROADCAST, number, 1514));
            }
            link.transmit(List.of(frame(MAC_A, BROADCAST, -1)));
            assertThat(Frames.number(peer.reads())).isEqualTo(-1);
        }
    }

    @Test
    void losesWhatIsSentToNobody() {
        try (QemuStreamLink link = listening(Family.UNIX)) {
            link.transmit(numbered(BROADCAST, MAC_A, 2));
            assertThat(link.counters()).isEqualTo(new LinkCounters(0, 0, 0, 2));
        }
    }

    @Test
    void letsAReceiverCloseItsOwnLink() throws Exception {
        QemuStreamLink link =
                QemuStreamLink.open(QemuStreamOptions.listening(new SocketPlace.Unix(directory.resolve("link")), 1500));
        link.start(_ -> link.close());
        try (Peer peer = Peer.to(address(link))) {
            peer.writes(record(frame(BROADCAST, MAC_A, 1)));
            assertThat(peer.atEnd()).isTrue();
        }
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("iwcm-" + link.name()))
                .forEach(Threads::joinUnlessCurrent);
        assertThat(directory.resolve("link")).doesNotExist();
    }

    private QemuStreamLink listening(Family kind) {
        SocketPlace place =
                kind == Family.TCP ? SocketPlace.parse("127.0.0.1:0") : new SocketPlace.Unix(directory.resolve("link"));
        QemuStreamLink link = QemuStreamLink.open(QemuStreamOptions.listening(place, 1500));
        link.start(received::addAll);
        return link;
    }

    private static SocketAddress address(QemuStreamLink link) throws IOException {
        return SocketPlace.parse(link.name().substring("qemu-stream:".length())).resolve();
    }

    private static ServerSocketChannel bound(SocketAddress place) throws IOException {
        ServerSocketChannel server = place instanceof InetSocketAddress
                ? ServerSocketChannel.open()
                : ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX);
        return server.bind(place);
    }

    private static void awaitEvent(Link link, LinkEvent event, long times) {
        while (link.events().get(event) < times) {
            Thread.onSpinWait();
        }
    }

    private static byte[] record(byte[] frame) {
        return ByteBuffer.allocate(4 + frame.length)
                .putInt(frame.length)
                .put(frame)
                .array();
    }

    /** The other end, blocking. */
    private record Peer(SocketChannel channel, DataInputStream in, DataOutputStream out) implements AutoCloseable {

        Peer(SocketChannel channel) {
            this(
                    channel,
                    new DataInputStream(Channels.newInputStream(channel)),
                    new DataOutputStream(Channels.newOutputStream(channel)));
        }

        static Peer to(SocketAddress address) throws IOException {
            return new Peer(SocketChannel.open(address));
        }

        void writes(byte... octets) throws IOException {
            out.write(octets);
            out.flush();
        }

        byte[] reads() throws IOException {
            return in.readNBytes(in.readInt());
        }

        boolean atEnd() {
            try {
                return in.read() < 0;
            } catch (IOException _) { // Reset: what we sent was not read.
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
