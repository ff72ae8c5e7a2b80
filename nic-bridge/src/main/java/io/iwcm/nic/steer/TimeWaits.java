package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Connections that are over on our side and whose late segments must not be taken for somebody else's: TIME_WAIT of RFC
 * 9293 §3.10.7.4, as one compact row each. All rows last equally long, so the order of entry is the order of expiry; a
 * full table drops the row that has the least time left.
 */
public final class TimeWaits {

    /** Linux's time between two answers to segments that carry nothing: two ends with other ideas must not chat on. */
    private static final long EMPTY_ANSWER_NS = 500_000_000L;

    private final int rowsMax;
    private final long durationNs;
    private final NicCounts counts;
    private final LinkedHashMap<FlowKey, Row> rows = new LinkedHashMap<>();

    /**
     * @param rowsMax most rows; 0: none is kept
     * @param durationNs 2 MSL
     */
    public TimeWaits(int rowsMax, long durationNs, NicCounts counts) {
        this.rowsMax = rowsMax;
        this.durationNs = durationNs;
        this.counts = counts;
    }

    /** What to do with a segment of a flow in TIME_WAIT. */
    public sealed interface Verdict {

        /** Send this. */
        record Answer(Segment segment) implements Verdict {}

        /** Nothing. */
        record Ignore() implements Verdict {}

        /**
         * A SYN beyond the old numbers: a listener may take it (RFC 9293 §3.6.1, MAY-2). The row stays until the new
         * connection has completed its handshake, so that TIME_WAIT goes on if the SYN was an old duplicate.
         *
         * @param isnAbove the new connection's first sequence number must exceed this
         */
        record Reopen(SeqNum isnAbove) implements Verdict {}
    }

    /** Enters a flow, or enters it again with new numbers. */
    public void enter(FlowKey flow, TimeWaitRow row, long nowNs) {
        rows.remove(flow);
        if (rowsMax == 0) {
            return;
        }
        if (rows.size() >= rowsMax) {
            rows.pollFirstEntry();
            counts.add(NicCounter.TIME_WAIT_EVICTIONS);
        }
        counts.add(NicCounter.TIME_WAITS);
        rows.put(flow, new Row(row, nowNs + durationNs, nowNs - EMPTY_ANSWER_NS));
    }

    public boolean has(FlowKey flow) {
        return rows.containsKey(flow);
    }

    /** Whether a connection with these initial sequence numbers may follow the one that is in TIME_WAIT, if one is. */
    public boolean mayReopen(FlowKey flow, SeqNum peerIsn, SeqNum ourIsn) {
        Row row = rows.get(flow);
        return row == null || (peerIsn.after(row.numbers.rcvNxt()) && ourIsn.after(row.numbers.sndNxt()));
    }

    /** The flow is over: a new incarnation has proved that it is one. Without a row: nothing happens. */
    public void forget(FlowKey flow) {
        rows.remove(flow);
    }

    /** Judges a segment; empty when the flow is not in TIME_WAIT. */
    public Optional<Verdict> arrived(FlowKey flow, Segment segment, long nowNs) {
        Row row = rows.get(flow);
        return row == null ? Optional.empty() : Optional.of(judge(flow, row, segment, nowNs));
    }

    private Verdict judge(FlowKey flow, Row row, Segment segment, long nowNs) {
        SeqNum rcvNxt = row.numbers.rcvNxt();
        if (segment.rst()) { // RFC 1337 §3 (F1): nothing ends TIME_WAIT early.
            counts.add(NicCounter.TIME_WAIT_RESETS_IGNORED);
            return new Verdict.Ignore();
        }
        if (segment.syn() && !segment.hasAck() && segment.seq().after(rcvNxt)) {
            counts.add(NicCounter.TIME_WAIT_REOPENS);
            return new Verdict.Reopen(row.numbers.sndNxt());
        }
        if (segment.fin() && segment.end().equals(rcvNxt)) { // The peer's FIN again: our last ACK was lost.
            rows.remove(flow);
            rows.put(flow, new Row(row.numbers, nowNs + durationNs, nowNs));
            return answer(row);
        }
        boolean empty = segment.payload().isEmpty() && !segment.fin();
        if (empty && !segment.syn() && segment.seq().equals(rcvNxt)) {
            return new Verdict.Ignore(); // In order and empty: nothing to say.
        }
        if (empty && nowNs - row.answeredNs < EMPTY_ANSWER_NS) {
            return new Verdict.Ignore();
        }
        row.answeredNs = nowNs;
        return answer(row);
    }

    private Verdict answer(Row row) {
        counts.add(NicCounter.TIME_WAIT_ACKS);
        TimeWaitRow numbers = row.numbers;
        return new Verdict.Answer(new Segment(
                numbers.sndNxt(), numbers.rcvNxt(), Segment.ACK, numbers.window(), TcpOptions.NONE, Octets.EMPTY));
    }

    /** Lets go of what is over. */
    public void tick(long nowNs) {
        while (nextNs() <= nowNs) {
            rows.pollFirstEntry();
        }
    }

    /** When {@link #tick} is due next, or {@link Long#MAX_VALUE}. */
    public long nextNs() {
        Map.Entry<FlowKey, Row> first = rows.firstEntry();
        return first == null ? Long.MAX_VALUE : first.getValue().deadlineNs;
    }

    public List<FlowKey> flows() {
        return new ArrayList<>(rows.keySet());
    }

    public int size() {
        return rows.size();
    }

    private static final class Row {
        private final TimeWaitRow numbers;
        private final long deadlineNs;
        private long answeredNs;

        Row(TimeWaitRow numbers, long deadlineNs, long answeredNs) {
            this.numbers = numbers;
            this.deadlineNs = deadlineNs;
            this.answeredNs = answeredNs;
        }
    }
}
