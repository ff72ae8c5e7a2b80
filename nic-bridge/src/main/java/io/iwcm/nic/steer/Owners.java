package io.iwcm.nic.steer;

import io.iwcm.nic.spi.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The dispatchers that are there. A new flow goes to one of them by rendezvous hashing: when one comes or goes, only
 * flows of that one change their place.
 */
public final class Owners {

    private final ArrayList<Owner> attached = new ArrayList<>();

    /** Repeating it changes nothing. */
    public void attach(Owner owner) {
        if (!has(owner)) {
            attached.add(owner);
            attached.sort(Comparator.comparingLong(Owner::id)); // So that the choice depends on who, not on when.
        }
    }

    /** Whether it was there. */
    public boolean detach(Owner owner) {
        return attached.remove(owner);
    }

    public boolean has(Owner owner) {
        return attached.contains(owner);
    }

    /** All of them, by name. */
    public List<Owner> all() {
        return List.copyOf(attached);
    }

    public int size() {
        return attached.size();
    }

    /** The dispatcher for a flow with this hash; empty when none is there. */
    public Optional<Owner> choose(long flowHash) {
        Optional<Owner> best = Optional.empty();
        long bestWeight = 0;
        for (Owner owner : attached) {
            long weight = mix(flowHash ^ mix(owner.id()));
            if (best.isEmpty() || Long.compareUnsigned(weight, bestWeight) > 0) {
                best = Optional.of(owner);
                bestWeight = weight;
            }
        }
        return best;
    }

    /** A bijection that spreads every bit (the finaliser of SplitMix64). */
    private static long mix(long z) {
        long a = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ a >>> 27) * 0x94d049bb133111ebL;
        return b ^ b >>> 31;
    }
}
