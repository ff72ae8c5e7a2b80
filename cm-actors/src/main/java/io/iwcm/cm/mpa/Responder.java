package io.iwcm.cm.mpa;

import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/** The responder's side: judges the request and builds the reply (RFC 5044 §7.1.2, RFC 6581 §9). */
public final class Responder {

    private Responder() {}

    /** What the request means. */
    public sealed interface Verdict {
        /**
         * Ask the application.
         *
         * @param suggested our depths as they would be accepted without a wish of the application's
         */
        record Offer(PeerDepths peer, ReadDepths suggested, Octets privateData) implements Verdict {}

        /** Policy refuses it: this reply goes out with a FIN, the application is not asked. */
        record Refused(MpaFrame reply, String why) implements Verdict {}
    }

    /**
     * An accepting reply.
     *
     * @param reply goes out through the queue pair as last streaming-mode message
     */
    public record Accepted(MpaFrame reply, Negotiated negotiated) {}

    /** Judges the request; its R flag means nothing (RFC 5044 §7.1.1). */
    public static Verdict judge(MpaFrame request, MpaPolicy policy) {
        if (request.revision() == 0 && !policy.acceptRevision0()) {
            return refused(request, policy, "request of revision 0");
        }
        if (policy.refusesCrcOf(request.flags())) {
            return refused(request, policy, "the peer wants CRCs, which the settings refuse");
        }
        boolean peerToPeer = request.enhanced().map(Enhanced::peerToPeer).orElse(false);
        if (peerToPeer && policy.accepts().isEmpty()) {
            return refused(
                    request, policy, "the peer wants the peer-to-peer model, for which the settings allow no RTR");
        }
        Terms terms = Terms.of(request, policy, policy.depthsMax());
        return new Verdict.Offer(PeerDepths.in(request), terms.told(), request.privateData());
    }

    private static Verdict refused(MpaFrame request, MpaPolicy policy, String why) {
        return new Verdict.Refused(reject(request, policy, Octets.EMPTY), why);
    }

    /**
     * Accepts with the application's depths, corrected to what RFC 6581 allows.
     *
     * @param request one that {@link #judge} offers
     * @param depths the application's wish; empty takes the policy's limits
     * @param privateData at most {@link MpaCodec#privateDataMax} for the request's form
     * @throws IllegalArgumentException when the private data does not fit
     */
    public static Accepted accept(MpaFrame request, MpaPolicy policy, Optional<ReadDepths> depths, Octets privateData) {
        Terms terms = Terms.of(request, policy, depths.orElse(policy.depthsMax()));
        MpaFrame reply = new MpaFrame(Kind.REPLY, policy.flags(false), request.revision(), terms.answer(), privateData);
        RdmaParams rdma = new RdmaParams(
                false,
                terms.depths(),
                policy.crcWith(request.flags()),
                request.flags().markers(),
                policy.receiveMarkers(),
                terms.answer().map(Enhanced::peerToPeer).orElse(false),
                terms.answer().flatMap(answer -> answer.rtr().preferred()));
        return new Accepted(reply, new Negotiated(request.revision(), rdma, terms.told(), PeerDepths.in(request)));
    }

    /**
     * Refuses for the application: same revision and form as the request, R set. The control words say what an accept
     * without a wish of the application's would have said.
     *
     * @param privateData at most {@link MpaCodec#privateDataMax} for the request's form
     * @throws IllegalArgumentException when the private data does not fit
     */
    public static MpaFrame reject(MpaFrame request, MpaPolicy policy, Octets privateData) {
        Terms terms = Terms.of(request, policy, policy.depthsMax());
        return new MpaFrame(Kind.REPLY, policy.flags(true), request.revision(), terms.answer(), privateData);
    }

    /**
     * What we answer and what we hold ourselves to.
     *
     * @param answer the reply's control words, in the form of the request
     * @param depths for the queue pair
     * @param told for the application: without the one read that only a Read RTR needs
     */
    private record Terms(Optional<Enhanced> answer, ReadDepths depths, ReadDepths told) {

        static Terms of(MpaFrame request, MpaPolicy policy, ReadDepths wish) {
            ReadDepths own = policy.limit(wish);
            return request.enhanced()
                    .map(asked -> negotiate(asked, policy, own))
                    .orElseGet(() -> new Terms(Optional.empty(), own, own));
        }

        /** RFC 6581 §9.1; 0x3FFF is answered in the crossed field and leaves our value there alone. */
        private static Terms negotiate(Enhanced asked, MpaPolicy policy, ReadDepths own) {
            boolean irdOpen = asked.ord() == ReadDepths.NOT_NEGOTIATED;
            boolean ordOpen = asked.ird() == ReadDepths.NOT_NEGOTIATED;
            int ird = irdOpen
                    ? own.ird()
                    : Math.max(
                            own.ird(), Math.min(asked.ord(), policy.depthsMax().ird()));
            ReadDepths told = new ReadDepths(ird, ordOpen ? own.ord() : Math.min(own.ord(), asked.ird()));
            RtrSet rtr = asked.peerToPeer() ? rtr(asked.rtr(), policy) : RtrSet.NONE;
            ReadDepths depths = new ReadDepths(rtr.read() ? Math.max(ird, 1) : ird, told.ord());
            Enhanced answer = new Enhanced(
                    asked.peerToPeer(),
                    rtr,
                    irdOpen ? ReadDepths.NOT_NEGOTIATED : depths.ird(),
                    ordOpen ? ReadDepths.NOT_NEGOTIATED : depths.ord());
            return new Terms(Optional.of(answer), depths, told);
        }

        /** Something we support even when the peer offers nothing of it (RFC 6581 §9.2): it then says so and ends. */
        private static RtrSet rtr(RtrSet offered, MpaPolicy policy) {
            RtrSet both = offered.and(policy.accepts());
            if (both.isEmpty()) {
                return one(policy.accepts());
            }
            return policy.answerAllRtr() ? both : one(both);
        }

        private static RtrSet one(RtrSet of) {
            return of.preferred().map(RtrSet::of).orElse(RtrSet.NONE);
        }
    }
}
