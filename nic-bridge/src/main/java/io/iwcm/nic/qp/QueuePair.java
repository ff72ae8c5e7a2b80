package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.QpContext;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * A queue pair that has taken a connection over: sends the MPA reply as last streaming-mode message, then speaks FPDUs,
 * and owes the peer a correct TCP until the end. Not thread safe; reads no clock; what it does goes to the
 * {@link QpOutput} of the call that made it do so.
 *
 * <p>Three layers, each knowing only the one below: {@link TcpEngine} moves octets, {@link RdmaStream} finds and makes
 * FPDUs and their RDMAP content, and this class decides what an error, a Terminate or a FIN does to the connection.
 *
 * <p>It ends once, by {@link QpOutput#ended}, and in bounded time whatever the peer does once an end has begun. With the end
 * of either direction's FPDUs everything posted is flushed.
 */
public final class QueuePair {

    private static final long NEVER = TcpSender.NEVER;

    private final QpId id;
    private final QpParams params;
    private final QpCounters counters = new QpCounters();
    private final TcpEngine tcp;
    private final RdmaStream rdma;
    private final SeqNum lsmmEnd;

    private boolean lsmmOutstanding;
    private boolean rtrAwaited;
    /** The ends of our Read Responses that the peer has not acknowledged. */
    private final ArrayDeque<SeqNum> readsOpen = new ArrayDeque<>();
    /** Nothing that the peer sends means anything to MPA any more. */
    private boolean deaf;

    /** Our FIN is to go, or has gone: after what was posted, if time allows. */
    private boolean closing;

    private Optional<TermCode> terminateOutstanding = Optional.empty();
    private SeqNum terminateEnd;
    private boolean terminated;

    private boolean doubtTold;
    private boolean finTold;
    private boolean halfClosed;
    private boolean ended;
    /** When the queue pair closes of its own accord. */
    private long closeAtNs = NEVER;
    /** When the peer is reset because an orderly end takes too long. */
    private long resetAtNs = NEVER;

    private QueuePair(QpId id, QpContext context, QpParams params, WorkQueues work, long nowNs) {
        this.id = id;
        this.params = params;
        this.tcp = new TcpEngine(context.tcp(), params.tcp(), counters, nowNs);
        this.rdma = new RdmaStream(context.rdma(), context.tcp().mss(), work, counters);
        this.lsmmOutstanding = !context.lsmm().isEmpty();
        this.rtrAwaited = context.rdma().peerToPeer() && !context.rdma().initiator();
        tcp.writeControl(context.lsmm());
        this.lsmmEnd = tcp.writtenTo();
        this.terminateEnd = lsmmEnd;
        tcp.writeControl(rdma.rtr());
    }

    /**
     * Takes a connection over, in RTS.
     *
     * @param id the queue pair
     * @param context TCP and MPA as the connection manager leaves them
     * @param params timers and limits
     * @param work what is posted to it, before and after; flushed with the connection
     * @param nowNs now
     * @param out where the first segments and events go; it may be told that the queue pair has ended
     */
    public static QueuePair takeOver(
            QpId id, QpContext context, QpParams params, WorkQueues work, long nowNs, QpOutput out) {
        QueuePair queuePair = new QueuePair(id, context, params, work, nowNs);
        out.event(AsyncEvent.of(Code.LLP_CONNECTION_ESTABLISHED));
        queuePair.settle(nowNs, out);
        return queuePair;
    }

    /** A segment of this connection has arrived. After the end: nothing happens. */
    public void segment(Segment segment, long nowNs, QpOutput out) {
        if (ended) {
            return;
        }
        tcp.segment(segment, nowNs);
        if (tcp.wasReset()) {
            out.event(AsyncEvent.of(Code.LLP_CONNECTION_RESET));
            end(Optional.empty(), out);
        } else {
            settle(nowNs, out);
        }
    }

    /** Work was posted: what of it can go goes. After the end: nothing happens. */
    public void posted(long nowNs, QpOutput out) {
        if (!ended) {
            settle(nowNs, out);
        }
    }

    /** Closes gracefully: FIN after what was posted and what the peer has asked for. Closing, or after the end: nothing happens. */
    public void close(long nowNs, QpOutput out) {
        if (!ended) {
            beginClose(nowNs);
            settle(nowNs, out);
        }
    }

    /** Resets the peer and ends. After the end: nothing happens. */
    public void abort(long nowNs, QpOutput out) {
        if (!ended) {
            reset(Code.RESET_SENT, out);
        }
    }

    /**
     * Sends a Terminate, then closes, all within the time allowed for it. A responder that has not validated an FPDU may
     * send none: it resets the peer. Closing, or after the end: nothing happens.
     */
    public void terminate(TermCode code, long nowNs, QpOutput out) {
        if (!ended && !tcp.closing()) {
            fail(code, nowNs, out);
            settle(nowNs, out);
        }
    }

    /** Does what is due. */
    public void tick(long nowNs, QpOutput out) {
        if (ended) {
            return;
        }
        if (nowNs >= resetAtNs) {
            reset(Code.RESET_SENT, out);
            return;
        }
        if (nowNs >= closeAtNs) {
            beginClose(nowNs);
        }
        tcp.tick(nowNs, out::transmit);
        if (tcp.exhausted()) {
            reset(Code.LLP_TOO_MANY_RETRIES, out);
        } else {
            settle(nowNs, out);
        }
    }

    /** When {@link #tick} is due next, or {@link Long#MAX_VALUE}. */
    public long nextDeadlineNs() {
        return ended ? NEVER : Math.min(tcp.deadlineNs(), Math.min(closeAtNs, resetAtNs));
    }

    /** Whether {@link QpOutput#ended} has been told. */
    public boolean ended() {
        return ended;
    }

    public QpId id() {
        return id;
    }

    public long count(QpCounter counter) {
        return counters.of(counter);
    }

    /** After every input: what the peer sent first, then what is due on the wire, then what there is to tell. */
    private void settle(long nowNs, QpOutput out) {
        if (ended) {
            return;
        }
        if (lsmmOutstanding && tcp.acknowledgedTo(lsmmEnd)) {
            lsmmOutstanding = false;
            out.event(AsyncEvent.of(Code.LSMM_ACKNOWLEDGED));
        }
        while (!ended
                && tcp.nextLength()
                        > 0) { // Each is placed, or waits as one of at most IRD answers: nothing is kept for it.
            tcp.read().ifPresent(next -> listen(next, nowNs, out));
        }
        if (!ended) {
            hearFin(nowNs, out);
            speak(nowNs);
            tcp.send(nowNs, out::transmit);
            tell(nowNs, out);
        }
    }

    private void listen(Octets octets, long nowNs, QpOutput out) {
        if (deaf) {
            counters.count(QpCounter.DISCARDED, octets.length());
            return;
        }
        rdma.feed(octets);
        boolean more = true;
        while (more && !deaf && !ended) {
            while (!readsOpen.isEmpty() && tcp.acknowledgedTo(readsOpen.getFirst())) {
                readsOpen.removeFirst();
            }
            RdmaStream.Heard heard = rdma.next(readsOpen.size() + rdma.answersDue());
            if (rtrAwaited && rdma.validated()) {
                rtrAwaited = false;
                if (!(heard instanceof RdmaStream.Terminated)) { // Who refuses the connection is not ready to receive.
                    out.event(AsyncEvent.of(Code.RTR_RECEIVED));
                }
            }
            more = heard != RdmaStream.Silent.NOTHING;
            react(heard, nowNs, out);
        }
    }

    private void react(RdmaStream.Heard heard, long nowNs, QpOutput out) {
        switch (heard) {
            case RdmaStream.Silent _ -> {}
            case RdmaStream.Terminated(TermCode code) -> { // RFC 5040 §6.2.1: told, not answered, closed.
                deaf = true;
                rdma.stop();
                out.event(new AsyncEvent(Code.LLP_TERMINATE_RECEIVED, Optional.of(code)));
                beginClose(nowNs);
            }
            case RdmaStream.Refused(TermCode code, Octets fpdu) -> terminate(code, fpdu, nowNs);
            case RdmaStream.Garbled(Code event, TermCode code) -> { // MPA reports, RDMAP ends (RFC 5044 §8).
                out.event(AsyncEvent.of(event));
                fail(code, nowNs, out);
            }
        }
    }

    private void fail(TermCode code, long nowNs, QpOutput out) {
        if (rdma.maySend()) {
            terminate(code, rdma.terminate(code), nowNs);
        } else {
            reset(Code.RESET_SENT, out);
        }
    }

    /** The Terminate and our FIN behind it; when our FIN is already queued the close goes on without it. */
    private void terminate(TermCode code, Octets fpdu, long nowNs) {
        deaf = true;
        rdma.stop();
        if (!tcp.closing()) {
            tcp.writeControl(fpdu);
            terminateOutstanding = Optional.of(code);
            terminateEnd = tcp.writtenTo();
            terminated = true;
            closing = false; // One that waited for work in order waits no longer.
            beginClose(nowNs);
            resetAtNs = Math.min(resetAtNs, nowNs + params.terminateTimeoutNs());
        }
    }

    private void hearFin(long nowNs, QpOutput out) {
        if (finTold || !tcp.peerFinished()) {
            return;
        }
        finTold = true;
        if (!deaf && rdma.awaitsMore()) { // The stream was cut: there is nothing left to wait for.
            rdma.stop();
            out.event(AsyncEvent.of(Code.BAD_CLOSE));
            beginClose(nowNs);
        } else {
            out.event(AsyncEvent.of(Code.LLP_FIN_RECEIVED));
            closeAtNs = closing ? NEVER : nowNs + params.closeGraceNs();
        }
    }

    /** Gives TCP what it has room for, then the FIN if it is due. */
    private void speak(long nowNs) {
        boolean more = !tcp.closing();
        while (more) {
            switch (rdma.due(tcp.room())) {
                case Outbound.Fpdu(Octets octets, boolean endsAnswer) -> {
                    tcp.write(octets);
                    if (endsAnswer) {
                        readsOpen.add(tcp.writtenTo());
                    }
                }
                case Outbound.Failed(TermCode code, DdpSegment segment) -> {
                    terminate(code, rdma.frame(segment), nowNs);
                    more = false;
                }
                case Outbound.Nothing _ -> more = false;
            }
        }
        if (closing && !tcp.closing() && rdma.idle()) {
            tcp.close();
        }
    }

    private void beginClose(long nowNs) {
        closeAtNs = NEVER;
        if (!closing) {
            closing = true;
            if (rdma.idle() && !tcp.closing()) {
                tcp.close();
            }
            resetAtNs = Math.min(resetAtNs, nowNs + params.tcp().closeTimeoutNs());
        }
    }

    private void tell(long nowNs, QpOutput out) {
        if (terminateOutstanding.isPresent() && tcp.sentTo(terminateEnd)) {
            out.event(new AsyncEvent(Code.TERMINATE_SENT, terminateOutstanding));
            terminateOutstanding = Optional.empty();
        }
        if (tcp.inDoubt() && !doubtTold) {
            doubtTold = true;
            out.event(AsyncEvent.of(Code.LLP_DOUBT_REACHABILITY));
        }
        if (tcp.closed()) {
            out.event(AsyncEvent.of(Code.LLP_CLOSE_COMPLETE));
            end(tcp.timeWait(), out);
        } else if (tcp.finAcknowledged() && !halfClosed) { // FIN-WAIT-2 has a bound of its own, a Terminate's stays.
            halfClosed = true;
            long finWait2Ns = nowNs + params.tcp().finWait2TimeoutNs();
            resetAtNs = terminated ? Math.min(resetAtNs, finWait2Ns) : finWait2Ns;
        }
    }

    private void reset(Code why, QpOutput out) {
        out.transmit(tcp.resetSegment());
        out.event(AsyncEvent.of(why));
        end(Optional.empty(), out);
    }

    private void end(Optional<TimeWaitRow> timeWait, QpOutput out) {
        ended = true;
        rdma.stop();
        out.ended(timeWait);
    }
}
