package io.iwcm.cm.mpa;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
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

    public static Verdict judge(MpaFrame request, MpaPolicy policy) {
        throw new UnsupportedOperationException("judge " + request + policy);
    }

    /**
     * Accepts with the application's depths, corrected to what RFC 6581 allows.
     *
     * @param depths the application's wish; empty takes the policy's limits
     * @param privateData at most {@link MpaCodec#privateDataMax} for the request's form
     */
    public static Accepted accept(MpaFrame request, MpaPolicy policy, Optional<ReadDepths> depths, Octets privateData) {
        throw new UnsupportedOperationException("accept " + request + policy + depths + privateData);
    }

    /** Refuses for the application: same revision and form as the request, R set. */
    public static MpaFrame reject(MpaFrame request, MpaPolicy policy, Octets privateData) {
        throw new UnsupportedOperationException("reject " + request + policy + privateData);
    }
}
