package io.iwcm.cm.mpa;

import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;

/**
 * What an accepted exchange of request and reply fixed.
 *
 * @param revision the revision both ends speak
 * @param rdma for the queue pair
 * @param told our depths as the upper layer is told them: those of {@code rdma} without the one read that only a Read
 *     RTR needs
 * @param peer what the peer said of its read depths
 */
public record Negotiated(int revision, RdmaParams rdma, ReadDepths told, PeerDepths peer) {

    /**
     * The peer's raw IRD and ORD fields, which the upper layer is given on accept and on reject (RFC 6581 §9.1).
     *
     * @param present false in revision 1 and with S=0: nothing was said and the fields are 0
     * @param ird the peer's IRD field, 0..0x3FFF
     * @param ord the peer's ORD field, 0..0x3FFF
     */
    public record PeerDepths(boolean present, int ird, int ord) {
        public static final PeerDepths NONE = new PeerDepths(false, 0, 0);

        static PeerDepths in(MpaFrame frame) {
            return frame.enhanced()
                    .map(enhanced -> new PeerDepths(true, enhanced.ird(), enhanced.ord()))
                    .orElse(NONE);
        }
    }
}
