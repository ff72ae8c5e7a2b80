package io.iwcm.cm.analyze;

import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.wire.Endpoint;
import java.util.List;
import java.util.Optional;

/**
 * What a capture shows of one connection, and what that means.
 *
 * @param span from when to when, and on which VLANs
 * @param verdict the worst of the findings
 * @param initiator who sent the MPA request, or opened TCP where there is none
 * @param responder the other end
 * @param agreed what the two MPA frames agree on; empty without an accepting reply
 * @param moments the exchange, in order
 * @param findings the worst first
 * @param ending how it ended
 */
public record ConnectionReport(
        Span span,
        Verdict verdict,
        Party initiator,
        Party responder,
        Optional<Agreed> agreed,
        List<Moment> moments,
        List<Finding> findings,
        Ending ending) {

    /**
     * When and where.
     *
     * @param first its first frame
     * @param last its last frame
     * @param vlan VLAN ids, outermost first, joined by dots; empty for none
     */
    public record Span(Stamp first, Stamp last, String vlan) {}

    /**
     * One end.
     *
     * @param endpoint address and port
     * @param tcp what its TCP said
     * @param frame the MPA frame it sent
     * @param fpdus what it sent in full operation
     */
    public record Party(Endpoint endpoint, Tcp tcp, Optional<Frame> frame, Fpdus fpdus) {}

    /**
     * TCP of one end.
     *
     * @param segments segments it sent
     * @param repeats segments of them that brought nothing new
     * @param mss as announced, -1 for none or not captured
     * @param windowScale as announced, -1 for none or not captured
     * @param octets octets it sent, those included that were not captured
     * @param missingOctets octets of them that were not captured
     */
    public record Tcp(long segments, int repeats, int mss, int windowScale, long octets, int missingOctets) {}

    /**
     * An MPA frame.
     *
     * @param mpa what it says; empty when it is malformed or incomplete
     * @param fault what is wrong with it; empty when nothing is
     * @param octets the octets as sent
     * @param notCaptured octets of them, at the end, that the capture lacks
     * @param segments TCP segments that it took
     */
    public record Frame(
            Optional<MpaFrame> mpa,
            Optional<String> fault,
            io.iwcm.nic.wire.Octets octets,
            int notCaptured,
            int segments) {}

    /**
     * FPDUs of one end.
     *
     * @param count all of them
     * @param crcRight with the right CRC
     * @param crcWrong with a wrong one; the others were not checked
     * @param markersWrong with a wrong marker
     * @param byOpcode how many of each kind, by RDMAP's opcode
     * @param first the kinds of the first few
     * @param terminate what its Terminate says
     */
    public record Fpdus(
            long count,
            long crcRight,
            long crcWrong,
            long markersWrong,
            List<Kind> byOpcode,
            List<String> first,
            Optional<String> terminate) {}

    /** So many FPDUs of one kind. */
    public record Kind(String name, long count) {}

    /**
     * What two MPA frames agree on.
     *
     * @param revision the reply's
     * @param peerToPeer with an RTR
     * @param rtr the form that came, else the only one that both name
     * @param crc CRCs are used
     * @param markersToInitiator the responder inserts markers
     * @param markersToResponder the initiator inserts markers
     * @param initiatorReads reads that the initiator may have outstanding; -1 when not negotiated
     * @param responderReads reads that the responder may have outstanding; -1 when not negotiated
     */
    public record Agreed(
            int revision,
            boolean peerToPeer,
            Optional<Rtr> rtr,
            boolean crc,
            boolean markersToInitiator,
            boolean markersToResponder,
            int initiatorReads,
            int responderReads) {}

    /**
     * How it ended.
     *
     * @param kind the way
     * @param byInitiator whether the initiator began it; without meaning where nobody did
     * @param words all of it, in words
     */
    public record Ending(End kind, boolean byInitiator, String words) {}

    /** Ways to end. */
    public enum End {
        CLOSED,
        HALF_CLOSED,
        RESET,
        NEVER_OPENED,
        OPEN;

        /** For scripts. */
        public String label() {
            return Labels.of(this);
        }
    }
}
