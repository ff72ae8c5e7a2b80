package io.iwcm.nic.bridge;

/**
 * Watches the frames that pass a NIC. Called on the NIC's thread, before a received frame is used and before a frame is
 * sent; it must be quick, must not write to the frame, and what it throws is its own fault: it is logged and forgotten.
 */
public interface FrameObserver {

    /** Nobody watches; costs nothing. */
    FrameObserver NONE = new FrameObserver() {
        @Override
        public void frameReceived(byte[] frame, long nowNs) {}

        @Override
        public void frameSent(byte[] frame, long nowNs) {}
    };

    void frameReceived(byte[] frame, long nowNs);

    void frameSent(byte[] frame, long nowNs);
}
