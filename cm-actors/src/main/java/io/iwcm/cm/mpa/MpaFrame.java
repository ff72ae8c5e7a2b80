package io.iwcm.cm.mpa;

import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/**
 * An MPA request or reply (RFC 5044 §7.1.1), enhanced with read depths and RTR flags when it is RFC 6581's.
 *
 * @param kind request or reply
 * @param flags the M, C and R flags
 * @param revision 1 or 2; 0 only in a peer's frame and in the reply to it
 * @param enhanced present iff revision is 2 and the S flag is set
 * @param privateData what belongs to the upper layer: the four control octets are not in it
 */
public record MpaFrame(Kind kind, Flags flags, int revision, Optional<Enhanced> enhanced, Octets privateData) {

    public MpaFrame {
        if (revision < 0 || revision > 2) {
            throw new IllegalArgumentException("MPA revision " + revision + " is unknown.");
        }
        if (enhanced.isPresent() && revision < 2) {
            throw new IllegalArgumentException("MPA revision " + revision + " has no read depths.");
        }
        int max = MpaCodec.privateDataMax(enhanced.isPresent());
        if (privateData.length() > max) {
            throw new IllegalArgumentException("Private data of " + privateData.length() + " octets is too long: " + max
                    + " fit into this MPA frame.");
        }
    }

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
     * @param ird 14 bits as on the wire; {@link ReadDepths#NOT_NEGOTIATED} has its meaning
     * @param ord 14 bits as on the wire
     */
    public record Enhanced(boolean peerToPeer, RtrSet rtr, int ird, int ord) {
        public Enhanced {
            if ((ird & ~ReadDepths.NOT_NEGOTIATED) != 0 || (ord & ~ReadDepths.NOT_NEGOTIATED) != 0) {
                throw new IllegalArgumentException("IRD " + ird + " / ORD " + ord + " do not fit into 14 bits.");
            }
        }
    }
}
