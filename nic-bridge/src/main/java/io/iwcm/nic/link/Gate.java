package io.iwcm.nic.link;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before a link's receiver: lets one thread through at a time, nobody before {@link #open} and nobody after {@link
 * #shut}. Reentrant, so a receiver may close its own link.
 */
final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final Link.Receiver NOBODY = _ -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private Link.Receiver receiver = NOBODY;
    private boolean opened;
    private volatile boolean shut;

    void open(Link.Receiver to, String linkName) {
        lock.lock();
        try {
            if (opened) {
                throw new IllegalStateException("the link " + linkName + " was started before");
            }
            opened = true;
            receiver = to;
        } finally {
            lock.unlock();
        }
    }

    /** Counts and hands over, or counts as dropped while nobody listens. */
    void pass(List<byte[]> frames, Tally tally) {
        lock.lock();
        try {
            if (!opened || shut) {
                tally.receiveDropped(frames.size());
                return;
            }
            tally.received(frames.size());
            receiver.frames(frames);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #pass}, for a link's own thread: a receiver that throws is logged, and must not end it. */
    void passGuarded(List<byte[]> frames, Tally tally, String linkName) {
        try {
            pass(frames, tally);
        } catch (RuntimeException e) {
            LOG.error("the receiver of {} failed on a batch of {} frames", linkName, frames.size(), e);
        }
    }

    /** After return the receiver is not called any more, unless the caller is the receiver itself. */
    void shut() {
        shut = true; // Before the wait, or the next batch could still overtake us.
        lock.lock();
        try {
            receiver = NOBODY;
        } finally {
            lock.unlock();
        }
    }
}
