package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.QpContext;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.List;
import java.util.Optional;

/**
 * One queue pair, its recorded output, a clock in milliseconds and a peer that a test plays by hand. Numbers are given
 * relative to both ends' next numbers at take-over, so that a test reads the same wherever in the sequence space it runs.
 */
final class Scene {

    static final long MS = 1_000_000;

    /** A v2 reply: accept, IRD 3, Read RTR, ORD 4 (PROTOCOL §23). */
    static final Octets LSMM = Octets.ofHex("4d504120 49442052 65702046 72616d65 5002 0004 8003 4004");

    /** What a scene starts from; a test changes what it is about. */
    static final class Setup {
        int ours = 1000;
        int theirs = 5000;
        int mss = 1460;
        int window = 65535;
        int maxWindow = 65535;
        int scale;
        int receiveWindow = 65535 << 2;
        int receiveScale = 2;
        Octets lsmm = LSMM;
        Octets unacknowledged = Octets.EMPTY;
        Octets early = Octets.EMPTY;
        boolean peerFinished;
        boolean initiator;
        boolean crc = true;
        boolean sendMarkers;
        boolean receiveMarkers;
        boolean peerToPeer = true;
        Optional<Rtr> rtr = Optional.of(Rtr.READ);
        int ird = 1;
        int ord = 1;
        QpParams params = QpParams.DEFAULT;
        WorkQueues work = WorkQueues.unused(new QpId(7));

        static Setup responder() {
            return new Setup();
        }

        static Setup initiator(Rtr rtr) {
            Setup setup = new Setup();
            setup.initiator = true;
            setup.lsmm = Octets.EMPTY;
            setup.rtr = Optional.of(rtr);
            return setup;
        }

        QpContext context() {
            SeqNum nxt = new SeqNum(ours);
            TcpHandOver tcp = new TcpHandOver(
                    new TcpHandOver.SendSide(nxt.plus(-unacknowledged.length()), nxt, window, maxWindow, scale),
                    new TcpHandOver.ReceiveSide(new SeqNum(theirs), receiveWindow, receiveScale),
                    mss,
                    unacknowledged,
                    early,
                    peerFinished);
            RdmaParams rdma = new RdmaParams(
                    initiator, new ReadDepths(ird, ord), crc, sendMarkers, receiveMarkers, peerToPeer, rtr);
            return new QpContext(ADDRESSING, tcp, rdma, lsmm);
        }

        Scene takeOver() {
            return new Scene(this);
        }
    }

    private static final TcpFrame.Addressing ADDRESSING = new TcpFrame.Addressing(
            MacAddress.parse("02:00:5e:10:00:01"),
            MacAddress.parse("02:00:5e:10:00:02"),
            new FlowKey(
                    new Endpoint(IpAddress.parse("10.0.0.1"), 4420),
                    new Endpoint(IpAddress.parse("10.0.0.2"), 40000),
                    0),
            0,
            0);

    final Setup setup;
    final Recorded recorded = new Recorded();
    final QueuePair qp;
    long nowNs = 7_000_000_000L;

    private Scene(Setup setup) {
        this.setup = setup;
        qp = QueuePair.takeOver(new QpId(7), setup.context(), setup.params, setup.work, nowNs, recorded);
    }

    /** The peer sends a segment; numbers relative to take-over, the window field as it is on the wire. */
    Scene peer(int seq, int ack, int flags, Octets payload, int windowField) {
        Segment segment = new Segment(
                new SeqNum(setup.theirs + seq),
                new SeqNum(setup.ours + ack),
                flags,
                windowField,
                TcpOptions.NONE,
                payload);
        qp.segment(segment, nowNs, recorded);
        return this;
    }

    Scene peer(int seq, int ack, int flags, Octets payload) {
        return peer(seq, ack, flags, payload, 65535);
    }

    Scene peerAck(int seq, int ack) {
        return peer(seq, ack, Segment.ACK, Octets.EMPTY);
    }

    Scene peerData(int seq, int ack, Octets payload) {
        return peer(seq, ack, Segment.ACK | Segment.PSH, payload);
    }

    /** Lets time pass, ticking exactly when the queue pair asked for it. */
    Scene pass(long ms) {
        long untilNs = nowNs + ms * MS;
        while (qp.nextDeadlineNs() <= untilNs) {
            nowNs = Math.max(nowNs, qp.nextDeadlineNs());
            qp.tick(nowNs, recorded);
        }
        nowNs = untilNs;
        return this;
    }

    /** What was sent since the last call, one line a segment: flags, numbers relative to take-over, payload length. */
    List<String> sent() {
        return recorded.takeSegments().stream().map(this::line).toList();
    }

    List<Code> codes() {
        return recorded.takeCodes();
    }

    private String line(Segment segment) {
        StringBuilder flags = new StringBuilder();
        for (int bit = 0; bit < 8; bit++) {
            if (segment.has(1 << bit)) {
                flags.append("FSRPAUEC".charAt(bit));
            }
        }
        return flags + " " + (segment.seq().value() - setup.ours) + "("
                + segment.payload().length() + ") ack " + (segment.ack().value() - setup.theirs);
    }
}
