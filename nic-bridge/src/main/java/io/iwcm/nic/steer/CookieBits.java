package io.iwcm.nic.steer;

import io.iwcm.nic.wire.TcpOptions;
import java.util.Optional;

/**
 * The eight bits of a cookie that say what the peer's SYN said and when: one bit of the time slot, three for the MSS, four
 * for the window scale.
 *
 * <pre>
 *   7      6..4   3..0
 *   parity mss    scale
 * </pre>
 *
 * <p>The MSS is one of eight: the largest that is not more than the peer said, so that no segment is ever too large for it.
 * The window scale is exact: 0 without the option, else the shift count and one more.
 *
 * @param value 0..255
 */
record CookieBits(int value) {

    /**
     * What links have: the least that IPv4 knows of, RFC 9293's default, IPv6's least, tunnels in tunnels, VXLAN, Ethernet,
     * 4 KiB of data, jumbo frames.
     */
    private static final int[] MSS_V4 = {216, 536, 1220, 1360, 1410, 1460, 4056, 8960};

    /** The same links, less 20 for the larger header; IPv6's own default (RFC 9293 §3.7.1) is its least. */
    private static final int[] MSS_V6 = {216, 536, 1220, 1340, 1390, 1440, 4036, 8940};

    private static final int ABSENT_V4 = 1; // 536
    private static final int ABSENT_V6 = 2; // 1220

    /** RFC 7323 §2.3: a larger shift means this one. */
    private static final int SHIFT_MAX = 14;

    private static final int MSS_SHIFT = 4;
    private static final int MSS_MASK = 7;
    private static final int SCALE_MASK = 15;
    private static final int PARITY_SHIFT = 7;

    /** Empty: the peer takes less than the least MSS that a cookie can say. */
    static Optional<CookieBits> of(TcpOptions syn, boolean v4, long slot) {
        int mss = v4 ? ABSENT_V4 : ABSENT_V6;
        if (syn.hasMss()) {
            int[] table = v4 ? MSS_V4 : MSS_V6;
            if (syn.mss() < table[0]) {
                return Optional.empty();
            }
            mss = MSS_MASK;
            while (table[mss] > syn.mss()) {
                mss--;
            }
        }
        int scale = syn.hasWindowScale() ? Math.min(syn.windowScale(), SHIFT_MAX) + 1 : 0;
        return Optional.of(new CookieBits((int) (slot & 1) << PARITY_SHIFT | mss << MSS_SHIFT | scale));
    }

    /** Whether they are of a slot with the parity of this one. */
    boolean mayBeOf(long slot) {
        return value >>> PARITY_SHIFT == (slot & 1);
    }

    /** What the SYN said, or a little less. */
    TcpOptions options(boolean v4) {
        int mss = (v4 ? MSS_V4 : MSS_V6)[value >>> MSS_SHIFT & MSS_MASK];
        int scale = value & SCALE_MASK;
        return TcpOptions.ofSyn(mss, scale == 0 ? TcpOptions.ABSENT : scale - 1);
    }
}
