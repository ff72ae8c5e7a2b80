package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Sighting.SynOptions;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One end of a conversation: what it sent, as far as the capture shows. */
final class Side implements Inflow.Reader {

    /** What the conversation does when something is found in a side's stream. */
    interface Watcher {
        /** An MPA frame is whole, or known to be none. */
        void startUpOver(Side side, Stamp stamp);

        /** Octets of a stream without an MPA frame. */
        void otherData(Side side, Stamp stamp);

        void fpdu(Side side, Fpdu fpdu);
    }

    /** Octets of a stream whose FPDUs cannot be read yet; empty ones stand for {@code missing} octets. */
    private record Held(Octets octets, int missing, Stamp stamp) {}

    private static final int DOUBTFUL_MAX = 16;

    private final Endpoint endpoint;
    private final Watcher watcher;
    private final Budget budget;
    private final int octetsMax;
    private final Inflow inflow;
    private final StartUp startUp = new StartUp();
    private final FpduCounts fpdus = new FpduCounts();
    private final List<Held> held = new ArrayList<>(0);
    private int heldOctets;
    private Optional<FpduScanner> scanner = Optional.empty();

    private Optional<SeqNum> isn = Optional.empty();
    private SynOptions synOptions = SynOptions.NONE;
    private long segments;
    private long earlyOctets;
    private Optional<SeqNum> highestAck = Optional.empty();
    private Optional<SeqNum> fin = Optional.empty();
    /** Segments with a wrong checksum that the other end has not acknowledged yet. */
    private final List<Sighting> doubtful = new ArrayList<>(0);

    private int damaged;
    private int takenAnyway;
    private int soundChecksums;
    private int cutSegments;
    private int window;

    Side(Endpoint endpoint, Watcher watcher, Budget budget, int octetsMax) {
        this.endpoint = endpoint;
        this.watcher = watcher;
        this.budget = budget;
        this.octetsMax = octetsMax;
        this.inflow = new Inflow(this, budget, octetsMax);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Inflow inflow() {
        return inflow;
    }

    StartUp startUp() {
        return startUp;
    }

    FpduCounts fpdus() {
        return fpdus;
    }

    Optional<MpaFrame> frame() {
        return startUp.frame();
    }

    Optional<SeqNum> isn() {
        return isn;
    }

    SynOptions synOptions() {
        return synOptions;
    }

    long segments() {
        return segments;
    }

    /** Octets behind the request that were sent before the reply was. */
    long earlyOctets() {
        return earlyOctets;
    }

    Optional<SeqNum> fin() {
        return fin;
    }

    /** Segments with a wrong checksum that were dropped. */
    int damaged() {
        return damaged;
    }

    /** Segments with a wrong checksum that the other end acknowledged all the same: the capture was changed. */
    int takenAnyway() {
        return takenAnyway;
    }

    int cutSegments() {
        return cutSegments;
    }

    /** The window field of its last segment, unscaled. */
    int window() {
        return window;
    }

    int losses() {
        return scanner.map(FpduScanner::losses).orElse(0);
    }

    boolean insideFpdu() {
        return scanner.map(FpduScanner::insideFpdu).orElse(false);
    }

    /**
     * Whether the receiver took the segment as far as its checksum goes. Where a side has shown right checksums a wrong one
     * is damage; where it has not, the capture was changed or taken before the NIC.
     */
    boolean isSound(Sighting sighting) {
        segments++;
        if (sighting.payload().octets().length() < sighting.payload().lengthOctets()) {
            cutSegments++;
        }
        switch (sighting.payload().checksum()) {
            case RIGHT -> soundChecksums++;
            case WRONG -> {
                if (soundChecksums > 0) {
                    damaged++;
                    if (doubtful.size() < DOUBTFUL_MAX) {
                        doubtful.add(sighting);
                    }
                    return false;
                }
            }
            case OFFLOADED, UNKNOWN -> {}
        }
        window = sighting.header().window();
        return true;
    }

    /** The other end has acknowledged all before {@code ack}, with or without the doubtful segments. */
    void acknowledged(SeqNum ack, Stamp stamp) {
        for (Sighting sighting : List.copyOf(doubtful)) {
            SeqNum end = sighting.header().seq().plus(sighting.payload().lengthOctets());
            if (ack.atOrAfter(end)) {
                doubtful.remove(sighting);
                boolean needed = sighting.header().seq().atOrBefore(inflow.next()) && end.after(inflow.next());
                if (needed) {
                    damaged--;
                    takenAnyway++;
                    inflow.offer(sighting);
                }
            }
        }
        inflow.acknowledged(ack, stamp);
    }

    void synSeen(Sighting sighting) {
        isn = Optional.of(sighting.header().seq());
        synOptions = sighting.header().options();
        inflow.anchor(sighting.header().seq().plus(1));
    }

    void finSeen(SeqNum seq) {
        fin = Optional.of(fin.orElse(seq));
    }

    void acks(SeqNum ack) {
        if (highestAck.isEmpty() || ack.after(highestAck.get())) {
            highestAck = Optional.of(ack);
        }
    }

    /** Whether this side has acknowledged everything up to {@code seq}. */
    boolean hasAcked(SeqNum seq) {
        return highestAck.isPresent() && highestAck.get().atOrAfter(seq);
    }

    /** Octets before {@code seq} that this side has not acknowledged. */
    int notAcked(SeqNum seq) {
        return highestAck.map(seq::minus).orElse(0);
    }

    boolean hasAckedAnything() {
        return highestAck.isPresent();
    }

    /** What comes from now on, and what was held back, are FPDUs. */
    void readFpdus(boolean markers, FpduScanner.CrcUse crc) {
        FpduScanner reader = new FpduScanner(markers, crc, fpdu -> {
            fpdus.add(fpdu);
            watcher.fpdu(this, fpdu);
        });
        scanner = Optional.of(reader);
        for (Held piece : held) {
            if (piece.missing() > 0) {
                reader.skip(piece.missing(), piece.stamp());
            } else {
                reader.feed(piece.octets(), piece.stamp());
            }
        }
        letGo();
    }

    /** CRCs are in use in its FPDUs, or nobody knows. */
    boolean crcsInUse() {
        return scanner.map(FpduScanner::crcsInUse).orElse(true);
    }

    boolean readsFpdus() {
        return scanner.isPresent();
    }

    /** Frees what waits. */
    void finish(Stamp stamp) {
        inflow.finish(stamp);
        letGo();
    }

    private void letGo() {
        budget.giveBack(heldOctets);
        heldOctets = 0;
        held.clear();
    }

    @Override
    public void octets(Octets octets, Stamp stamp) {
        if (scanner.isPresent()) {
            scanner.get().feed(octets, stamp);
            return;
        }
        Octets rest = octets;
        if (!startUp.over()) {
            int taken = startUp.take(octets, stamp);
            if (startUp.frame().isPresent() || startUp.fault().isPresent()) {
                watcher.startUpOver(this, stamp);
            } else if (!startUp.began()) {
                watcher.otherData(this, stamp);
            }
            rest = octets.from(taken);
        }
        if (!rest.isEmpty()) {
            behindFrame(rest, stamp);
        }
    }

    private void behindFrame(Octets rest, Stamp stamp) {
        if (scanner.isPresent()) { // The frame was the one that FPDUs waited for.
            scanner.get().feed(rest, stamp);
        } else if (startUp.frame().isPresent()) {
            earlyOctets += rest.length();
            boolean room = heldOctets + rest.length() <= octetsMax && budget.take(rest.length());
            heldOctets += room ? rest.length() : 0;
            hold(room ? new Held(rest, 0, stamp) : new Held(Octets.EMPTY, rest.length(), stamp));
        }
    }

    private void hold(Held piece) {
        boolean more = !held.isEmpty() && held.getLast().missing() > 0 && piece.missing() > 0;
        if (more) {
            Held last = held.removeLast();
            held.add(new Held(Octets.EMPTY, last.missing() + piece.missing(), last.stamp()));
        } else {
            held.add(piece);
        }
    }

    @Override
    public void hole(int octets, Stamp stamp) {
        if (scanner.isPresent()) {
            scanner.get().skip(octets, stamp);
            return;
        }
        int rest = octets;
        if (!startUp.over()) {
            rest -= startUp.hole(octets, stamp);
            if (startUp.frame().isPresent() || startUp.fault().isPresent()) {
                watcher.startUpOver(this, stamp);
            }
        }
        if (rest > 0 && scanner.isPresent()) {
            scanner.get().skip(rest, stamp);
        } else if (rest > 0 && startUp.frame().isPresent()) {
            earlyOctets += rest;
            hold(new Held(Octets.EMPTY, rest, stamp));
        }
    }
}
