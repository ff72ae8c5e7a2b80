package io.iwcm.nic.spi;

/**
 * What a listener's SYN-ACK offers, so that the NIC can say the same when it answers a SYN by itself, with a cookie. The MSS
 * is the link's.
 *
 * @param window receive window in octets, 1..65535 << windowScale; the field of a SYN-ACK says at most 65535
 * @param windowScale our shift count 0..14; offered only to a peer that offers one too
 */
public record SynOffer(int window, int windowScale) {

    /** irdma's: a field of 65535 and a shift count of 2. */
    public static final SynOffer DEFAULT = new SynOffer(65_535 << 2, 2);

    private static final int FIELD_MAX = 0xffff;
    private static final int SHIFT_MAX = 14;

    public SynOffer {
        if (windowScale < 0 || windowScale > SHIFT_MAX || window < 1 || window > FIELD_MAX << windowScale) {
            throw new IllegalArgumentException("window " + window + " with shift count " + windowScale
                    + " is out of range: 1..65535, shifted by 0..14, are allowed");
        }
    }
}
