package io.iwcm.cm.trace;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps what connections went through: every input, and what each step did. Bounded in every direction. What is kept are
 * the values themselves; they are put into words when somebody asks.
 */
public final class Histories implements CmObserver {

    /**
     * How much is kept.
     *
     * @param live connections that are watched at a time; those beyond are not, and are counted; 0 keeps nothing
     * @param steps latest steps kept of each connection, 1 or more
     * @param ended connections kept after their end, the latest
     */
    public record Limits(int live, int steps, int ended) {
        public Limits {
            if (live < 0 || steps < 1 || ended < 0)
                throw new IllegalArgumentException("no such limits: " + live + ", " + steps + ", " + ended);
        }
    }

    private final Limits limits;
    private final Map<ConnectionId, ConnectionHistory> live = new ConcurrentHashMap<>();
    private final Map<ConnectionId, ConnectionHistory> ended = new LinkedHashMap<>();
    private final LongAdder unwatched = new LongAdder();

    public Histories(Limits limits) {
        this.limits = limits;
    }

    /** Of a connection that lives, or ended not long ago. */
    public Optional<ConnectionHistory> of(ConnectionId id) {
        ConnectionHistory history = live.get(id);
        if (history != null) return Optional.of(history);
        synchronized (ended) {
            return Optional.ofNullable(ended.get(id));
        }
    }

    /** Of all that ended and are still kept, the latest first. */
    public List<ConnectionHistory> ended() {
        synchronized (ended) {
            return new ArrayList<>(ended.values()).reversed();
        }
    }

    /** How many connections came when there was no room to watch them. */
    public long unwatched() {
        return unwatched.sum();
    }

    @Override
    public void began(CmConnection connection, Step first, long nowNs) {
        if (live.size() >= limits.live()) {
            unwatched.increment();
            return;
        }
        ConnectionHistory history = new ConnectionHistory(connection, nowNs, limits.steps());
        live.put(connection.id(), history);
        history.add(new ConnectionHistory.Entry(nowNs, Optional.empty(), StateName.INITED, first));
        endIfClosed(connection, first);
    }

    @Override
    public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
        ConnectionHistory history = live.get(connection.id());
        if (history == null) return;
        history.add(new ConnectionHistory.Entry(nowNs, Optional.of(input), from, step));
        endIfClosed(connection, step);
    }

    private void endIfClosed(CmConnection connection, Step step) {
        if (step.next().name() != StateName.CLOSED) return;
        ConnectionHistory history = live.remove(connection.id());
        if (history == null || limits.ended() == 0) return;
        synchronized (ended) {
            ended.put(connection.id(), history);
            Iterator<ConnectionId> oldest = ended.keySet().iterator();
            while (ended.size() > limits.ended()) {
                oldest.next();
                oldest.remove();
            }
        }
    }

    /** Events are outputs of steps, which are kept whole. */
    @Override
    public void notified(CmConnection connection, CmEvent event, long nowNs) {}

    @Override
    public void frameReceived(byte[] frame, long nowNs) {}

    @Override
    public void frameSent(byte[] frame, long nowNs) {}
}
