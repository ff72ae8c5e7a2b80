package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Two queue pairs, a wire that loses, repeats and reorders, and one virtual clock; all from a seed. The initiator's
 * connection manager is played until it has the MPA reply, and both ends' TIME_WAIT rows afterwards.
 */
final class QpSimulation {

    private record Flight(long atNs, long order, End to, Segment segment) {}

    /** One end: before hand-over, with its queue pair, or in TIME_WAIT. */
    final class End implements QpOutput {
        final String name;
        final List<AsyncEvent> events = new ArrayList<>();
        final Scene.Setup setup = new Scene.Setup();
        Optional<QueuePair> qp = Optional.empty();
        Optional<TimeWaitRow> timeWait = Optional.empty();
        Octets reply = Octets.EMPTY;
        private final Reassembly outOfOrder = new Reassembly(1000);
        boolean ended;
        boolean closesOnFin;

        End(String name) {
            this.name = name;
        }

        void takeOver() {
            qp = Optional.of(QueuePair.takeOver(
                    new io.iwcm.nic.spi.QpId(1), setup.context(), setup.params, setup.work, nowNs, this));
        }

        private void arrive(Segment segment) {
            if (timeWait.isPresent()) {
                if (segment.sequenceLength() > 0 && !segment.rst()) {
                    TimeWaitRow row = timeWait.get();
                    send(new Segment(
                            row.sndNxt(), row.rcvNxt(), Segment.ACK, row.window(), TcpOptions.NONE, Octets.EMPTY));
                }
            } else if (qp.isEmpty()) {
                awaitReply(segment);
            } else if (!ended) {
                int told = events.size();
                qp.get().segment(segment, nowNs, this);
                boolean fin = events.subList(told, events.size()).stream()
                        .anyMatch(event -> event.code() == Code.LLP_FIN_RECEIVED);
                if (fin && closesOnFin) {
                    qp.get().close(nowNs, this);
                }
            }
        }

        /** The connection manager's part: takes the reply in order, acknowledges it, hands over when it is whole. */
        private void awaitReply(Segment segment) {
            SeqNum expected = new SeqNum(setup.theirs + reply.length());
            int replyLength = responder.setup.lsmm.length();
            int room = setup.theirs + replyLength - segment.seq().value();
            Octets payload =
                    segment.payload().slice(0, Math.min(segment.payload().length(), Math.max(0, room)));
            if (segment.seq().after(expected)) {
                outOfOrder.keep(segment.seq(), payload);
            } else if (segment.seq().plus(payload.length()).after(expected)) {
                reply = reply.concat(payload.from(expected.minus(segment.seq())));
            }
            Optional<Octets> more = outOfOrder.take(new SeqNum(setup.theirs + reply.length()));
            while (more.isPresent()) {
                reply = reply.concat(more.get());
                more = outOfOrder.take(new SeqNum(setup.theirs + reply.length()));
            }
            SeqNum next = new SeqNum(setup.theirs + reply.length());
            send(new Segment(
                    new SeqNum(setup.ours),
                    next,
                    Segment.ACK,
                    setup.receiveWindow >> setup.receiveScale,
                    TcpOptions.NONE,
                    Octets.EMPTY));
            if (reply.length() == replyLength) {
                setup.theirs = next.value();
                takeOver();
            }
        }

        private void send(Segment segment) {
            trace.add("%6d ms %s %s %s..(%d) ack %s win %d"
                    .formatted(
                            nowNs / Scene.MS,
                            name,
                            Integer.toBinaryString(segment.flags()),
                            segment.seq(),
                            segment.payload().length(),
                            segment.ack(),
                            segment.window()));
            fly(this == responder ? initiator : responder, segment);
        }

        @Override
        public void transmit(Segment segment) {
            requireLive();
            send(segment);
        }

        @Override
        public void event(AsyncEvent event) {
            requireLive();
            trace.add("%6d ms %s %s".formatted(nowNs / Scene.MS, name, event.code()));
            events.add(event);
        }

        @Override
        public void ended(Optional<TimeWaitRow> row) {
            requireLive();
            ended = true;
            timeWait = row;
        }

        private void requireLive() {
            if (ended) {
                throw new AssertionError(name + " was told something after it ended\n" + trace());
            }
        }

        long count(Code code) {
            return events.stream().filter(event -> event.code() == code).count();
        }
    }

    final End initiator = new End("initiator");
    final End responder = new End("responder");
    private final Random random;
    private final PriorityQueue<Flight> wire =
            new PriorityQueue<>(Comparator.comparingLong(Flight::atNs).thenComparingLong(Flight::order));
    private final List<String> trace = new ArrayList<>();
    private long flights;
    long nowNs;
    int lossPercent;
    int repeatPercent;
    int delayMsMax = 1;

    QpSimulation(long seed) {
        random = new Random(seed);
        trace.add("seed " + seed);
        Scene.Setup r = responder.setup;
        Scene.Setup i = initiator.setup;
        i.initiator = true;
        i.lsmm = Octets.EMPTY;
        r.rtr = Optional.of(Rtr.values()[random.nextInt(3)]);
        i.rtr = r.rtr;
        r.lsmm = Octets.wrap(bytes(random.nextBoolean() ? 24 : 532));
        r.ours = random.nextBoolean() ? random.nextInt() : -random.nextInt(1000);
        r.theirs = random.nextBoolean() ? random.nextInt() : -random.nextInt(60);
        i.ours = r.theirs;
        i.theirs = r.ours;
        for (Scene.Setup s : List.of(r, i)) {
            s.mss = List.of(5, 100, 1460).get(random.nextInt(3));
            s.receiveScale = random.nextInt(3);
            s.receiveWindow = List.of(16, 200, 65535).get(random.nextInt(3)) << s.receiveScale;
        }
        r.window = i.receiveWindow;
        r.maxWindow = i.receiveWindow;
        r.scale = i.receiveScale;
        i.window = r.receiveWindow;
        i.maxWindow = r.receiveWindow;
        i.scale = r.receiveScale;
        r.sendMarkers = random.nextBoolean();
        i.receiveMarkers = r.sendMarkers;
        i.sendMarkers = random.nextBoolean();
        r.receiveMarkers = i.sendMarkers;
        initiator.closesOnFin = random.nextBoolean();
        responder.closesOnFin = random.nextBoolean();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    int draw(int bound) {
        return random.nextInt(bound);
    }

    private void fly(End to, Segment segment) {
        int copies = random.nextInt(100) < repeatPercent ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            if (random.nextInt(100) >= lossPercent) {
                long atNs = nowNs + Scene.MS * (1 + random.nextInt(delayMsMax));
                wire.add(new Flight(atNs, flights++, to, segment));
            }
        }
    }

    /** Runs until {@code untilNs}, or until nothing will ever happen again. */
    void runUntil(long untilNs) {
        long steps = 0;
        while (true) {
            long next = Math.min(deadlineNs(initiator), deadlineNs(responder));
            next = wire.isEmpty() ? next : Math.min(next, wire.peek().atNs());
            if (next > untilNs) {
                nowNs = untilNs;
                return;
            }
            if (++steps > 100_000) {
                throw new AssertionError("no end to it\n" + trace());
            }
            nowNs = Math.max(nowNs, next);
            if (!wire.isEmpty() && wire.peek().atNs() <= nowNs) {
                Flight flight = wire.remove();
                flight.to().arrive(flight.segment());
            }
            tick(initiator);
            tick(responder);
        }
    }

    private static long deadlineNs(End end) {
        return end.qp.map(QueuePair::nextDeadlineNs).orElse(Long.MAX_VALUE);
    }

    private void tick(End end) {
        if (deadlineNs(end) <= nowNs) {
            end.qp.orElseThrow().tick(nowNs, end);
            if (deadlineNs(end) <= nowNs) {
                throw new AssertionError(end.name + " wants to be ticked again at once\n" + trace());
            }
        }
    }

    void close(End end) {
        if (end.qp.isPresent()) {
            end.qp.get().close(nowNs, end);
        }
    }

    String trace() {
        return String.join("\n", trace);
    }
}
