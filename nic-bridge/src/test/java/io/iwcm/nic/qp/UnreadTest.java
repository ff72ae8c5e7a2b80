package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What TCP keeps for whoever does not read, or cannot send: the window that closes, and the room that runs out. */
class UnreadTest {

    private static final int MSS = 1000;
    private static final long MS = 1_000_000;

    private final QpCounters counters = new QpCounters();
    private final List<Segment> wire = new ArrayList<>();
    private final int theirs = -1700;
    private final TcpEngine tcp = engine(4000, 8000);
    private int sent;

    private TcpEngine engine(int receiveOctets, int sendOctets) {
        TcpHandOver tcp = new TcpHandOver(
                new TcpHandOver.SendSide(new SeqNum(0), new SeqNum(0), 65535, 65535, 0),
                new TcpHandOver.ReceiveSide(new SeqNum(theirs), receiveOctets, 0),
                MSS,
                Octets.EMPTY,
                Octets.EMPTY,
                false);
        QpParams.Tcp params = QpParams.Tcp.DEFAULT.with(new QpParams.Buffers(sendOctets, 1));
        return new TcpEngine(tcp, params, counters, 0);
    }

    private void arrives(int from, int length) {
        arrived(from, length);
        tcp.send(0, wire::add);
    }

    private void arrived(int from, int length) {
        SeqNum seq = new SeqNum(theirs + from);
        Octets payload = Octets.wrap(new byte[length]);
        tcp.segment(new Segment(seq, new SeqNum(0), Segment.ACK, 65535, TcpOptions.NONE, payload), 0);
    }

    /** The acknowledgements since the last call: how much they acknowledge, and the window. */
    private List<String> told() {
        List<String> told = wire.subList(sent, wire.size()).stream()
                .map(segment -> (segment.ack().value() - theirs) + "+" + segment.window())
                .toList();
        sent = wire.size();
        return told;
    }

    private int read() {
        int length = tcp.read().map(Octets::length).orElse(0);
        tcp.send(0, wire::add);
        return length;
    }

    @Test
    void theWindowClosesByWhatIsNotRead() {
        arrives(0, MSS);
        arrives(1000, MSS);
        assertThat(told()).containsExactly("2000+2000");
        arrives(2000, MSS);
        arrives(3000, MSS);
        assertThat(told()).containsExactly("4000+0");
        assertThat(tcp.unread()).isEqualTo(4000);
    }

    @Test
    void intoAClosedWindowComesNothingButItIsAnswered() {
        for (int i = 0; i < 4; i++) {
            arrives(1000 * i, MSS);
        }
        told();
        arrives(4000, 1);
        assertThat(told()).containsExactly("4000+0");
        assertThat(tcp.unread()).isEqualTo(4000);
    }

    /** RFC 9293 §3.8.6.2.2: by a segment at least, and at once when the peer can wait for nothing else. */
    @Test
    void readingTellsThePeerThatTheWindowIsOpenAgainAndNotByTheOctet() {
        arrives(0, 600);
        arrives(600, MSS);
        arrives(1600, MSS);
        arrives(2600, MSS);
        arrives(3600, 400);
        told();
        arrives(4000, 1);
        assertThat(told()).containsExactly("4000+0");
        assertThat(read()).isEqualTo(600);
        assertThat(told()).as("not worth it").isEmpty();
        assertThat(read()).isEqualTo(MSS);
        assertThat(told()).containsExactly("4000+1600");
        read();
        assertThat(told())
                .as("half of it at least, as the peer has something to go on with")
                .isEmpty();
        read();
        assertThat(told()).containsExactly("4000+3600");
    }

    @Test
    void whoReadsAtOnceSendsNoWindowUpdates() {
        for (int i = 0; i < 100; i++) {
            arrived(1000 * i, MSS);
            assertThat(read()).isEqualTo(1000);
        }
        assertThat(told()).hasSize(50).allMatch(line -> Integer.parseInt(line.split("\\+")[1]) >= 3000);
    }

    @Test
    void theEndIsToldWhenAllBeforeItHasBeenRead() {
        tcp.segment(
                new Segment(
                        new SeqNum(theirs),
                        new SeqNum(0),
                        Segment.ACK | Segment.FIN,
                        65535,
                        TcpOptions.NONE,
                        Octets.wrap(new byte[3])),
                0);
        assertThat(tcp.peerFinished()).isFalse();
        read();
        assertThat(tcp.peerFinished()).isTrue();
        assertThat(told()).containsExactly("4+3997");
    }

    @Test
    void aPeerThatSendsOctetsOneByOneCostsNoMoreThanTheWindow() {
        ReceiveQueue queue = new ReceiveQueue();
        byte[] stream = new byte[20_000];
        new Random(1).nextBytes(stream);
        for (int i = 0; i < stream.length; i++) {
            queue.add(Octets.wrap(stream, i, 1));
        }
        assertThat(queue.octets()).isEqualTo(stream.length);
        Octets out = Octets.EMPTY;
        int pieces = 0;
        while (queue.nextLength() > 0) {
            int next = queue.nextLength();
            Octets piece = queue.poll().orElseThrow();
            assertThat(piece.length()).isEqualTo(next);
            out = out.concat(piece);
            pieces++;
        }
        assertThat(out.toBytes()).isEqualTo(stream);
        assertThat(pieces).isLessThan(50);
        assertThat(queue.poll()).isEmpty();
        assertThat(queue.octets()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverTheSizesTheOrderIsKept(int seed) {
        Random random = new Random(seed);
        ReceiveQueue queue = new ReceiveQueue();
        byte[] stream = new byte[50_000];
        random.nextBytes(stream);
        Octets out = Octets.EMPTY;
        int in = 0;
        while (out.length() < stream.length) {
            if (in < stream.length && random.nextInt(3) > 0) {
                int length = Math.min(stream.length - in, 1 + random.nextInt(random.nextBoolean() ? 20 : 3000));
                queue.add(Octets.wrap(stream, in, length));
                in += length;
            } else {
                out = out.concat(queue.poll().orElse(Octets.EMPTY));
            }
            assertThat(queue.octets()).isEqualTo(in - out.length());
        }
        assertThat(out.toBytes()).isEqualTo(stream);
    }

    @Test
    void roomIsWhatTheLimitLeavesAndComesBackWithAcknowledgements() {
        assertThat(tcp.room()).isEqualTo(8000);
        tcp.write(Octets.wrap(new byte[7000]));
        assertThat(tcp.room()).isEqualTo(1000);
        assertThatThrownBy(() -> tcp.write(Octets.wrap(new byte[1001]))).isInstanceOf(IllegalStateException.class);
        tcp.write(Octets.wrap(new byte[1000]));
        assertThat(tcp.room()).isZero();
        tcp.send(0, wire::add);
        tcp.segment(
                new Segment(new SeqNum(theirs), new SeqNum(1500), Segment.ACK, 65535, TcpOptions.NONE, Octets.EMPTY),
                MS);
        assertThat(tcp.room()).isEqualTo(1500);
    }

    @Test
    void controlMessagesHaveAReserveThatHasAnEnd() {
        tcp.write(Octets.wrap(new byte[8000]));
        tcp.writeControl(Octets.wrap(new byte[SendBuffer.CONTROL_RESERVE]));
        assertThat(tcp.room()).isZero();
        assertThatThrownBy(() -> tcp.writeControl(Octets.wrap(new byte[1]))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nothingCanBeWrittenBehindTheFin() {
        tcp.close();
        assertThat(tcp.room()).isZero();
        assertThatThrownBy(() -> tcp.writeControl(Octets.wrap(new byte[1]))).isInstanceOf(IllegalStateException.class);
    }
}
