package io.iwcm.cm.mpa;

import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/** The initiator's side of the negotiation: builds the request and judges the reply (RFC 5044 §7.1.2, RFC 6581 §9). */
public final class Initiator {

    private Initiator() {}

    /**
     * What an application asks for.
     *
     * @param revision 1 or 2
     * @param depths what it would like; clamped to the policy's limits; ORD is at least 1 when a Read RTR is offered
     * @param irdOpen say "do not negotiate" (0x3FFF) instead of our IRD, which stays what it is
     * @param ordOpen the same for our ORD
     * @param peerToPeer ask for the peer-to-peer model; revision 1 has no word for it and leaves it out
     * @param privateData at most {@link MpaCodec#privateDataMax}
     */
    public record Wish(
            int revision, ReadDepths depths, boolean irdOpen, boolean ordOpen, boolean peerToPeer, Octets privateData) {

        /** With both depths to be negotiated. */
        public Wish(int revision, ReadDepths depths, boolean peerToPeer, Octets privateData) {
            this(revision, depths, false, false, peerToPeer, privateData);
        }

        public Wish with(ReadDepths newer) {
            return new Wish(revision, newer, irdOpen, ordOpen, peerToPeer, privateData);
        }

        public Wish with(Octets newer) {
            return new Wish(revision, depths, irdOpen, ordOpen, peerToPeer, newer);
        }

        public Wish open(boolean ird, boolean ord) {
            return new Wish(revision, depths, ird, ord, peerToPeer, privateData);
        }

        public Wish clientServer() {
            return new Wish(revision, depths, irdOpen, ordOpen, false, privateData);
        }

        /** Revision 1 has no read depths and no models. */
        public Wish revision1() {
            return new Wish(1, depths, false, privateData);
        }

        /** We never send revision 2 without S. */
        boolean enhanced() {
            return revision == 2;
        }
    }

    /** What the reply means. */
    public sealed interface Verdict {
        /** Go on: hand over to a queue pair. */
        record Accepted(Negotiated negotiated, Octets privateData) implements Verdict {}

        /** The peer's application (or its MPA) said no. */
        record Rejected(PeerDepths peer, Octets privateData) implements Verdict {}

        /**
         * The reply accepts, but we cannot go on: a Terminate must go out through the queue pair.
         *
         * @param negotiated enough for a queue pair to send it; it names no RTR
         */
        record MustTerminate(TermCode code, Negotiated negotiated) implements Verdict {}

        /** The reply breaks the protocol: reset. */
        record Refused(String why) implements Verdict {}
    }

    /**
     * The request that asks for it.
     *
     * @throws IllegalArgumentException when no request can say this: a revision that is not 1 or 2, private data that
     *     does not fit, or the peer-to-peer model without an RTR form that we could send
     */
    public static MpaFrame request(Wish wish, MpaPolicy policy) {
        if (wish.revision() < 1 || wish.revision() > 2) {
            throw new IllegalArgumentException("MPA revision " + wish.revision() + " cannot be asked for.");
        }
        Optional<Enhanced> enhanced = wish.enhanced() ? Optional.of(enhanced(wish, policy)) : Optional.empty();
        return new MpaFrame(Kind.REQUEST, policy.flags(false), wish.revision(), enhanced, wish.privateData());
    }

    private static Enhanced enhanced(Wish wish, MpaPolicy policy) {
        RtrSet offered = offered(wish, policy);
        if (wish.peerToPeer() && offered.isEmpty()) {
            throw new IllegalArgumentException("The peer-to-peer model needs an RTR form that this end can send.");
        }
        ReadDepths own = policy.limit(wish.depths());
        int ord = offered.read() ? Math.max(own.ord(), 1) : own.ord();
        return new Enhanced(
                wish.peerToPeer(),
                offered,
                wish.irdOpen() ? ReadDepths.NOT_NEGOTIATED : own.ird(),
                wish.ordOpen() ? ReadDepths.NOT_NEGOTIATED : ord);
    }

    /** Every form we can generate (RFC 6581 §9.2); none without the peer-to-peer model. */
    private static RtrSet offered(Wish wish, MpaPolicy policy) {
        return wish.enhanced() && wish.peerToPeer() ? policy.generates() : RtrSet.NONE;
    }

    /**
     * Judges the reply.
     *
     * @param wish as given to {@link #request}
     * @param reply a frame of kind REPLY
     */
    public static Verdict judge(Wish wish, MpaPolicy policy, MpaFrame reply) {
        if (reply.flags().rejected()) {
            // A reject ends it in any form; what the peer has to say is more use to the application than a fault.
            return new Verdict.Rejected(PeerDepths.in(reply), reply.privateData());
        }
        if (reply.revision() == 0) {
            return new Verdict.Refused("reply of revision 0");
        }
        boolean sameForm =
                reply.revision() == wish.revision() && reply.enhanced().isPresent() == wish.enhanced();
        if (!sameForm && policy.strictReply()) {
            return new Verdict.Refused("request of revision " + wish.revision() + ", reply of revision "
                    + reply.revision() + (reply.enhanced().isPresent() ? " with S" : " without S"));
        }
        ReadDepths own = policy.limit(wish.depths());
        if (policy.refusesCrcOf(reply.flags())) {
            return terminate(TermCode.MPA_LOCAL_ERROR, own, policy, reply);
        }
        return sameForm && reply.enhanced().isPresent()
                ? negotiate(wish, policy, reply, reply.enhanced().get())
                : accepted(own, own, Optional.empty(), policy, reply);
    }

    private static Verdict negotiate(Wish wish, MpaPolicy policy, MpaFrame reply, Enhanced answer) {
        if (answer.peerToPeer() && !wish.peerToPeer() && policy.strictReply()) {
            return new Verdict.Refused("peer-to-peer model in the reply, not in the request");
        }
        ReadDepths own = policy.limit(wish.depths());
        int ird = answer.ord() == ReadDepths.NOT_NEGOTIATED ? own.ird() : Math.max(own.ird(), answer.ord());
        if (ird > policy.depthsMax().ird()) {
            return terminate(TermCode.MPA_INSUFFICIENT_IRD, own, policy, reply);
        }
        // As a number, "do not negotiate" is above all that we could issue.
        ReadDepths told = new ReadDepths(ird, Math.min(own.ord(), answer.ird()));
        if (!wish.peerToPeer()) {
            return accepted(told, told, Optional.empty(), policy, reply);
        }
        Optional<Rtr> rtr = rtr(wish, policy, answer);
        if (rtr.isEmpty()) {
            return terminate(TermCode.MPA_NO_MATCHING_RTR, told, policy, reply);
        }
        int ord = rtr.get() == Rtr.READ ? Math.max(told.ord(), 1) : told.ord();
        return accepted(new ReadDepths(ird, ord), told, rtr, policy, reply);
    }

    /** Out of the reply, never out of our own request alone (RFC 6581 §9.2). */
    private static Optional<Rtr> rtr(Wish wish, MpaPolicy policy, Enhanced answer) {
        RtrSet named = answer.peerToPeer() ? answer.rtr().and(offered(wish, policy)) : RtrSet.NONE;
        // A responder without room for one read cannot mean it.
        return (answer.ird() == 0 ? named.without(Rtr.READ) : named).preferred();
    }

    private static Verdict accepted(
            ReadDepths depths, ReadDepths told, Optional<Rtr> rtr, MpaPolicy policy, MpaFrame reply) {
        return new Verdict.Accepted(negotiated(depths, told, rtr, policy, reply), reply.privateData());
    }

    private static Verdict terminate(TermCode code, ReadDepths depths, MpaPolicy policy, MpaFrame reply) {
        return new Verdict.MustTerminate(code, negotiated(depths, depths, Optional.empty(), policy, reply));
    }

    private static Negotiated negotiated(
            ReadDepths depths, ReadDepths told, Optional<Rtr> rtr, MpaPolicy policy, MpaFrame reply) {
        RdmaParams rdma = new RdmaParams(
                true,
                depths,
                policy.crcWith(reply.flags()),
                reply.flags().markers(),
                policy.receiveMarkers(),
                rtr.isPresent(),
                rtr);
        return new Negotiated(reply.revision(), rdma, told, PeerDepths.in(reply));
    }
}
