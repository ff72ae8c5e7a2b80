package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.SynOffer;
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
        UNKNOWN,
        /** The sender's connection is over: its checkpoint and its acknowledgement count, its orders do not. */
        OVER
    }

    private final int flowsMax;
    private final int listenersMax;
    private final NicCounts counts;
    private final LinkedHashMap<ListenKey, SynEntry> listeners = new LinkedHashMap<>();
    private final LinkedHashMap<FlowKey, FlowEntry> flows = new LinkedHashMap<>();
    private final LinkedHashMap<Long, FlowEntry> over = new LinkedHashMap<>(); // By epoch: a flow can be over twice.
    private long lastEpoch;

    public QuadHash(int flowsMax, int listenersMax, NicCounts counts) {
        this.flowsMax = flowsMax;
        this.listenersMax = listenersMax;
        this.counts = counts;
    }

    // SYN entries

    /** Enters an endpoint, or gives an entered one other limits; places that are taken stay taken. */
    public Optional<Failure> listen(ListenKey key, int synBacklog, int backlog, SynOffer offer) {
        SynEntry entry = listeners.get(key);
        if (entry == null) {
            if (listeners.size() >= listenersMax) {
                counts.add(NicCounter.LISTENS_REFUSED);
                return Optional.of(Failure.RESOURCES);
            }
            entry = new SynEntry(key);
            listeners.put(key, entry);
        }
        entry.limit(synBacklog, backlog, offer);
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

    /** All flows of one dispatcher in the order they came, those that are over and not acknowledged included. */
    public List<FlowEntry> flowsOf(Owner owner) {
        List<FlowEntry> theirs = new ArrayList<>();
        flows.values().stream()
                .filter(entry -> entry.owner.equals(Optional.of(owner)))
                .forEach(theirs::add);
        over.values().stream()
                .filter(entry -> entry.owner.equals(Optional.of(owner)))
                .forEach(theirs::add);
        return theirs;
    }

    /** Whose a flow is, or was last. */
    public Optional<Owner> ownerOf(FlowKey flow) {
        FlowEntry entry = flows.get(flow);
        if (entry != null && entry.phase != Phase.RESERVED) {
            return entry.owner;
        }
        return over.values().stream()
                .filter(ended -> ended.flow().equals(flow))
                .findFirst()
                .flatMap(FlowEntry::owner);
    }

    /** Rows, those that are over and not acknowledged included. */
    public int size() {
        return flows.size() + over.size();
    }

    /** Promises a flow to an active open of this dispatcher. */
    public Optional<Failure> reserve(FlowKey flow, Owner owner) {
        if (flows.containsKey(flow)) {
            counts.add(NicCounter.QUAD_TAKEN);
            return Optional.of(Failure.QUAD_TAKEN);
        }
        if (isFull()) {
            return Optional.of(Failure.RESOURCES);
        }
        FlowEntry entry = new FlowEntry(flow, Phase.RESERVED, counts);
        entry.owner = Optional.of(owner);
        flows.put(flow, entry);
        makeRoom();
        return Optional.empty();
    }

    /** Says what a request is. Judged once: a fresh one is a repeated one from now on. */
    public Verdict judge(Owner from, NicRequest request) {
        Optional<FlowEntry> ended = over(from, request);
        if (ended.isPresent()) {
            ended.get().requests.first(request.id());
            return Verdict.OVER;
        }
        FlowEntry entry = flows.get(request.flow());
        if (entry == null) {
            return request.epoch() == 0 ? Verdict.UNKNOWN : Verdict.SUPERSEDED;
        }
        boolean owns = entry.owner.equals(Optional.of(from));
        if (entry.phase == Phase.RESERVED && (owns || request.epoch() != 0)) {
            return request.epoch() == 0 ? Verdict.UNKNOWN : Verdict.SUPERSEDED;
        }
        if (request.epoch() != 0 && (!owns || request.epoch() != entry.epoch)) {
            return Verdict.SUPERSEDED;
        }
        if (!owns) {
            return Verdict.TAKEN;
        }
        return entry.requests.first(request.id()) ? Verdict.FRESH : Verdict.REPEATED;
    }

    /** The flow that is over and that this request is about, if it is about one. */
    public Optional<FlowEntry> over(Owner from, NicRequest request) {
        return Optional.ofNullable(over.get(request.epoch()))
                .filter(entry -> entry.flow().equals(request.flow()) && entry.owner.equals(Optional.of(from)));
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
            entry = new FlowEntry(request.flow(), Phase.CLAIMED, counts);
            flows.put(request.flow(), entry);
            makeRoom();
        }
        entry.reserved = entry.phase == Phase.RESERVED;
        entry.phase = Phase.CLAIMED;
        entry.owner = Optional.of(owner);
        entry.requests.first(request.id());
        return Optional.of(entry);
    }

    /**
     * Makes {@code owner} the one who prepares a flow that nobody has, and whose handshake is complete: it takes a place among
     * those that wait for the application at once. Empty: the table is full.
     */
    public Optional<FlowEntry> promise(FlowKey flow, Owner owner, SynEntry listener) {
        if (isFull()) {
            return Optional.empty();
        }
        FlowEntry entry = new FlowEntry(flow, Phase.CLAIMED, counts);
        entry.owner = Optional.of(owner);
        entry.listener = Optional.of(listener);
        entry.place = BacklogPlace.WAITING;
        listener.move(BacklogPlace.NONE, BacklogPlace.WAITING);
        flows.put(flow, entry);
        makeRoom();
        return Optional.of(entry);
    }

    /**
     * Lets the quad hash catch the flow's frames from now on, under a new epoch unless the flow has one from being handed on.
     * An entry that is in already stays as it is.
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
     * Gives a flow that is to be entered its place, unless it has one.
     *
     * @param from passive: the endpoint whose backlog it takes a half-open place of
     */
    public Optional<Failure> admit(FlowEntry entry, Optional<ListenKey> from) {
        Optional<SynEntry> listener = from.flatMap(this::listener);
        if (from.isPresent() && listener.isEmpty()) {
            return Optional.of(Failure.NOT_LISTENING);
        }
        if (entry.place != BacklogPlace.NONE) { // A cookie has given it one.
            return Optional.empty();
        }
        if (listener.isPresent() && listener.get().admits() != Drop.NONE) {
            return Optional.of(Failure.BACKLOG_FULL);
        }
        entry.listener = listener;
        move(entry, listener.isPresent() ? BacklogPlace.HALF_OPEN : BacklogPlace.NONE);
        return Optional.empty();
    }

    /** The flow's frames are caught from now on, under a new epoch unless it has one from being handed on. */
    public void installed(FlowEntry entry) {
        entry.phase = Phase.ILQ;
        if (entry.epoch == 0) {
            entry.epoch = ++lastEpoch;
        }
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

    /**
     * Gives the flow to another dispatcher, under a new epoch: what the last one ordered counts no more, and whose requests
     * count starts anew.
     */
    public void handOn(FlowEntry entry, Owner to) {
        long before = entry.epoch;
        entry.owner = Optional.of(to);
        entry.epoch = ++lastEpoch;
        entry.requests = new RequestIds();
        if (over.remove(before, entry)) {
            over.put(entry.epoch, entry);
        }
    }

    /**
     * The flow is over: it is taken out and may be had anew. Its owner, if one could be found who goes on from its
     * checkpoint, has yet to acknowledge what it was told last.
     */
    public void retire(FlowEntry entry) {
        remove(entry);
        if (entry.owner.isPresent()
                && entry.checkpoint().isPresent()
                && !entry.unacknowledged().isEmpty()) {
            entry.phase = Phase.OVER;
            over.put(entry.epoch, entry);
            makeRoom();
        }
    }

    /** What the owner of a flow that is over has to say: when nothing is left to be kept, the flow is forgotten. */
    public void settle(FlowEntry ended, NicRequest request) {
        ended.store(request.checkpoint(), request.id());
        ended.acknowledge(request.seen());
        if (ended.checkpoint().isEmpty() || ended.unacknowledged().isEmpty()) {
            over.remove(ended.epoch, ended);
        }
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
        over.remove(entry.epoch, entry);
    }

    /** Among too many rows those that are over give way, the oldest first: its owner is far behind. */
    private void makeRoom() {
        if (size() > flowsMax && !over.isEmpty()) {
            over.remove(over.firstEntry().getKey());
            counts.add(NicCounter.EVENTS_FORGOTTEN);
        }
    }

    private boolean isFull() {
        boolean full = flows.size() >= flowsMax;
        if (full) {
            counts.add(NicCounter.FLOWS_REFUSED);
        }
        return full;
    }
}
