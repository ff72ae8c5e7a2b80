package io.iwcm.cm.mpa;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;

/** The initiator's side of the negotiation: builds the request and judges the reply (RFC 5044 §7.1.2, RFC 6581 §9). */
public final class Initiator {

    private Initiator() {}

    /**
     * What an application asks for.
     *
     * @param revision 1 or 2
     * @param depths what it would like; clamped to the policy's limits; ORD is at least 1 when a Read RTR is offered
     * @param peerToPeer ask for the peer-to-peer model (revision 2)
     * @param privateData at most {@link MpaCodec#privateDataMax}
     */
    public record Wish(int revision, ReadDepths depths, boolean peerToPeer, Octets privateData) {}

    /** What the reply means. */
    public sealed interface Verdict {
        /** Go on: hand over to a queue pair. */
        record Accepted(Negotiated negotiated, Octets privateData) implements Verdict {}

        /** The peer's application (or its MPA) said no. */
        record Rejected(PeerDepths peer, Octets privateData) implements Verdict {}

        /**
         * The reply accepts, but we cannot go on: a Terminate must go out through the queue pair.
         *
         * @param negotiated enough for a queue pair to send it
         */
        record MustTerminate(TermCode code, Negotiated negotiated) implements Verdict {}

        /** The reply breaks the protocol, or the peer wants what our policy refuses: reset. */
        record Refused(String why) implements Verdict {}
    }

    public static MpaFrame request(Wish wish, MpaPolicy policy) {
        throw new UnsupportedOperationException("request " + wish + policy);
    }

    /**
     * Judges the reply.
     *
     * @param wish as given to {@link #request}
     * @param reply a frame of kind REPLY
     */
    public static Verdict judge(Wish wish, MpaPolicy policy, MpaFrame reply) {
        throw new UnsupportedOperationException("judge " + wish + policy + reply);
    }
}
