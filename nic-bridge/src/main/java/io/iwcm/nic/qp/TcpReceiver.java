package io.iwcm.nic.qp;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.Optional;

/**
 * TCP's receiving side (RFC 9293 §3.3.1): which segments are acceptable, what of them is new, what is in order, and when an
 * acknowledgement is owed. The window offered is the room that is left: it closes by what is not read, and opens again in
 * steps worth telling of (RFC 9293 §3.8.6.2.2). Its right edge never moves back.
 */
final class TcpReceiver {

    /** In-order segments that are acknowledged at once (RFC 9293 §3.8.6.3: at least every second). */
    private static final int SEGMENTS_PER_ACK = 2;

    private static final int WINDOW_FIELD_MAX = 0xffff;

    private final ReceiveQueue ready = new ReceiveQueue();
    private final Reassembly reassembly;
    private final QpCounters counters;
    private final long delayedAckNs;
    private final int capacity;
    private final int step;
    private final int scale;

    private SeqNum nxt;
    /** The number after the last one that the peer was allowed to send. */
    private SeqNum edge;

    private int offered;
    private Optional<SeqNum> finAt = Optional.empty();
    private boolean finished;

    private int unacknowledged;
    private boolean ackNow;
    private long ackAtNs = TcpSender.NEVER;

    TcpReceiver(TcpHandOver tcp, QpParams.Tcp params, QpCounters counters) {
        TcpHandOver.ReceiveSide receive = tcp.receive();
        this.counters = counters;
        this.delayedAckNs = params.delayedAckNs();
        this.scale = receive.scale();
        this.capacity =
                Math.max(receive.window(), Math.min(params.buffers().receiveOctets(), WINDOW_FIELD_MAX << scale));
        this.step = Math.min(capacity / 2, Math.max(1, tcp.mss()));
        this.nxt = receive.nxt();
        this.edge = nxt.plus(receive.window());
        this.offered = windowField();
        this.finished = tcp.peerFinished();
        this.reassembly = new Reassembly(capacity);
        if (!tcp.early().isEmpty()) {
            ready.add(tcp.early());
        }
    }

    /**
     * The four cases of RFC 9293 §3.10.7.4, first step. Into a closed window comes what starts at its edge, for what it
     * acknowledges; its octets find no room.
     */
    boolean acceptable(Segment segment) {
        int length = segment.sequenceLength();
        int window = window();
        if (window == 0) {
            return segment.seq().equals(nxt);
        }
        return segment.seq().within(nxt, window)
                || (length > 0 && segment.end().plus(-1).within(nxt, window));
    }

    /** The data and the FIN of an acceptable segment (RFC 9293 §3.10.7.4, seventh and eighth step). */
    void take(Segment segment, long nowNs) {
        if (segment.sequenceLength() == 0) {
            return;
        }
        if (finished || window() == 0) {
            ackNow = true;
            return;
        }
        int old = Math.max(0, nxt.minus(segment.seq()));
        SeqNum start = segment.seq().plus(old);
        int room = edge.minus(start);
        int fresh = Math.max(0, segment.payload().length() - old);
        Octets payload = fresh == 0 ? Octets.EMPTY : segment.payload().slice(old, Math.min(fresh, room));
        if (segment.fin() && finAt.isEmpty()) {
            finAt = Optional.of(segment.end().plus(-1));
        }
        arrived(start, payload, old > 0 || segment.fin(), nowNs);
    }

    private void arrived(SeqNum start, Octets payload, boolean urgent, long nowNs) {
        if (start.after(nxt)) {
            // Out of order: the acknowledgement tells the peer of the gap at once (RFC 5681 §4.2).
            boolean kept = payload.isEmpty() || reassembly.keep(start, payload);
            counters.count(kept ? QpCounter.OUT_OF_ORDER : QpCounter.OUT_OF_ORDER_DROPPED);
            counters.count(QpCounter.OUT_OF_ORDER_DROPPED, reassembly.takeEvicted());
            ackNow = true;
            return;
        }
        boolean fillsGap = !reassembly.isEmpty();
        deliver(payload);
        for (Optional<Octets> next = reassembly.take(nxt); next.isPresent(); next = reassembly.take(nxt)) {
            deliver(next.get());
        }
        if (finAt.isPresent() && nxt.atOrAfter(finAt.get())) {
            nxt = finAt.get().plus(1);
            edge = edge.plus(1); // It takes a number, but no room.
            finished = true;
        }
        unacknowledged++;
        ackNow = ackNow || urgent || fillsGap || finished || unacknowledged >= SEGMENTS_PER_ACK;
        ackAtNs = Math.min(ackAtNs, nowNs + delayedAckNs);
    }

    private void deliver(Octets octets) {
        int beforeFin = finAt.map(at -> Math.max(0, at.minus(nxt))).orElse(octets.length());
        Octets inOrder = octets.slice(0, Math.min(octets.length(), beforeFin)); // Nothing follows a FIN.
        if (!inOrder.isEmpty()) {
            ready.add(inOrder);
            nxt = nxt.plus(inOrder.length());
        }
    }

    /** The next octets in order, for whoever reads the stream. */
    Optional<Octets> read() {
        Optional<Octets> next = ready.poll();
        boolean stuck = window() < step && opening() >= step;
        if (stuck || opening() >= (capacity + 1) / 2) {
            ackNow = true; // Nobody else would tell the peer.
        }
        return next;
    }

    int nextLength() {
        return ready.nextLength();
    }

    int unread() {
        return ready.octets();
    }

    /** By how much the window could be opened. */
    private int opening() {
        return nxt.plus(capacity - ready.octets()).minus(edge);
    }

    /** An acknowledgement is owed whatever the delay. */
    void acknowledgeNow() {
        ackNow = true;
    }

    boolean acknowledgementDue(long nowNs) {
        return ackNow || nowNs >= ackAtNs;
    }

    /** Opens the window as far as it is worth it; what it is now goes out with the next segment. */
    int windowToOffer() {
        if (opening() >= Math.max(1, step)) {
            edge = edge.plus(opening());
        }
        int field = windowField();
        if (field == 0 && offered > 0) {
            counters.count(QpCounter.OUR_WINDOW_CLOSED);
        }
        offered = field;
        return field;
    }

    /** A segment with the current numbers has gone out. */
    void acknowledgementSent() {
        ackNow = false;
        unacknowledged = 0;
        ackAtNs = TcpSender.NEVER;
    }

    /** The peer's FIN and all before it have arrived. */
    boolean finished() {
        return finished;
    }

    SeqNum nxt() {
        return nxt;
    }

    private int window() {
        return Math.max(0, edge.minus(nxt));
    }

    int windowField() {
        return Math.min(WINDOW_FIELD_MAX, window() >>> scale);
    }

    long deadlineNs() {
        return ackAtNs;
    }
}
