package io.iwcm.cm.analyze;

import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.spi.ReadDepths;
import java.util.Optional;

/** What can be wrong between a request and its accepting reply (RFC 6581 §9, RFC 5044 §7.1.1). */
final class NegotiationRules {

    private final MpaFrame request;
    private final MpaFrame reply;
    private final Findings findings;

    private NegotiationRules(MpaFrame request, MpaFrame reply, Findings findings) {
        this.request = request;
        this.reply = reply;
        this.findings = findings;
    }

    static void apply(Conversation conversation, Findings findings) {
        Optional<MpaFrame> request = conversation.initiator().frame();
        Optional<MpaFrame> reply = conversation.responder().frame();
        boolean both = request.filter(f -> f.kind() == MpaFrame.Kind.REQUEST).isPresent()
                && reply.filter(f -> f.kind() == MpaFrame.Kind.REPLY).isPresent();
        if (both) {
            new NegotiationRules(request.get(), reply.get(), findings).apply();
        }
    }

    private void apply() {
        revision();
        if (reply.flags().rejected()) {
            return;
        }
        checks();
        if (request.enhanced().isPresent() && reply.enhanced().isPresent()) {
            model(request.enhanced().get(), reply.enhanced().get());
            depths(request.enhanced().get(), reply.enhanced().get());
        }
    }

    private void revision() {
        if (request.revision() != reply.revision()) {
            findings.add(
                    Why.REVISION_DIFFERS,
                    "The request has revision " + request.revision() + " and the reply revision " + reply.revision()
                            + ": a responder answers in the request's. Linux siw and strict initiators close for it.");
        }
        if (request.enhanced().isPresent() && reply.enhanced().isEmpty()) {
            findings.add(
                    Why.NOT_ENHANCED,
                    "The request is enhanced (S set) and the reply is not: IRD, ORD and RTR were not negotiated. Linux"
                            + " siw and strict initiators close for it.");
        } else if (request.enhanced().isEmpty() && reply.enhanced().isPresent()) {
            findings.add(
                    Why.ENHANCED_UNASKED,
                    "The reply is enhanced (S set) and the request was not: its first four octets may reach the"
                            + " application as private data.");
        }
    }

    private void checks() {
        if (request.flags().crc() != reply.flags().crc()) {
            findings.add(
                    Why.CRC_ONE_SIDED,
                    "Only the " + (request.flags().crc() ? "initiator" : "responder")
                            + " asks for CRCs; one is enough, so both use them.");
        }
        if (request.flags().markers() || reply.flags().markers()) {
            String who = !reply.flags().markers()
                    ? "The initiator asks"
                    : !request.flags().markers() ? "The responder asks" : "Both ends ask";
            String whom = request.flags().markers() && reply.flags().markers() ? "themselves" : "itself";
            findings.add(
                    Why.MARKERS_ASKED, who + " for markers in the stream toward " + whom + "; not every peer can.");
        }
    }

    private void model(Enhanced asked, Enhanced answered) {
        if (asked.peerToPeer() && !answered.peerToPeer()) {
            findings.add(
                    Why.A_NOT_ECHOED,
                    "The request asks for the peer-to-peer model (A set) and the reply does not echo A: there is no RTR"
                            + " that both know, and an initiator sends Terminate (no matching RTR option) and closes.");
            return;
        }
        if (!asked.peerToPeer()) {
            if (answered.peerToPeer()) {
                findings.add(
                        Why.A_UNASKED,
                        "The reply sets A, for the peer-to-peer model, and the request did not ask for it; the"
                                + " responder may wait for an RTR that never comes.");
            }
            return;
        }
        if (asked.rtr().isEmpty()) {
            findings.add(
                    Why.NO_RTR_OFFERED,
                    "The request asks for the peer-to-peer model and names no form of RTR to send.");
        }
        RtrSet common = asked.rtr().and(answered.rtr());
        if (common.isEmpty()) {
            findings.add(
                    Why.NO_COMMON_RTR,
                    "The two ends have no form of RTR in common: the initiator can send " + Words.rtr(asked.rtr())
                            + ", the responder takes " + Words.rtr(answered.rtr())
                            + ". An initiator sends Terminate (no matching RTR option) and closes.");
        } else if (common.read() && !common.write() && !common.send() && answered.ird() == 0) {
            findings.add(
                    Why.READ_RTR_WITHOUT_IRD,
                    "The RTR is to be a Read, and the responder's IRD is 0: it takes no Read, not even an empty one.");
        }
    }

    private void depths(Enhanced asked, Enhanced answered) {
        boolean open = asked.ird() == ReadDepths.NOT_NEGOTIATED
                || asked.ord() == ReadDepths.NOT_NEGOTIATED
                || answered.ird() == ReadDepths.NOT_NEGOTIATED
                || answered.ord() == ReadDepths.NOT_NEGOTIATED;
        if (open) {
            findings.add(
                    Why.DEPTHS_NOT_NEGOTIATED,
                    "0x3FFF in a depth means that it is not negotiated here; the applications must agree on it"
                            + " otherwise.");
        }
        if (isNumber(answered.ord()) && isNumber(asked.ird()) && answered.ord() > asked.ird()) {
            findings.add(
                    Why.IRD_TOO_SMALL,
                    "The responder wants to have " + Words.count(answered.ord(), "read")
                            + " outstanding (ORD), and the initiator offered " + asked.ird()
                            + " (IRD), more than it may ask for: an initiator that cannot raise its IRD sends Terminate"
                            + " (insufficient IRD) and closes.");
        }
        if (isNumber(asked.ord()) && isNumber(answered.ird()) && asked.ord() > answered.ird()) {
            findings.add(
                    Why.ORD_CUT,
                    "The initiator asked for " + Words.count(asked.ord(), "outstanding read")
                            + " and the responder takes " + answered.ird() + ": the initiator must keep to that.");
        }
    }

    private static boolean isNumber(int depth) {
        return depth != ReadDepths.NOT_NEGOTIATED;
    }
}
