package io.iwcm.nic.qp;

import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One TCP connection in the synchronised states (RFC 9293 §3.10.7.4), taken over in the middle. Knows octets and numbers,
 * nothing of MPA. Used in three beats: tell it what happened, {@link #read()} what came in order, {@link #send} what is
 * due, so that an acknowledgement rides on the answer when there is one.
 */
final class TcpEngine {

    private final TcpSender sender;
    private final TcpReceiver receiver;
    private final ChallengeLimit challenges;
    private final QpCounters counters;
    private boolean closedFirst;
    private boolean reset;
    private boolean exhausted;

    TcpEngine(TcpHandOver tcp, QpParams.Tcp params, QpCounters counters, long nowNs) {
        this.sender = new TcpSender(tcp, params, counters, nowNs);
        this.receiver = new TcpReceiver(tcp, params, counters);
        this.challenges = new ChallengeLimit(params.challengeAcksMax(), nowNs);
        this.counters = counters;
    }

    /** A segment of this connection, in the order of checks of RFC 9293 §3.10.7.4 as amended by RFC 5961. */
    void segment(Segment segment, long nowNs) {
        counters.count(QpCounter.SEGMENTS_IN);
        if (!receiver.acceptable(segment)) {
            unacceptable(segment, nowNs);
        } else if (segment.rst()) {
            if (segment.seq().equals(receiver.nxt())) {
                reset = true;
            } else {
                counters.count(QpCounter.CHALLENGED);
                challenge(nowNs);
            }
        } else if (segment.syn()) {
            counters.count(QpCounter.CHALLENGED);
            challenge(nowNs);
        } else if (!segment.hasAck()) {
            counters.count(QpCounter.WITHOUT_ACK);
        } else if (!sender.acceptableAck(segment.ack())) {
            counters.count(QpCounter.ACK_OUT_OF_RANGE);
            challenge(nowNs);
        } else {
            sender.acknowledged(segment, nowNs);
            receiver.take(segment, nowNs);
        }
    }

    private void unacceptable(Segment segment, long nowNs) {
        counters.count(QpCounter.UNACCEPTABLE);
        if (segment.rst()) {
            return;
        }
        // From just before our window come keep-alives, probes and the bare ACKs of a peer that probes: what they
        // acknowledge counts, or two ends that took each other's probe and lost the answers would never hear the other
        // again.
        boolean justBefore =
                segment.seq().plus(1).equals(receiver.nxt()) && segment.end().atOrBefore(receiver.nxt());
        if (justBefore && !segment.syn() && segment.hasAck() && sender.acceptableAck(segment.ack())) {
            sender.acknowledged(segment, nowNs);
        }
        if (segment.syn()) {
            challenge(nowNs); // RFC 5961 §4.2: whatever its sequence number.
        } else if (segment.sequenceLength() > 0) {
            receiver.acknowledgeNow(); // Our acknowledgement was lost, or a closed window is probed.
        } else {
            challenge(nowNs); // Without a limit two ends that disagree would answer each other for ever.
        }
    }

    private void challenge(long nowNs) {
        if (challenges.allows(nowNs)) {
            receiver.acknowledgeNow();
        } else {
            counters.count(QpCounter.CHALLENGE_SUPPRESSED);
        }
    }

    /**
     * The next octets in order; empty when there are none. What is not read stays, and the window that the peer is offered
     * shrinks by it until it is closed. Reading opens it again: with the next segment, or with one of its own when the peer
     * may be waiting for that ({@link #send} after reading). A piece is at most a segment's payload, or small ones of several together.
     */
    Optional<Octets> read() {
        return receiver.read();
    }

    /** How long the piece is that {@link #read()} would give, in octets; 0 when there is none. */
    int nextLength() {
        return receiver.nextLength();
    }

    /** How much there is to read, in octets: never more than the receive buffer. */
    int unread() {
        return receiver.unread();
    }

    /**
     * How many octets may be written now. Grows as the peer acknowledges what was written, so whoever has more asks again
     * after each segment; 0 once our FIN is queued.
     */
    int room() {
        return sender.room();
    }

    /**
     * Queues a message for sending: an FPDU starts a segment of its own. One that is longer than {@link #room()}, or follows
     * our FIN, is a programming error and throws.
     */
    void write(Octets message) {
        sender.write(message);
    }

    /**
     * Queues a control message, for which {@link SendBuffer#CONTROL_RESERVE} octets are kept beyond {@link #room()}: the MPA
     * reply, the RTR, the Terminate. Not for what the peer can ask for any number of times.
     */
    void writeControl(Octets message) {
        sender.writeControl(message);
    }

    /** Our FIN goes after what is queued. Once. */
    void close() {
        if (!sender.finQueued()) {
            closedFirst = !receiver.finished();
            sender.finish();
        }
    }

    /** Does what the timers owe. */
    void tick(long nowNs, Consumer<Segment> wire) {
        exhausted = !sender.tick(nowNs, (seq, flags, payload) -> transmit(seq, flags, payload, wire));
    }

    /** Sends what is queued as far as the window goes, and the acknowledgement if one is due and nothing carried it. */
    void send(long nowNs, Consumer<Segment> wire) {
        sender.send(nowNs, (seq, flags, payload) -> transmit(seq, flags, payload, wire));
        if (receiver.acknowledgementDue(nowNs)) {
            transmit(sender.bareSeq(), Segment.ACK, Octets.EMPTY, wire);
        }
    }

    private void transmit(SeqNum seq, int flags, Octets payload, Consumer<Segment> wire) {
        receiver.acknowledgementSent();
        counters.count(QpCounter.SEGMENTS_OUT);
        wire.accept(new Segment(seq, receiver.nxt(), flags, receiver.windowToOffer(), TcpOptions.NONE, payload));
    }

    /** The RST that ends the connection here. */
    Segment resetSegment() {
        int flags = Segment.RST | Segment.ACK;
        return new Segment(sender.bareSeq(), receiver.nxt(), flags, 0, TcpOptions.NONE, Octets.EMPTY);
    }

    /** The peer has reset the connection. */
    boolean wasReset() {
        return reset;
    }

    /** The peer was retransmitted to in vain. */
    boolean exhausted() {
        return exhausted;
    }

    boolean inDoubt() {
        return sender.inDoubt();
    }

    /** Our FIN is queued: nothing more can be written. */
    boolean closing() {
        return sender.finQueued();
    }

    boolean finAcknowledged() {
        return sender.finAcknowledged();
    }

    /** The peer has finished, and all that it sent has been read. */
    boolean peerFinished() {
        return receiver.finished() && receiver.unread() == 0;
    }

    /** The number after everything written so far. */
    SeqNum writtenTo() {
        return sender.end();
    }

    boolean acknowledgedTo(SeqNum number) {
        return sender.una().atOrAfter(number);
    }

    boolean sentTo(SeqNum number) {
        return sender.max().atOrAfter(number);
    }

    /** Both FINs are acknowledged and nothing is left to read: TIME_WAIT when ours went before the peer's was known (RFC 9293 Figure 5). */
    boolean closed() {
        return peerFinished() && sender.finAcknowledged();
    }

    /** What TIME_WAIT remembers; empty for the end that closed second. */
    Optional<TimeWaitRow> timeWait() {
        return closedFirst
                ? Optional.of(new TimeWaitRow(sender.max(), receiver.nxt(), receiver.windowField()))
                : Optional.empty();
    }

    /** Octets that may be in flight as far as the path is trusted. */
    int congestionWindow() {
        return sender.congestionWindow();
    }

    long deadlineNs() {
        return Math.min(sender.deadlineNs(), receiver.deadlineNs());
    }
}
