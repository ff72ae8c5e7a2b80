package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The routing table: which flow is whose, and which endpoints are listened on. It alone decides who owns a flow, and under
 * which epoch: each entry gets a higher epoch than every entry before it, so that orders of an earlier owner, or of an
 * earlier connection with the same addresses, are known by their number.
 */
public final class QuadHash {

    /** What a request is, before it is carried out. */
    public enum Verdict {
        /** To be carried out. */
        FRESH,
        /** Was carried out: to be answered again. */
        REPEATED,
        /** Another connection prepares or has this flow. */
        TAKEN,
        /** The sender owned this flow once and does not any more. */
        SUPERSEDED,
        /** Nothing is known about this flow yet. */
        UNKNOWN
    }

    private final int flowsMax;
    private final int listenersMax;
    private final NicCounts counts;
    private final LinkedHashMap<ListenKey, SynEntry> listeners = new LinkedHashMap<>();
    private final LinkedHashMap<FlowKey, FlowEntry> flows = new LinkedHashMap<>();
    private long lastEpoch;

    public QuadHash(int flowsMax, int listenersMax, NicCounts counts) {
        this.flowsMax = flowsMax;
        this.listenersMax = listenersMax;
        this.counts = counts;
    }

    // SYN entries

    /** Enters an endpoint, or gives an entered one other limits; places that are taken stay taken. */
    public Optional<Failure> listen(ListenKey key, int synBacklog, int backlog) {
        SynEntry entry = listeners.get(key);
        if (entry == null) {
            if (listeners.size() >= listenersMax) {
                counts.add(NicCounter.LISTENS_REFUSED);
                return Optional.of(Failure.RESOURCES);
            }
            entry = new SynEntry(key);
            listeners.put(key, entry);
        }
        entry.limit(synBacklog, backlog);
        return Optional.empty();
    }

    /** Whether it was there. Flows that came by it stay. */
    public boolean unlisten(ListenKey key) {
        return listeners.remove(key) != null;
    }

    public Optional<SynEntry> listener(ListenKey key) {
        return Optional.ofNullable(listeners.get(key));
    }

    /** All SYN entries in the order they came. */
    public List<SynEntry> listeners() {
        return new ArrayList<>(listeners.values());
    }

    // Flows

    public Optional<FlowEntry> find(FlowKey flow) {
        return Optional.ofNullable(flows.get(flow));
    }

    /** All flows in the order they came. */
    public List<FlowEntry> flows() {
        return new ArrayList<>(flows.values());
    }

    public int size() {
        return flows.size();
    }

    /** Promises a flow to an active open. */
    public Optional<Failure> reserve(FlowKey flow) {
        if (flows.containsKey(flow)) {
            counts.add(NicCounter.QUAD_TAKEN);
            return Optional.of(Failure.QUAD_TAKEN);
        }
        if (isFull()) {
            return Optional.of(Failure.RESOURCES);
        }
        flows.put(flow, new FlowEntry(flow, Phase.RESERVED));
        return Optional.empty();
    }

    /** Says what a request is. Judged once: a fresh one is a repeated one from now on. */
    public Verdict judge(Owner from, NicRequest request) {
        FlowEntry entry = flows.get(request.flow());
        if (entry == null) {
            return request.epoch() == 0 ? Verdict.UNKNOWN : Verdict.SUPERSEDED;
        }
        if (entry.phase == Phase.RESERVED) {
            return request.epoch() == 0 ? Verdict.UNKNOWN : Verdict.SUPERSEDED;
        }
        boolean owns = entry.owner.equals(Optional.of(from));
        if (request.epoch() != 0 && (!owns || request.epoch() != entry.epoch)) {
            return Verdict.SUPERSEDED;
        }
        if (!owns) {
            return Verdict.TAKEN;
        }
        return entry.requests.first(request.id()) ? Verdict.FRESH : Verdict.REPEATED;
    }

    /**
     * Makes {@code owner} the one who prepares a flow that {@link #judge} called unknown; its request counts as carried
     * out. Empty: the table is full.
     */
    public Optional<FlowEntry> claim(Owner owner, NicRequest request) {
        FlowEntry entry = flows.get(request.flow());
        if (entry == null) {
            if (isFull()) {
                return Optional.empty();
            }
            entry = new FlowEntry(request.flow(), Phase.CLAIMED);
            flows.put(request.flow(), entry);
        }
        entry.reserved = entry.phase == Phase.RESERVED;
        entry.phase = Phase.CLAIMED;
        entry.owner = Optional.of(owner);
        entry.requests.first(request.id());
        return Optional.of(entry);
    }

    /**
     * Lets the quad hash catch the flow's frames from now on, under a new epoch. An entry that is in already stays as it is.
     *
     * @param from passive: the endpoint whose backlog it takes a half-open place of
     */
    public Optional<Failure> install(FlowEntry entry, Optional<ListenKey> from) {
        if (entry.isInstalled()) {
            return Optional.empty();
        }
        Optional<Failure> refused = admit(entry, from);
        if (refused.isEmpty()) {
            installed(entry);
        }
        return refused;
    }

    /**
     * Gives a flow that is to be entered its place.
     *
     * @param from passive: the endpoint whose backlog it takes a half-open place of
     */
    public Optional<Failure> admit(FlowEntry entry, Optional<ListenKey> from) {
        Optional<SynEntry> listener = from.flatMap(this::listener);
        if (from.isPresent() && listener.isEmpty()) {
            return Optional.of(Failure.NOT_LISTENING);
        }
        if (listener.isPresent() && listener.get().admits() != Drop.NONE) {
            return Optional.of(Failure.BACKLOG_FULL);
        }
        entry.listener = listener;
        move(entry, listener.isPresent() ? BacklogPlace.HALF_OPEN : BacklogPlace.NONE);
        return Optional.empty();
    }

    /** The flow's frames are caught from now on, under a new epoch. */
    public void installed(FlowEntry entry) {
        entry.phase = Phase.ILQ;
        entry.epoch = ++lastEpoch;
    }

    /** Moves the flow's place in its listener's backlog. A flow without a listener, or whose place is given back, has none. */
    public void move(FlowEntry entry, BacklogPlace to) {
        boolean fresh = entry.place == BacklogPlace.NONE && to == BacklogPlace.HALF_OPEN;
        if (entry.listener.isPresent() && (fresh || entry.place != BacklogPlace.NONE)) {
            entry.listener.get().move(entry.place, to);
            entry.place = to;
        }
        if (to == BacklogPlace.NONE) {
            entry.listener = Optional.empty();
        }
    }

    /** A queue pair takes the flow's frames from now on. The application has it: its place in the backlog is given back. */
    public void handOver(FlowEntry entry) {
        entry.phase = Phase.QP;
        move(entry, BacklogPlace.NONE);
    }

    /** The quad hash catches the flow's frames no more; its place is given back. What it holds besides stays. */
    public void uninstall(FlowEntry entry) {
        if (entry.isInstalled()) {
            entry.phase = Phase.CLAIMED;
            move(entry, BacklogPlace.NONE);
        }
    }

    /** Takes the flow out; its place is given back. Its handle and its uses of a port are the caller's to give back. */
    public void remove(FlowEntry entry) {
        move(entry, BacklogPlace.NONE);
        flows.remove(entry.flow(), entry);
    }

    private boolean isFull() {
        boolean full = flows.size() >= flowsMax;
        if (full) {
            counts.add(NicCounter.FLOWS_REFUSED);
        }
        return full;
    }
}
