package io.iwcm.nic.wire;

/**
 * The TCP options that a connection manager acts on (RFC 9293 §3.2, RFC 7323 §2). Others are skipped by length.
 *
 * @param mss maximum segment size in octets as announced, or {@link #ABSENT}; 0 means absent too (PROTOCOL: never divide
 *     by it)
 * @param windowScale shift count as announced (may exceed 14), or {@link #ABSENT}
 * @param malformed an option had a length under 2 or ran past the header; what stood before it is kept, the rest ignored
 */
public record TcpOptions(int mss, int windowScale, boolean malformed) {

    public static final int ABSENT = -1;
    public static final TcpOptions NONE = new TcpOptions(ABSENT, ABSENT, false);

    public TcpOptions {
        if (mss < ABSENT || mss > 0xffff) {
            throw new IllegalArgumentException("MSS " + mss + " is out of range: 0..65535 fit the option");
        }
        if (windowScale < ABSENT || windowScale > 0xff) {
            throw new IllegalArgumentException(
                    "window scale " + windowScale + " is out of range: 0..255 fit the option");
        }
    }

    /** What a SYN or SYN-ACK of ours carries. */
    public static TcpOptions ofSyn(int mss, int windowScale) {
        return new TcpOptions(mss, windowScale, false);
    }

    public boolean hasMss() {
        return mss > 0;
    }

    public boolean hasWindowScale() {
        return windowScale >= 0;
    }
}
