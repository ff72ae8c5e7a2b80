package io.iwcm.nic.qp;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Two TCP engines with an application each, a wire between them and one virtual clock; all from a seed. Every segment is
 * held against a model of what its sender may have in flight.
 */
final class TcpPair {

    static final long MS = 1_000_000;

    private record Flight(long atNs, long order, End to, Segment segment) {}

    /** One end: what it sends, what it got, and how lazily it reads. */
    final class End {
        final String name;
        SeqNum first;
        int mss;
        int window;
        int scale;
        int sendOctets = 64 << 10;
        int messageOctetsMax = 1460;
        byte[] sends = new byte[0];
        Octets got = Octets.EMPTY;
        private final List<Octets> pieces = new ArrayList<>();
        private int gotOctets;
        int readPausePercent;
        long readPauseNsMax;
        long readAtNs;
        private int written;
        boolean closes = true;
        final QpCounters counters = new QpCounters();
        TcpEngine tcp;
        /** The model: what has been acknowledged to this end, and how far the peer has let it go. */
        SeqNum acknowledged;

        SeqNum edge;
        int inFlightMost;
        long lastSentNs;

        End(String name) {
            this.name = name;
        }

        private void begin(End peer) {
            TcpHandOver handOver = new TcpHandOver(
                    new TcpHandOver.SendSide(first, first, peer.window, peer.window, peer.scale),
                    new TcpHandOver.ReceiveSide(peer.first, window, scale),
                    mss,
                    Octets.EMPTY,
                    Octets.EMPTY,
                    false);
            QpParams.Tcp params = QpParams.Tcp.DEFAULT
                    .with(new QpParams.Retransmission(rtoMinNs, rtoMinNs, 60_000 * MS, 64))
                    .with(new QpParams.Buffers(sendOctets, 1));
            tcp = new TcpEngine(handOver, params, counters, nowNs);
            acknowledged = first;
            edge = first.plus(peer.window);
        }

        private void arrive(Segment segment) {
            tcp.segment(segment, nowNs);
            if (tcp.acknowledgedTo(segment.ack())) { // It was taken: what is not acceptable says nothing.
                acknowledged = later(acknowledged, segment.ack());
                edge = later(edge, segment.ack().plus(segment.window() << other(this).scale));
            }
            work();
        }

        private static SeqNum later(SeqNum one, SeqNum other) {
            return one.after(other) ? one : other;
        }

        /** The application's turn, and then TCP's. */
        private void work() {
            while (tcp.nextLength() > 0 && nowNs >= readAtNs) {
                Octets next = tcp.read().orElseThrow();
                pieces.add(next);
                gotOctets += next.length();
                if (random.nextInt(100) < readPausePercent) {
                    readAtNs = nowNs + (long) (random.nextDouble() * readPauseNsMax);
                }
            }
            boolean room = true;
            while (room && written < sends.length) {
                int length = Math.min(1 + random.nextInt(messageOctetsMax), sends.length - written);
                room = tcp.room() >= length;
                if (room) {
                    tcp.write(Octets.wrap(sends, written, length));
                    written += length;
                }
            }
            if (closes && written == sends.length) {
                tcp.close();
            }
            tcp.send(nowNs, this::transmit);
        }

        private void transmit(Segment segment) {
            check(segment);
            lastSentNs = nowNs;
            fly(other(this), segment);
        }

        /** What is not acknowledged fits both windows, but for what probes or is the oldest of it, sent again. */
        private void check(Segment segment) {
            trace.add("%d ms %s %s %s(%d) ack %s win %d cwnd %d"
                    .formatted(
                            nowNs / MS,
                            name,
                            Integer.toBinaryString(segment.flags()),
                            segment.seq(),
                            segment.payload().length(),
                            segment.ack(),
                            segment.window(),
                            tcp.congestionWindow()));
            if (trace.size() > 4000) {
                trace.removeFirst();
            }
            if (segment.sequenceLength() == 0) {
                require(segment.seq().atOrBefore(edge), "an acknowledgement that the peer takes");
                return;
            }
            int flight = segment.seq().plus(segment.payload().length()).minus(acknowledged);
            inFlightMost = Math.max(inFlightMost, flight);
            require(flight >= 0, "nothing that is acknowledged already");
            require(segment.payload().length() <= mss, "no more than a segment");
            boolean oldest = segment.seq().equals(acknowledged);
            int congestion = tcp.congestionWindow() + 2 * mss; // Limited transmit.
            require(flight <= congestion || oldest, "no more than the congestion window");
            require(
                    segment.end().atOrBefore(edge) || (segment.sequenceLength() == 1 && oldest),
                    "no more than the peer's window");
        }

        private void require(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError(name + " must send " + what + " (acknowledged " + acknowledged + ", edge "
                        + edge + ")\n" + trace());
            }
        }

        private long deadlineNs() {
            long reading = tcp.nextLength() > 0 ? readAtNs : Long.MAX_VALUE;
            return Math.min(tcp.deadlineNs(), reading);
        }

        Octets got() {
            byte[] all = new byte[gotOctets];
            int at = 0;
            for (Octets piece : pieces) {
                piece.copyTo(all, at);
                at += piece.length();
            }
            return Octets.wrap(all);
        }
    }

    final End left = new End("left");
    final End right = new End("right");
    final Random random;
    final List<String> trace = new java.util.LinkedList<>();
    private final PriorityQueue<Flight> wire =
            new PriorityQueue<>(Comparator.comparingLong(Flight::atNs).thenComparingLong(Flight::order));
    private long order;
    long nowNs = 5_000_000_000L;
    long rtoMinNs = 1000 * MS;
    int lossPercent;
    int repeatPercent;
    long delayNs = 10 * MS;
    long jitterNs;

    TcpPair(long seed) {
        random = new Random(seed);
        for (End end : List.of(left, right)) {
            end.first = new SeqNum(random.nextBoolean() ? random.nextInt() : -random.nextInt(2000));
            end.mss = 1460;
            end.window = 65535;
        }
    }

    End other(End end) {
        return end == left ? right : left;
    }

    void begin() {
        left.begin(right);
        right.begin(left);
        left.work();
        right.work();
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void fly(End to, Segment segment) {
        int copies = random.nextInt(100) < repeatPercent ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            if (random.nextInt(100) >= lossPercent) {
                long late = jitterNs == 0 ? 0 : (long) (random.nextDouble() * jitterNs);
                wire.add(new Flight(nowNs + delayNs + late, order++, to, segment));
            }
        }
    }

    /** Until both ends are closed or the time is over. */
    boolean closesWithin(long ns) {
        long untilNs = nowNs + ns;
        while (!(left.tcp.closed() && right.tcp.closed())) {
            long next = Math.min(left.deadlineNs(), right.deadlineNs());
            next = wire.isEmpty() ? next : Math.min(next, wire.peek().atNs());
            if (next > untilNs) {
                nowNs = untilNs;
                return false;
            }
            nowNs = Math.max(nowNs, next);
            if (!wire.isEmpty() && wire.peek().atNs() <= nowNs) {
                Flight flight = wire.remove();
                flight.to().arrive(flight.segment());
            }
            for (End end : List.of(left, right)) {
                if (end.deadlineNs() <= nowNs) {
                    end.tcp.tick(nowNs, end::transmit);
                    end.work();
                    if (end.tcp.exhausted()) {
                        throw new AssertionError(end.name + " gave up\n" + trace());
                    }
                    if (end.deadlineNs() <= nowNs) {
                        throw new AssertionError(end.name + " wants to be ticked again at once\n" + trace());
                    }
                }
            }
        }
        return true;
    }

    String trace() {
        return String.join("\n", trace);
    }

    static boolean same(byte[] sent, Octets got) {
        return Arrays.equals(sent, got.toBytes());
    }
}
