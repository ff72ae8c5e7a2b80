package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.frame;
import static io.iwcm.nic.link.Frames.number;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A datagram link and a peer that is a plain UDP socket, or another link where Java has no such socket. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class QemuDatagramTest {

    @TempDir
    private Path directory;

    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void exchangesAFrameInEachUdpDatagramWithItsPeerAlone(String host) throws Exception {
        InetAddress address = InetAddress.getByName(host);
        try (var peer = new DatagramSocket(0, address);
                var stranger = new DatagramSocket(0, address);
                Link link = QemuDatagramLink.open(new QemuDatagramOptions(
                        new SocketPlace.Inet(host, 0), new SocketPlace.Inet(host, peer.getLocalPort()), 1500))) {
            link.start(received::addAll);
            var to = (InetSocketAddress) SocketPlace.parse(link.name().substring("qemu-dgram:".length()))
                    .resolve();
            send(stranger, to, frame(BROADCAST, MAC_A, 1));
            send(peer, to, new byte[13]);
            send(peer, to, new byte[1515]);
            send(peer, to, frame(BROADCAST, MAC_A, 2, 1514));
            assertThat(received.take()).isEqualTo(frame(BROADCAST, MAC_A, 2, 1514));
            assertThat(link.counters()).isEqualTo(new LinkCounters(1, 0, 2, 0));
            assertThat(link.events()).containsEntry(LinkEvent.STRANGERS, 1L);

            link.transmit(List.of(frame(MAC_A, BROADCAST, 3), new byte[1515], frame(MAC_A, BROADCAST, 4, 1514)));
            assertThat(number(receive(peer))).isEqualTo(3);
            assertThat(receive(peer)).isEqualTo(frame(MAC_A, BROADCAST, 4, 1514));
            assertThat(link.counters().sendDropped()).isEqualTo(1);
        }
    }

    @Test
    void exchangesFramesOverUnixDatagramsAndLosesWhatIsSentToNobody() throws Exception {
        Path here = directory.resolve("here");
        Path there = directory.resolve("there");
        try (Link a = unix(here, there)) {
            a.start(received::addAll);
            a.transmit(numbered(BROADCAST, MAC_A, 2));
            assertThat(a.counters()).isEqualTo(new LinkCounters(0, 0, 0, 2));
            for (int life = 0; life < 2; life++) {
                try (Link b = unix(there, here);
                        Link stranger = unix(directory.resolve("stranger"), here)) {
                    stranger.transmit(numbered(BROADCAST, MAC_A, 1));
                    b.transmit(List.of(frame(BROADCAST, MAC_A, 10 + life)));
                    assertThat(number(received.take())).isEqualTo(10 + life);
                    BlockingQueue<byte[]> back = new LinkedBlockingQueue<>();
                    b.start(back::addAll);
                    a.transmit(List.of(frame(BROADCAST, MAC_A, 20 + life)));
                    assertThat(number(back.take())).isEqualTo(20 + life);
                }
            }
            assertThat(a.events()).containsEntry(LinkEvent.STRANGERS, 2L);
        }
        assertThat(here).doesNotExist();
    }

    @Test
    void takesThePlaceOfASocketThatNobodyHasAndOfNothingElse() throws IOException {
        Path left = directory.resolve("left");
        Path there = directory.resolve("there");
        try (Link _ = unix(left, there)) {
            Files.move(left, directory.resolve("kept"));
        }
        Files.move(directory.resolve("kept"), left);
        try (Link _ = unix(left, there)) {
            assertThatThrownBy(() -> unix(left, there))
                    .isInstanceOf(LinkException.class)
                    .hasMessage("the QEMU link at unix:" + left + " cannot be opened: Address already in use");
        }
        Files.writeString(left, "text");
        assertThatThrownBy(() -> unix(left, there)).hasMessageEndingWith("Address already in use");
        assertThat(left).hasContent("text");
    }

    @Test
    void refusesEndsThatDoNotBelongTogether() {
        SocketPlace path = new SocketPlace.Unix(directory.resolve("here"));
        SocketPlace port = new SocketPlace.Inet("127.0.0.1", 1);
        assertThatIllegalArgumentException().isThrownBy(() -> new QemuDatagramOptions(path, port, 1500));
        assertThatIllegalArgumentException().isThrownBy(() -> new QemuDatagramOptions(path, path, 1500));
    }

    private static Link unix(Path local, Path remote) {
        return QemuDatagramLink.open(
                new QemuDatagramOptions(new SocketPlace.Unix(local), new SocketPlace.Unix(remote), 1500));
    }

    private static void send(DatagramSocket from, InetSocketAddress to, byte[] octets) throws IOException {
        from.send(new DatagramPacket(octets, octets.length, to));
    }

    private static byte[] receive(DatagramSocket at) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
        at.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }
}
