package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.iwcm.nic.bridge.FrameObserver;

/**
 * Watches everything for people: frames, states and events, each with the time of the NIC's clock. Called on the threads
 * where things happen, several at once: it must be quick and safe from any of them. Frames are reported by the NIC,
 * the rest by connections; their order across the two is that of the time stamps.
 */
public interface CmObserver extends FrameObserver {

    /** Nobody watches; costs nothing. */
    CmObserver NONE = new CmObserver() {
        @Override
        public void frameReceived(byte[] frame, long nowNs) {}

        @Override
        public void frameSent(byte[] frame, long nowNs) {}

        @Override
        public void began(CmConnection connection, Step first, long nowNs) {}

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {}

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {}
    };

    /** A connection has been made; its first step says in what state and what it did. */
    void began(CmConnection connection, Step first, long nowNs);

    /** An input has been worked on; the step's state may be {@code from}. Its outputs have been carried out. */
    void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs);

    /** The application is being told. */
    void notified(CmConnection connection, CmEvent event, long nowNs);

    /** Who is to hear what becomes of the actors of this kind; always the same. */
    default ActorWatch actors(ActorKind kind) {
        return ActorWatch.NONE;
    }

    /** This one, then the other. */
    default CmObserver and(CmObserver other) {
        if (this == NONE) return other;
        return other == NONE ? this : new BothObservers(this, other);
    }
}
