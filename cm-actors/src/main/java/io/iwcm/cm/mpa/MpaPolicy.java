package io.iwcm.cm.mpa;

import io.iwcm.cm.mpa.MpaFrame.Flags;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;

/**
 * What this end supports and insists on; from settings, the same for request and reply.
 *
 * @param depthsMax the most IRD and ORD this end has resources for
 * @param crc when CRCs are used
 * @param receiveMarkers we ask for markers in the stream toward us (our M flag)
 * @param rtr the RTR forms we can generate (initiator) and accept (responder)
 * @param answerAllRtr the reply names the whole intersection instead of one form
 * @param strictReply a reply whose revision, S flag or A flag differs from the request is an error; otherwise it is
 *     adopted without negotiation
 * @param acceptRevision0 a request of revision 0 is taken as one of revision 1; RFC 5044 knows no revision 0, but the
 *     Ohio Supercomputer Center's iWARP and amso1100 send it, and soft-iWARP takes it
 */
public record MpaPolicy(
        ReadDepths depthsMax,
        CrcPolicy crc,
        boolean receiveMarkers,
        RtrSet rtr,
        boolean answerAllRtr,
        boolean strictReply,
        boolean acceptRevision0) {

    /** When CRCs are used (RFC 5044 §7.1: in use when either end says so). */
    public enum CrcPolicy {
        /** We set C; CRCs are used. */
        REQUIRED,
        /** We do not set C; they are used when the peer wants them. */
        PREFERRED_OFF,
        /** We do not set C and refuse a peer that does. */
        STRICT_OFF
    }

    /** M and C are our own statement, never an echo of the peer's (RFC 5044 §7.1.1). */
    Flags flags(boolean rejected) {
        return new Flags(receiveMarkers, crc == CrcPolicy.REQUIRED, rejected);
    }

    boolean crcWith(Flags peer) {
        return crc == CrcPolicy.REQUIRED || peer.crc();
    }

    boolean refusesCrcOf(Flags peer) {
        return crc == CrcPolicy.STRICT_OFF && peer.crc();
    }

    ReadDepths limit(ReadDepths wish) {
        return new ReadDepths(Math.min(wish.ird(), depthsMax.ird()), Math.min(wish.ord(), depthsMax.ord()));
    }

    /** A zero-length Read is a read: whoever may issue none cannot generate it. */
    RtrSet generates() {
        return depthsMax.ord() > 0 ? rtr : rtr.without(Rtr.READ);
    }

    /** A zero-length Read is a read: whoever has no place for one cannot accept it. */
    RtrSet accepts() {
        return depthsMax.ird() > 0 ? rtr : rtr.without(Rtr.READ);
    }
}
