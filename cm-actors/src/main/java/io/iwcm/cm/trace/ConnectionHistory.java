package io.iwcm.cm.trace;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What one connection went through: its latest steps, and what is known of it. Safe from any thread. */
public final class ConnectionHistory {

    /**
     * One step.
     *
     * @param atNs when, on the NIC's clock
     * @param input what happened; empty for the first step
     * @param from the state before
     * @param step the state after, and what was done
     */
    public record Entry(long atNs, Optional<CmInput> input, StateName from, Step step) {}

    /**
     * What is known of a connection by now.
     *
     * @param state where it stands
     * @param endedNs when it ended, on the NIC's clock
     * @param cause why it ended, or why the connect failed; empty while neither is so
     * @param revision the MPA revision that the peer asked for; only at a passive end
     * @param depths ours as negotiated, or as they would be
     * @param peer the peer's raw values
     * @param privateData the peer's
     */
    public record Facts(
            StateName state,
            OptionalLong endedNs,
            Optional<Cause> cause,
            OptionalInt revision,
            Optional<ReadDepths> depths,
            Optional<PeerDepths> peer,
            Octets privateData) {

        private static final Facts NONE = new Facts(
                StateName.INITED,
                OptionalLong.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Octets.EMPTY);

        private Facts standing(StateName now) {
            return new Facts(now, endedNs, cause, revision, depths, peer, privateData);
        }

        private Facts ended(long atNs, Cause why) {
            return new Facts(
                    state, OptionalLong.of(atNs), Optional.of(cause.orElse(why)), revision, depths, peer, privateData);
        }

        private Facts because(Cause why) {
            if (why == Cause.NONE) return this;
            return new Facts(state, endedNs, Optional.of(why), revision, depths, peer, privateData);
        }

        private Facts learning(CmEvent event) {
            return switch (event) {
                case CmEvent.ConnectRequest(int asked, var theirs, var ours, var data) ->
                    new Facts(
                            state, endedNs, cause, OptionalInt.of(asked), Optional.of(ours), Optional.of(theirs), data);
                case CmEvent.ConnectReply(var outcome, var ours, var theirs, var data) ->
                    new Facts(state, endedNs, cause, revision, Optional.of(ours), Optional.of(theirs), data)
                            .because(outcome);
                case CmEvent.Established(var ours) ->
                    new Facts(state, endedNs, cause, revision, Optional.of(ours), peer, privateData);
                case CmEvent.AcceptFailed(var why) -> because(why);
                case CmEvent.Disconnected(var why) -> because(why);
                case CmEvent.Closed(var why) -> because(why);
            };
        }
    }

    private final CmConnection connection;
    private final long bornNs;
    private final int entriesMax;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private Facts facts = Facts.NONE;
    private long forgotten;

    ConnectionHistory(CmConnection connection, long bornNs, int entriesMax) {
        this.connection = connection;
        this.bornNs = bornNs;
        this.entriesMax = entriesMax;
    }

    public CmConnection connection() {
        return connection;
    }

    /** When it was made, on the NIC's clock. */
    public long bornNs() {
        return bornNs;
    }

    public synchronized Facts facts() {
        return facts;
    }

    /** The latest steps, the oldest first. */
    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries);
    }

    /** How many steps had to make room. */
    public synchronized long forgotten() {
        return forgotten;
    }

    synchronized void add(Entry entry) {
        if (entries.size() >= entriesMax) {
            entries.removeFirst();
            forgotten++;
        }
        entries.addLast(entry);
        facts = facts.standing(entry.step().next().name());
        for (CmOutput output : entry.step().outputs()) {
            if (output instanceof CmOutput.Notify(var event)) facts = facts.learning(event);
        }
        if (entry.step().next() instanceof CmState.Closed closed) facts = facts.ended(entry.atNs(), closed.cause());
    }
}
