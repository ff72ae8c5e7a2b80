package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Moment.Kind;
import io.iwcm.cm.mpa.Decoded.Fault;
import io.iwcm.cm.mpa.MpaFrame;
import java.util.Optional;

/** What can be wrong with the exchange of MPA frames (RFC 5044 §7.1, RFC 6581 §6, §10), up to the reply. */
final class StartUpRules {

    /** Linux siw, softiwarp and cxgb4 take no more. */
    private static final int PD_LENGTH_COMMON_MAX = 256;

    private static final int REJECT = 0x20;
    private static final long SLOW_NS = 5_000_000_000L;

    /** The shortest time that initiators in the field wait for a reply. */
    private static final long PATIENCE_NS = 10_000_000_000L;

    private final Conversation conversation;
    private final Findings findings;
    private final Side initiator;
    private final Side responder;
    private final boolean captureOver;
    private final Stamp now;

    /**
     * @param captureOver the conversation was open when the capture ended
     * @param now the capture's last frame so far
     */
    StartUpRules(Conversation conversation, Findings findings, boolean captureOver, Stamp now) {
        this.conversation = conversation;
        this.findings = findings;
        this.initiator = conversation.initiator();
        this.responder = conversation.responder();
        this.captureOver = captureOver;
        this.now = now;
    }

    void apply() {
        if (!conversation.mayBeMpa()) {
            withoutMpa();
            return;
        }
        if (twice(MpaFrame.Kind.REQUEST)) {
            findings.add(
                    Why.TWO_INITIATORS,
                    "Both ends sent an MPA request: two initiators. Each must close when it reads a request where it"
                            + " expects a reply"
                            + (conversation.simultaneous() ? "; TCP was opened from both sides." : "."));
            return;
        }
        if (twice(MpaFrame.Kind.REPLY)) {
            findings.add(Why.TWO_RESPONDERS, "Both ends sent an MPA reply: two responders, and nobody asked.");
            return;
        }
        if (conversation.isUnasked(initiator)) {
            findings.add(
                    Why.REPLY_UNASKED,
                    initiator.endpoint()
                            + " opened TCP and began with an MPA reply: it uses the wrong key, or both ends"
                            + " take themselves for responders.");
            return;
        }
        if (conversation.opener().filter(opener -> opener == responder).isPresent() && !conversation.simultaneous()) {
            findings.add(
                    Why.ROLES_REVERSED, "The MPA initiator is the end that accepted TCP, not the one that opened it.");
        }
        conversation.fallBackOf().ifPresent(earlier -> findings.add(fallBack(earlier)));
        fault(initiator, "initiator", "request");
        fault(responder, "responder", "reply");
        request();
        if (responder.startUp().began()) {
            reply();
        } else if (initiator.frame().isPresent() && responder.segments() > 0) {
            noReply();
        }
    }

    private boolean twice(MpaFrame.Kind kind) {
        return Conversation.sent(initiator, kind) && Conversation.sent(responder, kind);
    }

    private void withoutMpa() {
        if (conversation.handshakeDone().isEmpty() || responder.segments() == 0) {
            return;
        }
        boolean data = initiator.inflow().lengthOctets() + responder.inflow().lengthOctets() > 0;
        if (data) {
            Side speaker = initiator.startUp().searched() > 0 ? initiator : responder;
            findings.add(
                    Why.NOT_MPA,
                    "TCP was opened, but what " + speaker.endpoint() + " sent first is no MPA frame: it "
                            + Words.data(speaker.startUp().beginning()) + ".");
        } else {
            findings.add(Finding.of(
                            Why.NO_REQUEST,
                            "TCP was opened, but no MPA request came within " + Words.span(watched())
                                    + ". The opener may be no MPA initiator, or wait for"
                                    + " the other end to begin.")
                    .weighing(captureOver && !Endings.closes(conversation) ? Verdict.SUSPICIOUS : Verdict.FAILED));
        }
    }

    private long watched() {
        Stamp end = conversation.ended().orElse(now);
        return end.since(conversation.handshakeDone().orElse(conversation.began()));
    }

    private void fault(Side side, String who, String frame) {
        StartUp startUp = side.startUp();
        startUp.fault()
                .ifPresent(fault -> findings.add(
                        switch (fault) {
                            case UNKNOWN_REVISION -> Why.REVISION_UNKNOWN;
                            case PRIVATE_DATA_TOO_LONG -> Why.PRIVATE_DATA_TOO_LONG;
                            case MISSING_READ_DEPTHS -> Why.READ_DEPTHS_MISSING;
                            case BAD_KEY, WRONG_KIND -> Why.NOT_MPA;
                        },
                        "The " + who + "'s " + frame + " " + fault(fault, startUp) + "." + reject(startUp)));
        if (startUp.began() && !startUp.over() && startUp.notCaptured() == 0) {
            boolean ended = conversation.ended().isPresent() || Endings.closes(conversation);
            findings.add(Finding.of(
                            Why.FRAME_INCOMPLETE,
                            "The " + who + "'s " + frame + " is incomplete: "
                                    + Words.octets(startUp.head().length()) + " of it came, and at least "
                                    + startUp.wanted() + " more should have.")
                    .weighing(ended ? Verdict.FAILED : Verdict.SUSPICIOUS));
        }
    }

    private static String reject(StartUp startUp) {
        boolean rejects = startUp.head().length() > 16 && (startUp.head().at(16) & REJECT) != 0;
        return rejects ? " It has R set: the connection is rejected." : "";
    }

    private static String fault(Fault fault, StartUp startUp) {
        return switch (fault) {
            case UNKNOWN_REVISION ->
                "has revision " + startUp.head().at(17) + ", which no RFC defines (1 and 2 exist); a peer closes";
            case PRIVATE_DATA_TOO_LONG -> "announces more than 512 octets of private data, the most there may be";
            case MISSING_READ_DEPTHS ->
                "has S set but announces only " + Words.octets(startUp.head().shortAt(18))
                        + " of private data: IRD and ORD alone take 4";
            case BAD_KEY, WRONG_KIND -> "has a wrong key";
        };
    }

    private void request() {
        initiator.frame().ifPresent(frame -> {
            if (frame.flags().rejected()) {
                findings.add(
                        Why.REJECT_BIT_IN_REQUEST,
                        "The request has R set, which means nothing there and is not looked at.");
            }
        });
        if (initiator.earlyOctets() > 0 && !responder.startUp().over()) {
            bytesBeforeReply(initiator.earlyOctets());
        } else if (sentBeforeReply() > 0) {
            bytesBeforeReply(sentBeforeReply());
        }
    }

    private long sentBeforeReply() {
        return responder.frame().isPresent() ? initiator.earlyOctets() : 0;
    }

    private void bytesBeforeReply(long octets) {
        findings.add(
                Why.BYTES_BEFORE_REPLY,
                "The initiator sent " + Words.octets(octets) + " behind its request before a reply was there, which it"
                        + " must not: either the request announces a wrong"
                        + " length, or it does not wait. Responders close for"
                        + " that.");
    }

    private void reply() {
        Optional<MpaFrame> reply = responder.frame();
        if (reply.isEmpty()) {
            return;
        }
        MpaFrame frame = reply.get();
        if (frame.flags().rejected()) {
            rejected(frame);
        }
        Optional<Marks.Mark> asked = conversation.marks().of(Kind.REQUEST, initiator);
        Optional<Marks.Mark> answered = conversation.marks().of(Kind.REPLY, responder);
        if (asked.isPresent() && answered.isPresent()) {
            long took = answered.get().first().since(asked.get().first());
            if (took > SLOW_NS) {
                findings.add(
                        Why.SLOW_REPLY,
                        "The reply took " + Words.span(took)
                                + "; initiators give up after 10 s (Linux siw) or a few more.");
            }
        } else if (asked.isEmpty() && !initiator.startUp().began()) {
            findings.add(Why.BEGINS_LATE, "The capture has the reply but not the request.");
        }
    }

    private Finding fallBack(Conversation earlier) {
        return Finding.of(
                Why.FALL_BACK,
                "This is the second attempt, in revision 1: the one from port "
                        + earlier.initiator().endpoint().port() + " in revision 2 was closed without a reply.");
    }

    private void rejected(MpaFrame frame) {
        String data = frame.privateData().isEmpty()
                ? "without private data"
                : "with "
                        + Words.privateData(
                                frame.privateData(), responder.startUp().notCaptured());
        boolean markers = initiator.frame().map(f -> f.flags().markers()).orElse(false);
        boolean tooSmall = frame.enhanced()
                .flatMap(e -> initiator.frame().flatMap(MpaFrame::enhanced).map(asked -> e.ord() > asked.ird()))
                .orElse(false);
        findings.add(
                Why.REJECTED,
                "The responder rejected the connection (R set) " + data + ": its application, or its policy, said no."
                        + (markers ? " The request asks for markers, which Linux siw and others refuse." : "")
                        + (tooSmall
                                ? " Its ORD is above the initiator's IRD: it may need more reads than were offered"
                                        + " (RFC 6581 §9.1)."
                                : ""));
    }

    private void noReply() {
        MpaFrame frame = initiator.frame().orElseThrow();
        Stamp asked = initiator.startUp().first();
        long waited = conversation.ended().orElse(now).since(asked);
        String after = Words.span(waited);
        boolean otherData = responder.startUp().searched() > 0;
        if (otherData) {
            findings.add(
                    Why.NOT_MPA,
                    "The answer to the request is no MPA frame: it "
                            + Words.data(responder.startUp().beginning()) + ". Port "
                            + responder.endpoint().port() + " speaks something else.");
            return;
        }
        boolean byResponder =
                conversation.resetBy().filter(by -> by == responder).isPresent()
                        || (responder.fin().isPresent() && firstFin() == responder);
        if (byResponder) {
            closedAfterRequest(frame, after);
        } else if (conversation.resetBy().isPresent() || initiator.fin().isPresent()) {
            findings.add(
                    Why.INITIATOR_GAVE_UP,
                    "No reply came, and the initiator gave up " + gaveUpAfter(asked) + " after its request"
                            + "." + acknowledged()
                            + " Linux siw waits 10 s; the responder's application may not have answered.");
        } else {
            boolean tooEarly = captureOver && waited < PATIENCE_NS;
            findings.add(Finding.of(
                            tooEarly ? Why.ENDS_EARLY : Why.NO_REPLY,
                            tooEarly
                                    ? "The capture ends " + after + " after the request, before a reply."
                                            + acknowledged()
                                    : "No reply came within " + after + " after the request." + acknowledged()
                                            + " The responder's application does not answer, or nobody speaks MPA"
                                            + " there.")
                    .by(Why.NO_REPLY.reference()));
        }
    }

    private String gaveUpAfter(Stamp asked) {
        Stamp end = conversation
                .marks()
                .of(Kind.FIN, initiator)
                .or(() -> conversation.marks().of(Kind.RST, initiator))
                .map(Marks.Mark::first)
                .orElse(conversation.lastSeen());
        return Words.span(end.since(asked));
    }

    private Side firstFin() {
        for (Marks.Mark mark : conversation.marks().all()) {
            if (mark.kind() == Kind.FIN) {
                return mark.by();
            }
        }
        return initiator;
    }

    private String acknowledged() {
        int times = conversation
                .marks()
                .of(Kind.REQUEST, initiator)
                .map(Marks.Mark::times)
                .orElse(1);
        boolean known = responder.hasAcked(initiator.inflow().next());
        return times > 1
                ? " The request was sent " + Words.times(times)
                        + (known ? " until TCP acknowledged it." : " and TCP never acknowledged it.")
                : known ? " TCP acknowledged the request." : " TCP never acknowledged the request.";
    }

    private void closedAfterRequest(MpaFrame frame, String after) {
        boolean reset = conversation.resetBy().isPresent();
        StringBuilder text = new StringBuilder("The responder ")
                .append(reset ? "reset" : "closed")
                .append(" the connection ")
                .append(after)
                .append(" after the request, without a reply.");
        int pdLength = frame.privateData().length() + (frame.enhanced().isPresent() ? 4 : 0);
        String section = Why.CLOSED_AFTER_REQUEST.reference();
        if (initiator.earlyOctets() > 0) {
            section = "RFC 5044 §7.1.2";
            text.append(" It got more octets than the request announces, which is reason enough.");
        } else if (frame.revision() == 2 && conversation.fallBack().isEmpty()) {
            text.append(" It may speak only revision 1: try that.");
        } else if (frame.revision() < 2) {
            section = "RFC 5044 §7.1.2";
            text.append(" Revision 1 is not what it minds; it may want no MPA on this port, or dislike the frame.");
        }
        if (pdLength > PD_LENGTH_COMMON_MAX) {
            text.append(" The request carries ")
                    .append(pdLength)
                    .append(" octets of private data, and Linux siw and others take at most 256.");
        }
        if (frame.flags().markers()) {
            text.append(" The request asks for markers, which some refuse.");
        }
        Finding finding = Finding.of(Why.CLOSED_AFTER_REQUEST, text.toString()).by(section);
        Optional<Conversation> later = conversation.fallBack();
        findings.add(later.isPresent() ? finding.weighing(Verdict.SUSPICIOUS) : finding);
        later.ifPresent(next -> findings.add(
                Why.FALL_BACK,
                "The initiator fell back to revision 1 on port "
                        + next.initiator().endpoint().port() + ", "
                        + Words.span(next.began().since(conversation.began()))
                        + " later."));
    }
}
