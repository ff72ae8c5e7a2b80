package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.ConnectionReport.Agreed;
import io.iwcm.cm.analyze.ConnectionReport.Fpdus;
import io.iwcm.cm.analyze.ConnectionReport.Frame;
import io.iwcm.cm.analyze.ConnectionReport.Party;
import io.iwcm.cm.analyze.ConnectionReport.Span;
import io.iwcm.cm.analyze.ConnectionReport.Tcp;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.Rtr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Turns a conversation that is over into its report. */
final class Reports {

    /** Why a conversation is reported now. */
    enum Occasion {
        ENDED,
        CAPTURE_OVER,
        FORGOTTEN
    }

    private Reports() {}

    static ConnectionReport of(Conversation conversation, Occasion occasion, Stamp now) {
        conversation.finish();
        Findings findings = new Findings();
        new HandshakeRules(conversation, findings).apply();
        new StartUpRules(conversation, findings, occasion != Occasion.ENDED, now).apply();
        NegotiationRules.apply(conversation, findings);
        new OperationRules(conversation, findings).apply();
        capture(conversation, findings, occasion);
        Side initiator = conversation.initiator();
        Side responder = conversation.responder();
        return new ConnectionReport(
                new Span(
                        conversation.began(),
                        conversation.lastSeen(),
                        conversation.path().vlan()),
                findings.verdict(),
                party(initiator, true),
                party(responder, false),
                agreed(conversation),
                moments(conversation, initiator),
                findings.worstFirst(),
                Endings.of(conversation));
    }

    private static void capture(Conversation conversation, Findings findings, Occasion occasion) {
        int missing = conversation.first().inflow().missingOctets()
                + conversation.second().inflow().missingOctets();
        int cut = conversation.first().cutSegments() + conversation.second().cutSegments();
        int losses = conversation.first().losses() + conversation.second().losses();
        if (cut > 0) {
            findings.add(
                    Why.CUT_FRAMES,
                    Words.count(cut, "frame") + " of it " + (cut == 1 ? "was" : "were")
                            + " cut by the capture (snapshot length): what lay behind was not checked.");
        }
        int edited = conversation.first().takenAnyway() + conversation.second().takenAnyway();
        if (edited > 0) {
            findings.add(
                    Why.EDITED,
                    Words.count(edited, "segment") + " with a wrong TCP checksum "
                            + (edited == 1 ? "was" : "were")
                            + " acknowledged all the same: the capture was changed after it was taken.");
        }
        if (missing > 0 && cut == 0) {
            findings.add(
                    Why.INCOMPLETE,
                    "The capture lacks " + Words.octets(missing)
                            + " of it; what they were was not checked."
                            + (losses > 0 ? " FPDUs behind a gap may be missing in the counts." : ""));
        }
        if (occasion == Occasion.FORGOTTEN) {
            findings.add(
                    Why.FORGOTTEN,
                    "It was reported before its end: it was silent for long, or there are more connections than are"
                            + " watched at once.");
        }
    }

    private static Party party(Side side, boolean initiator) {
        Sighting.SynOptions options = side.synOptions();
        Inflow inflow = side.inflow();
        Tcp tcp = new Tcp(
                side.segments(),
                inflow.repeats(),
                options.mss(),
                options.windowScale(),
                inflow.lengthOctets(),
                inflow.missingOctets());
        return new Party(side.endpoint(), tcp, frame(side.startUp()), fpdus(side.fpdus(), initiator));
    }

    private static Optional<Frame> frame(StartUp startUp) {
        if (startUp.kind().isEmpty()) {
            return Optional.empty();
        }
        Optional<String> fault = startUp.fault()
                .map(Labels::of)
                .or(() -> startUp.frame().isPresent() ? Optional.empty() : Optional.of("incomplete"));
        return Optional.of(
                new Frame(startUp.frame(), fault, startUp.head(), startUp.notCaptured(), startUp.segments()));
    }

    private static Fpdus fpdus(FpduCounts counts, boolean initiator) {
        List<ConnectionReport.Kind> kinds = new ArrayList<>();
        for (int opcode = 0; opcode < Fpdu.opcodes(); opcode++) {
            if (counts.of(opcode) > 0) {
                kinds.add(new ConnectionReport.Kind(Fpdu.name(opcode), counts.of(opcode)));
            }
        }
        Optional<String> terminate = counts.terminate()
                .map(fpdu -> TerminateText.of(fpdu, initiator && counts.first().getFirst() == fpdu)
                        .words());
        return new Fpdus(
                counts.count(),
                counts.right(),
                counts.wrong(),
                counts.badMarkers(),
                List.copyOf(kinds),
                counts.first().stream().map(Fpdu::words).toList(),
                terminate);
    }

    private static Optional<Agreed> agreed(Conversation conversation) {
        Optional<MpaFrame> asked = conversation.initiator().frame();
        Optional<MpaFrame> answered = conversation.responder().frame();
        boolean accepted = answered.filter(
                        f -> f.kind() == MpaFrame.Kind.REPLY && !f.flags().rejected())
                .isPresent();
        if (!accepted || asked.isEmpty()) {
            return Optional.empty();
        }
        MpaFrame request = asked.get();
        MpaFrame reply = answered.get();
        Optional<Enhanced> mine =
                request.enhanced().filter(e -> reply.enhanced().isPresent());
        Optional<Enhanced> theirs =
                reply.enhanced().filter(e -> request.enhanced().isPresent());
        return Optional.of(new Agreed(
                reply.revision(),
                mine.isPresent() && conversation.peerToPeer(),
                rtr(conversation),
                request.flags().crc() || reply.flags().crc(),
                request.flags().markers(),
                reply.flags().markers(),
                reads(mine.map(Enhanced::ord), theirs.map(Enhanced::ird)),
                reads(theirs.map(Enhanced::ord), mine.map(Enhanced::ird))));
    }

    private static int reads(Optional<Integer> ord, Optional<Integer> ird) {
        boolean numbers = ord.filter(n -> n != ReadDepths.NOT_NEGOTIATED).isPresent()
                && ird.filter(n -> n != ReadDepths.NOT_NEGOTIATED).isPresent();
        return numbers ? Math.min(ord.get(), ird.get()) : -1;
    }

    private static Optional<Rtr> rtr(Conversation conversation) {
        if (!conversation.peerToPeer()) {
            return Optional.empty();
        }
        Optional<Fpdu> first =
                conversation.initiator().fpdus().first().stream().findFirst().filter(Fpdu::zeroLength);
        if (first.isPresent()) {
            return Optional.of(
                    switch (first.get().opcode()) {
                        case 0 -> Rtr.WRITE;
                        case Fpdu.READ_REQUEST -> Rtr.READ;
                        default -> Rtr.SEND;
                    });
        }
        RtrSet common = Conversation.rtr(conversation.initiator()).and(Conversation.rtr(conversation.responder()));
        int forms = (common.send() ? 1 : 0) + (common.write() ? 1 : 0) + (common.read() ? 1 : 0);
        return forms == 1 ? common.preferred() : Optional.empty();
    }

    private static List<Moment> moments(Conversation conversation, Side initiator) {
        return conversation.marks().all().stream()
                .map(mark -> new Moment(
                        mark.kind(), mark.by() == initiator, mark.first(), mark.times(), mark.last(), mark.words()))
                .sorted(Comparator.comparingLong(moment -> moment.first().frame()))
                .toList();
    }
}
