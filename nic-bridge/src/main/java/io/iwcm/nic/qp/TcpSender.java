package io.iwcm.nic.qp;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;

/**
 * TCP's sending side (RFC 9293 §3.3.1): what is owed to the peer, how much of it the peer and the path take, what is
 * sent again and when (RFC 5681, 6582, 3042), and the one timer that retransmits (RFC 6298), probes a closed window
 * (RFC 9293 §3.8.6.1) or gives up waiting for a tiny one to grow (§3.8.6.2.1).
 */
final class TcpSender {

    static final long NEVER = Long.MAX_VALUE;

    /** Retransmissions after which the peer's reachability is in doubt (R1 of RFC 9293 §3.8.3). */
    private static final int DOUBT_AFTER = 3;

    private static final int DUPLICATES_TELL = 3;
    /** New segments that the first repeated acknowledgements bring out, so that a third one comes (RFC 3042). */
    private static final int LIMITED_TRANSMIT = 2;

    /** How long octets wait for a window worth filling: RFC 9293 §3.8.6.2.1 says 0.1 to 1 s. */
    private static final long OVERRIDE_NS = 200_000_000;

    /** Where segments go. */
    interface Wire {
        void segment(SeqNum seq, int flags, Octets payload);
    }

    private final SendBuffer buffer;
    private final Rto rto;
    private final Congestion congestion;
    private final int retriesMax;
    private final QpCounters counters;
    private final PeerWindow peer;
    private int mss;

    private SeqNum una;
    /** What goes next: below {@link #max} after a timeout, when all is sent again (RFC 9293 calls neither SND.NXT). */
    private SeqNum nxt;

    private SeqNum max;
    private boolean finQueued;

    private long timerAtNs = NEVER;
    private int retries;
    private long lastSentNs;

    private int duplicates;
    /** Octets that limited transmit sent: no part of the flight that a loss halves (RFC 5681 §3.2, step 2). */
    private int limited;
    /** Fast recovery, until {@link #recover} is acknowledged. After a timeout: what the same loss may still repeat. */
    private boolean recovering;

    private SeqNum recover;
    private boolean partlyAcknowledged;
    private boolean resend;

    TcpSender(TcpHandOver tcp, QpParams.Tcp params, QpCounters counters, long nowNs) {
        this.counters = counters;
        this.retriesMax = params.retransmission().retriesMax();
        this.rto = new Rto(params.retransmission());
        this.mss = Math.max(1, tcp.mss());
        this.congestion = new Congestion(mss, params.initialWindow());
        this.peer = new PeerWindow(tcp);
        this.una = tcp.send().una();
        this.nxt = tcp.send().nxt();
        this.max = nxt;
        this.recover = una.plus(-1);
        this.lastSentNs = nowNs;
        this.buffer = new SendBuffer(una, params.buffers().sendOctets());
        buffer.appendControl(tcp.unacknowledged());
    }

    /** See {@link TcpEngine#room()}. */
    int room() {
        return finQueued ? 0 : buffer.room();
    }

    /** Queues a message that fits into {@link #room()}; nothing may be queued after {@link #finish()}. */
    void write(Octets message) {
        requireOpen();
        buffer.append(message);
    }

    /** Queues a message that may use the reserve. */
    void writeControl(Octets message) {
        requireOpen();
        buffer.appendControl(message);
    }

    private void requireOpen() {
        if (finQueued) {
            throw new IllegalStateException("nothing can follow a FIN");
        }
    }

    /** Queues the FIN. */
    void finish() {
        finQueued = true;
    }

    /** An acknowledgement number and window of an acceptable segment (RFC 9293 §3.10.7.4, fifth step). */
    void acknowledged(Segment segment, long nowNs) {
        SeqNum ack = segment.ack();
        if (ack.after(una)) {
            advance(ack, nowNs);
        } else if (ack.equals(una)) {
            repeated(segment);
        }
        if (ack.atOrAfter(una)) {
            updateWindow(segment);
        }
        if (peer.window() == 0) {
            retries = 0; // The peer is alive and keeps its window closed, which it may (RFC 9293 §3.8.6.1).
        }
    }

    /** Three acknowledgements that only repeat the last one tell of a loss (RFC 5681 §§2, 3.2). */
    private void repeated(Segment segment) {
        if (una.equals(max) || segment.sequenceLength() > 0 || !peer.isRepeatedBy(segment)) {
            return;
        }
        counters.count(QpCounter.DUPLICATE_ACKS);
        if (recovering) {
            congestion.repeated();
            return;
        }
        duplicates++;
        if (duplicates == DUPLICATES_TELL && tellsOfALoss()) {
            counters.count(QpCounter.FAST_RETRANSMITTED);
            congestion.enterRecovery(max.minus(una) - limited);
            recovering = true;
            partlyAcknowledged = false;
            recover = max;
            rto.stopTiming();
            resend = true;
        }
    }

    /** And not of what a timeout sent again though it had arrived (RFC 6582 §3.2, step 2). */
    private boolean tellsOfALoss() {
        return peer.window() > 0 && una.after(recover);
    }

    private void advance(SeqNum ack, long nowNs) {
        int octets = ack.minus(una);
        int flight = nxt.minus(una);
        una = ack;
        if (nxt.before(una)) {
            nxt = una;
        }
        buffer.acknowledge(ack);
        rto.acknowledged(ack, nowNs);
        retries = 0;
        duplicates = 0;
        limited = 0;
        resend = false;
        boolean restart = true;
        if (!recovering) {
            congestion.acknowledged(octets, flight);
        } else if (una.atOrAfter(recover)) {
            recovering = false;
            congestion.leaveRecovery(max.minus(una));
        } else {
            congestion.partly(octets);
            resend = true;
            restart = !partlyAcknowledged; // RFC 6582 §3.2: many losses are the timer's business.
            partlyAcknowledged = true;
        }
        if (una.equals(max)) {
            timerAtNs = NEVER;
        } else if (restart) {
            timerAtNs = nowNs + rto.timeoutNs();
        }
    }

    private void updateWindow(Segment segment) {
        int before = peer.window();
        if (!peer.update(segment)) {
            return;
        }
        if (before > 0 && peer.window() == 0) {
            counters.count(QpCounter.PEER_WINDOW_CLOSED);
        }
        if (before == 0 && peer.window() > 0) {
            rto.endBackOff();
            retries = 0;
            timerAtNs = NEVER;
            if (!una.equals(max)) {
                goBack(); // The probe was refused: it and what follows go at once.
            }
        }
    }

    private void goBack() {
        nxt = una;
        recover = max;
        recovering = false;
        resend = false;
        duplicates = 0;
        limited = 0;
        rto.stopTiming();
    }

    /** Sends what is due and what the window takes; arms the timer. */
    void send(long nowNs, Wire wire) {
        if (resend) {
            resend = false;
            retransmit(nowNs, wire);
        }
        if (una.equals(max) && nowNs - lastSentNs > rto.timeoutNs()) {
            congestion.idle();
        }
        int length = sendable();
        while (length > 0 || finFits(length)) {
            transmit(length, finFits(length), nowNs, wire);
            length = sendable();
        }
        if (!una.equals(max)) {
            arm(nowNs + rto.timeoutNs());
        } else if (unsent() > 0 || finDue()) {
            arm(nowNs + (byWindow() > 0 ? OVERRIDE_NS : rto.timeoutNs()));
        } else {
            timerAtNs = NEVER;
        }
    }

    private void arm(long atNs) {
        if (timerAtNs == NEVER) {
            timerAtNs = atNs;
        }
    }

    /** What the timer owes; false when the retries are used up. */
    boolean tick(long nowNs, Wire wire) {
        if (nowNs < timerAtNs) {
            return true;
        }
        boolean outstanding = !una.equals(max);
        if (!outstanding && byWindow() > 0) { // A small window, and nothing on its way that would tell of a larger one.
            probe(nowNs, wire);
            return true;
        }
        if (retries >= retriesMax) {
            return false;
        }
        retries++;
        rto.backOff();
        if (!outstanding) {
            probe(nowNs, wire);
        } else if (peer.window() == 0) {
            counters.count(QpCounter.PROBED);
            goBack();
            retransmit(nowNs, wire);
        } else {
            counters.count(QpCounter.TIMED_OUT);
            congestion.timedOut(max.minus(una) - limited, retries > 1);
            goBack();
            retransmit(nowNs, wire);
        }
        timerAtNs = nowNs + rto.timeoutNs();
        return true;
    }

    /** Sends into a window that takes nothing, or too little to be worth it: at least one octet. */
    private void probe(long nowNs, Wire wire) {
        counters.count(QpCounter.PROBED);
        int length = Math.min(unsent(), Math.max(1, byWindow()));
        int run = buffer.runLength(nxt, Math.min(mss, length));
        timerAtNs = NEVER;
        transmit(run, run == 0 && finDue(), nowNs, wire);
        rto.stopTiming();
    }

    /** Sends the first segment that is not acknowledged again, whatever the window. */
    private void retransmit(long nowNs, Wire wire) {
        SeqNum next = nxt;
        int sent = Math.min(max.minus(una), buffer.length());
        int length = buffer.runLength(una, Math.min(Math.min(mss, sent), Math.max(1, peer.window())));
        nxt = una;
        transmit(length, una.plus(length).equals(buffer.end()) && finSent(), nowNs, wire);
        if (next.after(nxt)) {
            nxt = next;
        }
    }

    private void transmit(int length, boolean fin, long nowNs, Wire wire) {
        Octets payload = buffer.run(nxt, length);
        wire.segment(nxt, flags(payload, fin), payload);
        SeqNum end = nxt.plus(length + (fin ? 1 : 0));
        if (nxt.before(max)) {
            counters.count(QpCounter.RETRANSMITTED);
        } else {
            if (una.equals(max)) {
                timerAtNs = nowNs + rto.timeoutNs(); // RFC 6298 §5.1; whatever it was set for before.
            }
            if (!recovering) { // Behind a hole it is acknowledged late.
                rto.sent(end, nowNs);
            }
            limited += duplicates > 0 && !recovering ? length : 0;
        }
        nxt = end;
        max = max.before(end) ? end : max;
        lastSentNs = nowNs;
    }

    private static int flags(Octets payload, boolean fin) {
        return Segment.ACK | (payload.isEmpty() ? 0 : Segment.PSH) | (fin ? Segment.FIN : 0);
    }

    /** How much may go now as one segment; avoids the silly window (RFC 9293 §3.8.6.2.1). */
    private int sendable() {
        int length = buffer.runLength(nxt, mss);
        int byWindow = byWindow();
        if (byWindow < length) {
            length = byWindow > 0 && byWindow >= peer.largest() / 2 ? byWindow : 0;
        }
        return length <= byCongestion() ? length : 0;
    }

    /** The FIN takes a number in the peer's window, and nothing of the path. */
    private boolean finFits(int after) {
        return finDue() && unsent() == after && byWindow() > after && byCongestion() >= after;
    }

    private int byWindow() {
        return una.plus(peer.window()).minus(nxt);
    }

    private int byCongestion() {
        boolean fresh = !recovering && nxt.equals(max);
        int extra = fresh ? Math.min(duplicates, LIMITED_TRANSMIT) * mss : 0;
        return una.plus(congestion.window() + extra).minus(nxt);
    }

    private int unsent() {
        return Math.max(0, buffer.end().minus(nxt));
    }

    private boolean finDue() {
        return finQueued && nxt.atOrBefore(buffer.end());
    }

    private boolean finSent() {
        return max.after(buffer.end());
    }

    boolean finQueued() {
        return finQueued;
    }

    boolean finAcknowledged() {
        return una.after(buffer.end());
    }

    boolean inDoubt() {
        return retries >= DOUBT_AFTER;
    }

    /** Whether the number is one that the peer may acknowledge (RFC 5961 §5.2). */
    boolean acceptableAck(SeqNum ack) {
        return ack.atOrBefore(max) && ack.atOrAfter(una.plus(-peer.largest()));
    }

    /**
     * The number for segments without octets: the next (RFC 5961 §3.2), but none beyond the peer's window. A peer whose
     * window is closed would drop what lies behind our probe, and with it the news that ours is open.
     */
    SeqNum bareSeq() {
        SeqNum edge = una.plus(peer.window());
        return max.after(edge) ? edge : max;
    }

    SeqNum una() {
        return una;
    }

    /** The number after everything sent. */
    SeqNum max() {
        return max;
    }

    /** The number after everything queued, without the FIN. */
    SeqNum end() {
        return buffer.end();
    }

    /** Octets that may be in flight as far as the path goes. */
    int congestionWindow() {
        return congestion.window();
    }

    long deadlineNs() {
        return timerAtNs;
    }
}
