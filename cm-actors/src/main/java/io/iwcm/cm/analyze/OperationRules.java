package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Moment.Kind;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.RtrSet;
import java.util.List;
import java.util.Optional;

/** What can be wrong with full operation: FPDUs, the RTR, Terminate, the end (RFC 5044, RFC 5041, RFC 5040, RFC 6581). */
final class OperationRules {

    /** An initiator that closes so soon after the reply minds the reply; an application is slower. */
    private static final long AT_ONCE_NS = 100_000_000L;

    /** What initiators mind in an accepting reply. */
    private static final List<Why> OBJECTIONS = List.of(
            Why.REVISION_DIFFERS,
            Why.NOT_ENHANCED,
            Why.ENHANCED_UNASKED,
            Why.A_NOT_ECHOED,
            Why.A_UNASKED,
            Why.NO_COMMON_RTR,
            Why.IRD_TOO_SMALL,
            Why.MARKERS_ASKED,
            Why.CRC_ONE_SIDED);

    private final Conversation conversation;
    private final Findings findings;
    private final Side initiator;
    private final Side responder;

    OperationRules(Conversation conversation, Findings findings) {
        this.conversation = conversation;
        this.findings = findings;
        this.initiator = conversation.initiator();
        this.responder = conversation.responder();
    }

    void apply() {
        checks(initiator, "initiator");
        checks(responder, "responder");
        terminate(initiator, "initiator", true);
        terminate(responder, "responder", false);
        if (accepted()) {
            readyToReceive();
            if (conversation.responderFirst()) {
                findings.add(
                        Why.RESPONDER_FIRST,
                        "The responder sent an FPDU before it had one of the initiator, which it must not; an initiator"
                                + " that is not ready yet may lose it or close.");
            }
        }
        if (!notTaken()) {
            conversation.resetBy().ifPresent(this::reset);
        }
    }

    private boolean accepted() {
        return responder.readsFpdus() && responder.frame().isPresent();
    }

    /** Whether the initiator closed at once because of something in the reply. */
    private boolean notTaken() {
        boolean unused = initiator.fpdus().count() + responder.fpdus().count() == 0;
        Optional<Marks.Mark> answered = conversation.marks().of(Kind.REPLY, responder);
        Optional<Marks.Mark> end = conversation.marks().firstEnd().filter(mark -> mark.by() == initiator);
        if (!accepted()
                || !unused
                || answered.isEmpty()
                || end.isEmpty()
                || OBJECTIONS.stream().noneMatch(findings::has)) {
            return false;
        }
        long after = end.get().first().since(answered.get().first());
        if (after > AT_ONCE_NS) {
            return false;
        }
        findings.add(
                Why.REPLY_NOT_TAKEN,
                "The initiator closed the connection " + Words.span(after) + " after an accepting reply and without an"
                        + " FPDU: it does not take this reply. What may be wrong with it is said below.");
        return true;
    }

    private void checks(Side side, String who) {
        FpduCounts fpdus = side.fpdus();
        String where = fpdus.firstWrong()
                .map(f -> " (the first begins in frame " + f.stamp().frame() + ")")
                .orElse("");
        if (fpdus.wrong() > 0) {
            findings.add(
                    Why.CRC_WRONG,
                    Words.count(fpdus.wrong(), "FPDU") + " of the " + who + " had a wrong CRC" + where
                            + ": the receiver must report it and end the connection. If all are wrong, one end does not"
                            + " compute CRCs although they are in use.");
        }
        if (fpdus.badMarkers() > 0) {
            findings.add(
                    Why.MARKER_WRONG,
                    "In " + Words.count(fpdus.badMarkers(), "FPDU") + " of the " + who
                            + " a marker does not point to the length field" + where
                            + ": it does not insert markers though it was asked to, or counts from another origin.");
        }
        if (fpdus.implausible() > 0) {
            findings.add(
                    Why.DDP_WRONG,
                    Words.count(fpdus.implausible(), "FPDU") + " of the " + who
                            + " had no DDP and RDMAP header of version 1" + where
                            + ": it sends something else, or the FPDUs cannot be followed."
                            + (side.crcsInUse()
                                    ? ""
                                    : " CRCs are off here: a sender that leaves out the CRC field, which must be there"
                                            + " all the same, looks like this."));
        }
        boolean over = conversation.ended().isPresent() || side.fin().isPresent();
        if (side.insideFpdu() && over) {
            findings.add(Why.FPDU_CUT, "The " + who + "'s stream ends in the middle of an FPDU.");
        }
    }

    private void terminate(Side side, String who, boolean byInitiator) {
        Optional<Fpdu> fpdu = side.fpdus().terminate();
        if (fpdu.isEmpty()) {
            return;
        }
        boolean instead = byInitiator && side.fpdus().first().getFirst() == fpdu.get();
        TerminateText text = TerminateText.of(fpdu.get(), instead);
        findings.add(Finding.of(
                        Why.TERMINATE,
                        "The " + who + " ended the connection with a Terminate: " + text.meaning() + " (layer "
                                + text.code().layer() + ", type " + text.code().type() + ", code "
                                + text.code().code() + ").")
                .by(text.reference()));
        if (text.swapped()) {
            findings.add(
                    Why.NIBBLES_SWAPPED,
                    "Its Terminate has layer and type in each other's nibble, as Linux siw writes them; tools that read"
                            + " it literally show another error.");
        }
    }

    private void readyToReceive() {
        boolean peerToPeer = conversation.peerToPeer()
                && responder.frame().flatMap(MpaFrame::enhanced).isPresent();
        Optional<Fpdu> first = initiator.fpdus().first().stream().findFirst();
        if (!peerToPeer) {
            boolean over = conversation.ended().isPresent() || Endings.closes(conversation);
            if (over && first.isEmpty() && responder.fpdus().count() == 0) {
                findings.add(Finding.of(Why.NO_FPDU, "The connection was accepted and closed without a single FPDU.")
                        .weighing(Verdict.HEALTHY));
            }
            return;
        }
        if (first.isEmpty()) {
            boolean over = conversation.ended().isPresent() || Endings.closes(conversation);
            findings.add(Finding.of(
                            Why.RTR_MISSING,
                            "The connection is peer-to-peer and the initiator's RTR never came"
                                    + (over ? "; " + Endings.of(conversation).words() : "")
                                    + ". Until it does, the responder may not send and its application is not told that"
                                    + " the connection stands.")
                    .weighing(over ? Verdict.FAILED : Verdict.SUSPICIOUS));
            return;
        }
        if (first.get().opcode() == Fpdu.TERMINATE
                || !first.get().plausible()
                || first.get().crc() == Fpdu.Crc.WRONG) {
            return;
        }
        if (!first.get().zeroLength()) {
            findings.add(
                    Why.RTR_NOT_FIRST,
                    "The connection is peer-to-peer, and the initiator's first FPDU is no RTR (a zero-length Send,"
                            + " Write or Read) but " + first.get().words() + ".");
            return;
        }
        agreedForm(first.get());
        unanswered(first.get());
    }

    private void agreedForm(Fpdu rtr) {
        RtrSet takes = Conversation.rtr(responder);
        boolean agreed = switch (rtr.opcode()) {
            case 0 -> takes.write();
            case Fpdu.READ_REQUEST -> takes.read();
            default -> takes.send();
        };
        if (!agreed) {
            findings.add(
                    Why.RTR_NOT_AGREED,
                    "The initiator's RTR is of the form " + rtr.words() + ", and the reply names " + Words.rtr(takes)
                            + ": the form must come from the reply.");
        }
    }

    private void unanswered(Fpdu rtr) {
        boolean answered = responder.fpdus().of(Fpdu.READ_RESPONSE) > 0;
        boolean over = conversation.ended().isPresent();
        if (rtr.opcode() == Fpdu.READ_REQUEST
                && !answered
                && over
                && responder.inflow().missingOctets() == 0) {
            findings.add(
                    Why.RTR_UNANSWERED,
                    "The RTR is an empty Read and was never answered with a Read Response, though it must be; the"
                            + " initiator has one read less to use.");
        }
    }

    private void reset(Side by) {
        boolean said = findings.verdict() == Verdict.FAILED || findings.has(Why.CLOSED_AFTER_REQUEST);
        if (said || !accepted()) {
            return;
        }
        String who = by == initiator ? "initiator" : "responder";
        boolean closing = initiator.fin().isPresent() || responder.fin().isPresent();
        boolean used = initiator.fpdus().count() + responder.fpdus().count() > 0;
        findings.add(Finding.of(
                        Why.RESET,
                        closing
                                ? "The " + who
                                        + " answered the other end's close with RST; what was still on its way is"
                                        + " lost."
                                : used
                                        ? "The " + who
                                                + " ended the connection with RST in full operation: its peer sees"
                                                + " a connection reset, not a close."
                                        : "The " + who + " reset the connection right after it was accepted, before any"
                                                + " FPDU.")
                .weighing(used || closing ? Verdict.SUSPICIOUS : Verdict.FAILED));
    }
}
