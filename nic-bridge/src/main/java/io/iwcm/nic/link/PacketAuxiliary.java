package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * What the kernel tells about a frame beside its octets: {@code struct tpacket_auxdata} of {@code PACKET_AUXDATA}.
 *
 * @param status {@code TP_STATUS_…} bits
 * @param tag the VLAN tag's control information that was taken out
 * @param protocol the VLAN tag's type
 */
record PacketAuxiliary(int status, int tag, int protocol) {

    /** The control message: a {@code struct cmsghdr} of 16 octets, 20 of data, padding. */
    static final int ROOM = 40;

    private static final PacketAuxiliary NONE = new PacketAuxiliary(0, 0, 0);
    private static final int DATA = 16;
    private static final int DATA_LENGTH = 20;
    private static final int CHECKSUM_NOT_READY = 1 << 3;
    private static final int TAG_VALID = 1 << 4;
    private static final int PROTOCOL_VALID = 1 << 6;
    private static final int TAG_PROTOCOL = 0x8100;
    private static final int TYPE = 12;

    static PacketAuxiliary of(MemorySegment control) {
        boolean whole = control.byteSize() >= DATA + DATA_LENGTH
                && control.get(JAVA_LONG, 0) >= DATA + DATA_LENGTH
                && control.get(JAVA_INT, 8) == PacketSocket.SOL_PACKET
                && control.get(JAVA_INT, 12) == PacketSocket.PACKET_AUXDATA;
        return whole
                ? new PacketAuxiliary(
                        control.get(JAVA_INT, DATA),
                        control.get(JAVA_SHORT, DATA + 16) & 0xffff,
                        control.get(JAVA_SHORT, DATA + 18) & 0xffff)
                : NONE;
    }

    boolean isChecksumMissing() {
        return (status & CHECKSUM_NOT_READY) != 0;
    }

    boolean isTagged() {
        return (status & TAG_VALID) != 0;
    }

    /** The frame with its tag back in place; it has a whole Ethernet header. */
    byte[] tagged(byte[] frame) {
        int type = (status & PROTOCOL_VALID) != 0 ? protocol : TAG_PROTOCOL;
        byte[] whole = new byte[frame.length + FrameSize.VLAN_TAG];
        System.arraycopy(frame, 0, whole, 0, TYPE);
        whole[TYPE] = (byte) (type >>> 8);
        whole[TYPE + 1] = (byte) type;
        whole[TYPE + 2] = (byte) (tag >>> 8);
        whole[TYPE + 3] = (byte) tag;
        System.arraycopy(frame, TYPE, whole, TYPE + FrameSize.VLAN_TAG, frame.length - TYPE);
        return whole;
    }
}
