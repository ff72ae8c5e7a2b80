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
import java.util.Optional;

/**
 * A queue pair that has taken a connection over: sends the MPA reply as last streaming-mode message, then speaks FPDUs,
 * and owes the peer a correct TCP until the end. Not thread safe; reads no clock; what it does goes to the
 * {@link QpOutput} of the call that made it do so.
 *
 * <p>It ends once, by {@link QpOutput#ended}, and in bounded time whatever the peer does once an end has begun.
 */
public final class QueuePair {

    private static final long NEVER = TcpSender.NEVER;

    private final QpId id;
    private final QpParams params;
    private final QpCounters counters = new QpCounters();
    private final TcpEngine tcp;
    private final SeqNum lsmmEnd;

    private boolean lsmmOutstanding;
    private boolean doubtTold;
    private boolean finTold;
    private boolean finAcknowledgedSeen;
    private boolean ended;
    /** When the queue pair closes of its own accord. */
    private long closeAtNs = NEVER;
    /** When the peer is reset because an orderly end takes too long. */
    private long resetAtNs = NEVER;

    private QueuePair(QpId id, QpContext context, QpParams params, long nowNs) {
        this.id = id;
        this.params = params;
        this.tcp = new TcpEngine(context.tcp(), params.tcp(), counters, nowNs);
        this.lsmmOutstanding = !context.lsmm().isEmpty();
        tcp.write(context.lsmm());
        this.lsmmEnd = tcp.writtenTo();
    }

    /**
     * Takes a connection over, in RTS.
     *
     * @param id the queue pair
     * @param context TCP and MPA as the connection manager leaves them
     * @param params timers and limits
     * @param nowNs now
     * @param out where the first segments and events go; it may be told that the queue pair has ended
     */
    public static QueuePair takeOver(QpId id, QpContext context, QpParams params, long nowNs, QpOutput out) {
        QueuePair queuePair = new QueuePair(id, context, params, nowNs);
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

    /** Closes gracefully: FIN after what is queued. Closing, or after the end: nothing happens. */
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
     * Ends with a Terminate message where an FPDU may be sent, else with a reset. No FPDU is sent yet, so it is the reset.
     * After the end: nothing happens.
     */
    public void terminate(TermCode code, long nowNs, QpOutput out) {
        abort(nowNs, out);
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

    private void beginClose(long nowNs) {
        closeAtNs = NEVER;
        if (!tcp.closing()) {
            tcp.close();
            resetAtNs = Math.min(resetAtNs, nowNs + params.tcp().closeTimeoutNs());
        }
    }

    /** After every input: upper layers first, then the wire, then what there is to tell. */
    private void settle(long nowNs, QpOutput out) {
        if (lsmmOutstanding && tcp.acknowledgedTo(lsmmEnd)) {
            lsmmOutstanding = false;
            out.event(AsyncEvent.of(Code.LSMM_ACKNOWLEDGED));
        }
        for (Optional<Octets> next = tcp.read(); next.isPresent(); next = tcp.read()) {
            counters.count(QpCounter.FPDU_DISCARDED, next.get().length());
        }
        tcp.send(nowNs, out::transmit);
        tell(nowNs, out);
    }

    private void tell(long nowNs, QpOutput out) {
        if (tcp.inDoubt() && !doubtTold) {
            doubtTold = true;
            out.event(AsyncEvent.of(Code.LLP_DOUBT_REACHABILITY));
        }
        if (tcp.peerFinished() && !finTold) {
            finTold = true;
            closeAtNs = tcp.closing() ? NEVER : nowNs + params.closeGraceNs();
            out.event(AsyncEvent.of(Code.LLP_FIN_RECEIVED));
        }
        if (tcp.closed()) {
            out.event(AsyncEvent.of(Code.LLP_CLOSE_COMPLETE));
            end(tcp.timeWait(), out);
        } else if (tcp.finAcknowledged() && !finAcknowledgedSeen) {
            finAcknowledgedSeen = true;
            resetAtNs = nowNs + params.tcp().finWait2TimeoutNs();
        }
    }

    private void reset(Code why, QpOutput out) {
        out.transmit(tcp.resetSegment());
        out.event(AsyncEvent.of(why));
        end(Optional.empty(), out);
    }

    private void end(Optional<TimeWaitRow> timeWait, QpOutput out) {
        ended = true;
        out.ended(timeWait);
    }
}
