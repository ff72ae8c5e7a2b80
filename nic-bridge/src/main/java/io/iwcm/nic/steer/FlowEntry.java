package io.iwcm.nic.steer;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.DeviceCommand.CreateHandle;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that a NIC knows about one flow. Mutable; {@link QuadHash} changes phase, owner and place, the RNIC the rest.
 */
public final class FlowEntry {

    /** How far a flow has come. */
    public enum Phase {
        /** An active open has been promised this flow; nobody has asked for anything yet. */
        RESERVED,
        /** A connection prepares: it may have an address handle, but the quad hash does not catch its frames. */
        CLAIMED,
        /** The quad hash catches its frames for its owner's ILQ. */
        ILQ,
        /** The quad hash catches its frames for a queue pair. */
        QP,
        /** Its queue pair is done with it; what is left is what its owner has not acknowledged. */
        OVER
    }

    /** Most events kept for whoever adopts the flow; the oldest gives way, and that is counted. */
    static final int EVENTS_MAX = 32;

    RequestIds requests = new RequestIds();
    private final FlowKey flow;
    private final NicCounts counts;
    Phase phase;
    boolean reserved;
    Optional<Owner> owner = Optional.empty();
    long epoch;
    BacklogPlace place = BacklogPlace.NONE;
    Optional<SynEntry> listener = Optional.empty();

    private final ArrayDeque<Told> told = new ArrayDeque<>();
    private long lastTold;
    private Optional<Checkpoint> checkpoint = Optional.empty();
    private Optional<AddressHandle> handle = Optional.empty();
    private Optional<EntryUse<CreateHandle>> handleUse = Optional.empty();
    private Optional<EntryUse<FlowKey>> quad = Optional.empty();
    private final ArrayList<EntryUse<Integer>> ports = new ArrayList<>(1);
    private boolean steeringAsked;
    private Refusals refusals = new Refusals(Optional.empty(), Optional.empty(), Optional.empty());
    private Optional<LastSent> lastSent = Optional.empty();

    FlowEntry(FlowKey flow, Phase phase, NicCounts counts) {
        this.flow = flow;
        this.counts = counts;
        this.phase = phase;
    }

    public FlowKey flow() {
        return flow;
    }

    public Phase phase() {
        return phase;
    }

    /** Whose it is, or for whom it is reserved. */
    public Optional<Owner> owner() {
        return owner;
    }

    /** The epoch under which it is in the quad hash, 0 before. */
    public long epoch() {
        return epoch;
    }

    public BacklogPlace place() {
        return place;
    }

    /** The SYN entry it has its place of; empty without one. */
    public Optional<SynEntry> listener() {
        return listener;
    }

    /** Whether an active open was promised this flow, and so has its port even while it holds nothing else. */
    public boolean isReserved() {
        return reserved || phase == Phase.RESERVED;
    }

    /** Whether the quad hash catches its frames. */
    public boolean isInstalled() {
        return phase == Phase.ILQ || phase == Phase.QP;
    }

    /** Whether it holds nothing that has to be given back, besides its own row. */
    public boolean isBare() {
        return !isInstalled() && !steeringAsked && handle.isEmpty() && ports.isEmpty();
    }

    /**
     * Keeps what its owner is being told until that is acknowledged.
     *
     * @return its number
     */
    public long tell(NicEvent event) {
        if (told.size() == EVENTS_MAX) {
            told.removeFirst();
            counts.add(NicCounter.EVENTS_FORGOTTEN);
        }
        told.addLast(new Told(++lastTold, event));
        return lastTold;
    }

    /** Its owner has worked on the events up to this number. */
    public void acknowledge(long number) {
        while (!told.isEmpty() && told.getFirst().number() <= number) {
            told.removeFirst();
        }
    }

    /** What its owner has not acknowledged, in order. */
    public List<Told> unacknowledged() {
        return List.copyOf(told);
    }

    /** Stores what is to be kept, or that nothing is, unless it is older than what is stored. */
    public void store(Optional<Checkpoint> newer, long requestId) {
        if (requestId == requests.highest()) {
            checkpoint = newer;
        }
    }

    /** Nobody will go on from here. */
    public void forgetCheckpoint() {
        checkpoint = Optional.empty();
    }

    public Optional<Checkpoint> checkpoint() {
        return checkpoint;
    }

    public Optional<AddressHandle> handle() {
        return handle;
    }

    public void handle(AddressHandle made) {
        handle = Optional.of(made);
    }

    /** The next hop has been found. */
    public void handleResolved() {
        handle = handle.map(AddressHandle::resolved);
    }

    public void handleFreed() {
        handle = Optional.empty();
        handleUse = Optional.empty();
    }

    /** Its hold on the device's address handle; empty before the next hop is known. */
    public Optional<EntryUse<CreateHandle>> handleUse() {
        return handleUse;
    }

    public void handleUse(EntryUse<CreateHandle> use) {
        handleUse = Optional.of(use);
    }

    /** Its hold on the device's entry; an active open has it before it asks for steering. */
    public Optional<EntryUse<FlowKey>> quad() {
        return quad;
    }

    public void quad(Optional<EntryUse<FlowKey>> use) {
        quad = use;
    }

    /** Its holds on its local port, the latest last. */
    public List<EntryUse<Integer>> ports() {
        return ports;
    }

    /** Whether its owner waits to be told that what the peer sends is caught. */
    public boolean isSteeringAsked() {
        return steeringAsked;
    }

    public void steeringAsked(boolean asked) {
        steeringAsked = asked;
    }

    /** What was refused, to be answered again when it is asked again under the same id. */
    public Refusals refusals() {
        return refusals;
    }

    public void refusals(Refusals latest) {
        refusals = latest;
    }

    /** The numbers after the last segment that its owner sent; empty before the first. */
    public Optional<LastSent> lastSent() {
        return lastSent;
    }

    public void lastSent(LastSent latest) {
        lastSent = Optional.of(latest);
    }

    /** An event and its number. */
    public record Told(long number, NicEvent event) {}

    /** The latest refusal of each kind of order. */
    public record Refusals(Optional<Failure> handle, Optional<Failure> steering, Optional<Failure> queuePair) {}

    /**
     * Enough to reset a peer whose connection nobody owns any more.
     *
     * @param nxt the number after the highest that was sent
     * @param ack what was acknowledged last; empty before the peer has sent anything
     */
    public record LastSent(SeqNum nxt, Optional<SeqNum> ack) {}
}
