package io.iwcm.cm.mpa;

import io.iwcm.nic.wire.Octets;

/** Reads and writes MPA start-up frames (RFC 5044 §7.1.1, RFC 6581 §6). */
public final class MpaCodec {

    /** Octets before the private data. */
    public static final int HEADER = 20;

    /** The most that PD_Length may say; the control words of an enhanced frame count. */
    public static final int PD_LENGTH_MAX = 512;

    /** The longest frame, and so the most that start-up ever keeps of a stream. */
    public static final int FRAME_MAX = HEADER + PD_LENGTH_MAX;

    /** The most private data the upper layer can send. */
    public static int privateDataMax(boolean enhanced) {
        return enhanced ? PD_LENGTH_MAX - 4 : PD_LENGTH_MAX;
    }

    private MpaCodec() {}

    /**
     * Reads one frame from the head of the stream. Decides as early as the octets allow: a wrong key on its first wrong
     * octet, a length on the header alone.
     *
     * @param expected request at a responder, reply at an initiator
     */
    public static Decoded decode(Octets stream, MpaFrame.Kind expected) {
        throw new UnsupportedOperationException("decode " + stream + expected);
    }

    /** The frame's octets. */
    public static Octets encode(MpaFrame frame) {
        throw new UnsupportedOperationException("encode " + frame);
    }
}
