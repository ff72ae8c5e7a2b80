package io.iwcm.nic.link;

/** How long a frame may be on a link. */
final class FrameSize {

    static final int HEADER = 14;
    static final int VLAN_TAG = 4;
    private static final int VLAN_TYPE = 0x8100;
    private static final int TYPE = 12;

    private FrameSize() {}

    /** Has a whole header and no more payload than the MTU; an 802.1Q tag is not payload. */
    static boolean fits(byte[] frame, int mtu) {
        if (frame.length < HEADER) {
            return false;
        }
        boolean tagged = ((frame[TYPE] & 0xff) << 8 | (frame[TYPE + 1] & 0xff)) == VLAN_TYPE;
        return frame.length - HEADER - (tagged ? VLAN_TAG : 0) <= mtu;
    }
}
