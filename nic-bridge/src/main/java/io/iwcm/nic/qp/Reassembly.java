package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The out-of-order queue of one connection: runs of octets that lie after a gap, in order of their first number, bounded
 * in number and in octets.
 */
final class Reassembly {

    /** Most runs kept; what finds no room is dropped and will be retransmitted. */
    static final int RUNS_MAX = 1024;

    /** Runs below this are copied, so that an octet does not keep the frame that it came in. */
    private static final int SMALL_OCTETS = 512;

    private record Run(SeqNum seq, Octets octets) {
        SeqNum end() {
            return seq.plus(octets.length());
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private final int octetsMax;
    private int octets;
    private int evicted;

    Reassembly(int octetsMax) {
        this.octetsMax = octetsMax;
    }

    /**
     * Keeps a run; false when there is no room. One that another covers is as good as kept. Those that lie behind it make
     * room: full of them, the queue would refuse what is needed first, and only what comes in order would get through.
     */
    boolean keep(SeqNum seq, Octets payload) {
        int at = runs.size();
        while (at > 0 && runs.get(at - 1).seq().after(seq)) {
            at--;
        }
        SeqNum end = seq.plus(payload.length());
        if (at > 0 && runs.get(at - 1).end().atOrAfter(end)) {
            return true;
        }
        while (at < runs.size() && (runs.size() == RUNS_MAX || octets + payload.length() > octetsMax)) {
            octets -= runs.removeLast().octets().length(); // What is needed later is sent again later.
            evicted++;
        }
        if (runs.size() == RUNS_MAX || octets + payload.length() > octetsMax) {
            return false;
        }
        boolean small = payload.length() < SMALL_OCTETS;
        runs.add(at, new Run(seq, small ? Octets.wrap(payload.toBytes()) : payload));
        octets += payload.length();
        return true;
    }

    /** Takes the octets that start at {@code next}, if a run reaches there. */
    Optional<Octets> take(SeqNum next) {
        while (!runs.isEmpty() && runs.getFirst().seq().atOrBefore(next)) {
            Run first = runs.removeFirst();
            octets -= first.octets().length();
            if (first.end().after(next)) {
                return Optional.of(first.octets().from(next.minus(first.seq())));
            }
        }
        return Optional.empty();
    }

    /** How many runs have made room since this was asked last. */
    int takeEvicted() {
        int count = evicted;
        evicted = 0;
        return count;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }
}
