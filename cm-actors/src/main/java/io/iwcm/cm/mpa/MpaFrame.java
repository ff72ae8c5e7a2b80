package io.iwcm.cm.mpa;

import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/**
 * An MPA request or reply (RFC 5044 §7.1.1), enhanced with read depths and RTR flags when it is RFC 6581's.
 *
 * @param kind request or reply
 * @param flags the M, C and R flags
 * @param revision 1 or 2 (0 where it is allowed by setting)
 * @param enhanced present iff revision is at least 2 and the S flag is set
 * @param privateData what belongs to the upper layer: the four control octets are not in it
 */
public record MpaFrame(Kind kind, Flags flags, int revision, Optional<Enhanced> enhanced, Octets privateData) {

    /** Request or reply; they differ in one octet of the key. */
    public enum Kind {
        REQUEST,
        REPLY
    }

    /**
     * The M, C and R flags; each is the sender's own statement.
     *
     * @param markers M: the sender wants markers in the stream toward itself
     * @param crc C: the sender wants CRCs
     * @param rejected R: in a reply, the connection is refused; not looked at in a request
     */
    public record Flags(boolean markers, boolean crc, boolean rejected) {}

    /**
     * The two control words of an enhanced frame.
     *
     * @param peerToPeer A
     * @param rtr B, C and D
     * @param ird 14 bits as on the wire; {@link io.iwcm.nic.spi.ReadDepths#NOT_NEGOTIATED} has its meaning
     * @param ord 14 bits as on the wire
     */
    public record Enhanced(boolean peerToPeer, RtrSet rtr, int ird, int ord) {}
}
