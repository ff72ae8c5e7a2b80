package io.iwcm.nic.qp;

import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;

/**
 * TCP's sending side (RFC 9293 §3.3.1): what is owed to the peer, how much of it the peer's window takes, and the one
 * timer that retransmits it (RFC 6298) or probes a window that is closed (RFC 9293 §3.8.6.1).
 */
final class TcpSender {

    static final long NEVER = Long.MAX_VALUE;

    /** Retransmissions after which the peer's reachability is in doubt (R1 of RFC 9293 §3.8.3). */
    private static final int DOUBT_AFTER = 3;

    private static final int DUPLICATES_TELL = 3;

    /** Where segments go. */
    interface Wire {
        void segment(SeqNum seq, int flags, Octets payload);
    }

    private final SendBuffer buffer;
    private final Rto rto;
    private final QpParams.Tcp params;
    private final QpCounters counters;
    private final int mss;
    private final int scale;

    private SeqNum una;
    private SeqNum nxt;
    private int window;
    private int maxWindow;
    private SeqNum windowSeq;
    private SeqNum windowAck;
    private boolean finQueued;

    private long timerAtNs = NEVER;
    private int retries;
    private int duplicates;
    /** Everything before {@link #recover} was lost for all we know: each advance brings the next retransmission. */
    private boolean recovering;

    private SeqNum recover;
    private boolean resend;
    /** Karn: a round trip is measured by one segment at a time, and by none that was sent twice. */
    private boolean timing;

    private SeqNum timedEnd;
    private long timedAtNs;

    TcpSender(TcpHandOver tcp, QpParams.Tcp params, QpCounters counters) {
        this.params = params;
        this.counters = counters;
        this.rto = new Rto(params.retransmission());
        this.mss = Math.max(1, tcp.mss());
        TcpHandOver.SendSide send = tcp.send();
        this.scale = send.scale();
        this.una = send.una();
        this.nxt = send.nxt();
        this.window = send.window();
        this.maxWindow = Math.max(send.maxWindow(), send.window());
        this.windowSeq = tcp.receive().nxt();
        this.windowAck = send.una();
        this.recover = nxt;
        this.timedEnd = nxt;
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
        if (window == 0) {
            retries = 0; // The peer is alive and keeps its window closed, which it may (RFC 9293 §3.8.6.1).
        }
    }

    /** Three acknowledgements that only repeat the last one tell of a loss (RFC 5681 §§2, 3.2). */
    private void repeated(Segment segment) {
        boolean onlyRepeats = segment.sequenceLength() == 0 && segment.window() << scale == window;
        if (!onlyRepeats || una.equals(nxt) || recovering) {
            return;
        }
        duplicates++;
        if (duplicates == DUPLICATES_TELL) {
            recoverAll();
            resend = true;
        }
    }

    private void advance(SeqNum ack, long nowNs) {
        una = ack;
        buffer.acknowledge(ack);
        if (timing && ack.atOrAfter(timedEnd)) {
            rto.sample(nowNs - timedAtNs);
            timing = false;
        }
        retries = 0;
        duplicates = 0;
        recovering = recovering && una.before(recover);
        resend = recovering;
        timerAtNs = una.equals(nxt) ? NEVER : nowNs + rto.timeoutNs();
    }

    private void updateWindow(Segment segment) {
        boolean newer = windowSeq.before(segment.seq())
                || (windowSeq.equals(segment.seq()) && windowAck.atOrBefore(segment.ack()));
        if (!newer) {
            return;
        }
        boolean opens = window == 0 && segment.window() > 0;
        window = segment.window() << scale;
        maxWindow = Math.max(maxWindow, window);
        windowSeq = segment.seq();
        windowAck = segment.ack();
        if (opens) {
            rto.endBackOff();
            retries = 0;
            if (una.equals(nxt)) {
                timerAtNs = NEVER;
            } else { // The probe was refused: it and what follows go at once.
                recoverAll();
                resend = true;
            }
        }
    }

    /** Sends what is due and what the window takes; arms the timer. */
    void send(long nowNs, Wire wire) {
        if (resend) {
            resend = false;
            retransmit(wire);
        }
        int length = sendable();
        while (length > 0 || finFits(length)) {
            transmit(length, finFits(length), nowNs, wire);
            length = sendable();
        }
        boolean owing = !una.equals(nxt) || unsent() > 0 || finPending();
        if (!owing) {
            timerAtNs = NEVER;
        } else if (timerAtNs == NEVER) {
            timerAtNs = nowNs + rto.timeoutNs();
        }
    }

    /** What the timer owes; false when the retries are used up. */
    boolean tick(long nowNs, Wire wire) {
        if (nowNs < timerAtNs) {
            return true;
        }
        if (retries >= params.retransmission().retriesMax()) {
            return false;
        }
        retries++;
        rto.backOff();
        if (una.equals(nxt)) {
            probe(nowNs, wire);
        } else {
            recoverAll();
            retransmit(wire);
        }
        timerAtNs = nowNs + rto.timeoutNs();
        return true;
    }

    /** Sends into a window that takes nothing, or too little to be worth it: at least one octet. */
    private void probe(long nowNs, Wire wire) {
        counters.count(QpCounter.PROBED);
        int length = Math.min(unsent(), Math.max(1, usable()));
        int run = buffer.runLength(nxt, Math.min(mss, length));
        transmit(run, run == 0 && finPending(), nowNs, wire);
        timing = false;
    }

    private void transmit(int length, boolean fin, long nowNs, Wire wire) {
        Octets payload = buffer.run(nxt, length);
        wire.segment(nxt, flags(payload, fin), payload);
        nxt = nxt.plus(payload.length() + (fin ? 1 : 0));
        if (!timing && !recovering) {
            timing = true;
            timedEnd = nxt;
            timedAtNs = nowNs;
        }
    }

    private void recoverAll() {
        recovering = true;
        recover = nxt;
        timing = false;
    }

    private void retransmit(Wire wire) {
        counters.count(QpCounter.RETRANSMITTED);
        int sent = Math.min(nxt.minus(una), buffer.length());
        Octets payload = buffer.run(una, Math.min(Math.min(mss, sent), Math.max(1, window)));
        boolean fin = una.plus(payload.length()).equals(buffer.end()) && finSent();
        wire.segment(una, flags(payload, fin), payload);
    }

    private static int flags(Octets payload, boolean fin) {
        return Segment.ACK | (payload.isEmpty() ? 0 : Segment.PSH) | (fin ? Segment.FIN : 0);
    }

    /** How much may go now as one segment; avoids the silly window (RFC 9293 §3.8.6.2.1). */
    private int sendable() {
        int wanted = buffer.runLength(nxt, mss);
        int usable = usable();
        if (usable >= wanted) {
            return wanted;
        }
        return usable > 0 && usable >= maxWindow / 2 ? usable : 0;
    }

    private boolean finFits(int after) {
        return finPending() && unsent() == after && usable() > after;
    }

    private int usable() {
        return una.plus(window).minus(nxt);
    }

    private int unsent() {
        return finSent() ? 0 : buffer.end().minus(nxt);
    }

    private boolean finPending() {
        return finQueued && !finSent();
    }

    private boolean finSent() {
        return nxt.after(buffer.end());
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
        return ack.atOrBefore(nxt) && ack.atOrAfter(una.plus(-maxWindow));
    }

    /** The number for segments without octets: the next, but none beyond the peer's window. */
    SeqNum resetSeq() {
        SeqNum edge = una.plus(window);
        return nxt.after(edge) ? edge : nxt;
    }

    SeqNum una() {
        return una;
    }

    SeqNum nxt() {
        return nxt;
    }

    /** The number after everything queued, without the FIN. */
    SeqNum end() {
        return buffer.end();
    }

    long deadlineNs() {
        return timerAtNs;
    }
}
