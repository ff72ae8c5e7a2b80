package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
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
        public void began(CmConnection connection, StateName state, long nowNs) {}

        @Override
        public void stepped(CmConnection connection, StateName from, CmInput input, StateName to, long nowNs) {}

        @Override
        public void notified(CmConnection connection, CmEvent event, long nowNs) {}
    };

    /** A connection has been made and is in its first state. */
    void began(CmConnection connection, StateName state, long nowNs);

    /** An input has been worked on; {@code to} may be {@code from}. */
    void stepped(CmConnection connection, StateName from, CmInput input, StateName to, long nowNs);

    /** The application is being told. */
    void notified(CmConnection connection, CmEvent event, long nowNs);
}
