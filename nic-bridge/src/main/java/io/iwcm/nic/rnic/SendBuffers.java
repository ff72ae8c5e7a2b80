package io.iwcm.nic.rnic;

import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.NicCounts;

/**
 * The buffers that frames are sent from: each is in use from when its frame is given to the device until it has left.
 * Strangers, whose connections do not stand yet or who have none, find the last quarter taken: what is established never
 * suffers from them. A frame that finds no buffer is dropped; whoever needs it sends it again.
 */
final class SendBuffers {

    /** For whom a frame is sent. */
    enum Whom {
        /** A connection that stands, or one of our own opens; or a neighbour, without whom there is none. */
        OURS,
        /** A half-open connection of a listener, or nobody whom we know. */
        STRANGER
    }

    private final int max;
    private final NicCounts counts;
    private int inUse;
    private boolean behindOthers;

    SendBuffers(int max, NicCounts counts) {
        this.max = max;
        this.counts = counts;
    }

    /** A new turn: what is still in use waits for the link. */
    void begin() {
        behindOthers = inUse > 0;
    }

    /** False: there is none, the frame is dropped. */
    boolean take(Whom whom) {
        if (!hasRoom(inUse, max, whom)) {
            counts.add(NicCounter.BUF_ALLOC_FAIL);
            return false;
        }
        inUse++;
        if (behindOthers) {
            counts.add(NicCounter.SENT_PKT_Q);
        }
        return true;
    }

    /** The oldest frames have left. */
    void free(int frames) {
        if (frames > inUse) {
            throw new IllegalArgumentException(frames + " buffers are said to be free, and " + inUse + " are in use");
        }
        inUse -= frames;
    }

    int inUse() {
        return inUse;
    }

    static boolean hasRoom(int used, int max, Whom whom) {
        return used < (whom == Whom.STRANGER ? max - max / 4 : max);
    }
}
