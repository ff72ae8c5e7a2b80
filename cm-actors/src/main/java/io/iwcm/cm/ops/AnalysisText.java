package io.iwcm.cm.ops;

import io.iwcm.cm.analyze.CaptureSummary;
import io.iwcm.cm.analyze.ConnectionReport;
import io.iwcm.cm.analyze.ConnectionReport.Agreed;
import io.iwcm.cm.analyze.ConnectionReport.Fpdus;
import io.iwcm.cm.analyze.ConnectionReport.Party;
import io.iwcm.cm.analyze.Finding;
import io.iwcm.cm.analyze.Moment;
import io.iwcm.cm.analyze.Stamp;
import io.iwcm.cm.analyze.Verdict;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** What an analysis found, for people: a block per connection, {@link #WIDTH} columns wide. */
final class AnalysisText {

    private static final int WIDTH = 100;
    private static final int WORDS_AT = 46;
    private static final int LABEL = 12;
    private static final double NS_PER_MS = 1e6;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final PrintWriter out;
    private final Paint paint;
    private int count;

    AnalysisText(PrintWriter out, Paint paint) {
        this.out = out;
        this.paint = paint;
    }

    void connection(ConnectionReport report) {
        headline(report);
        timeLine(report);
        facts(report);
        report.findings().forEach(this::finding);
        if (report.findings().isEmpty()) {
            fact("found", "nothing wrong");
        }
        out.println();
        out.flush();
    }

    private void headline(ConnectionReport report) {
        String ends = "#" + ++count + "  " + report.initiator().endpoint() + " -> "
                + report.responder().endpoint();
        String verdict = report.verdict().label().toUpperCase(Locale.ROOT);
        int gap = Math.max(2, WIDTH - ends.length() - verdict.length());
        out.println(paint.strong(ends) + " ".repeat(gap) + paint.verdict(report.verdict(), verdict));
        Stamp first = report.span().first();
        Stamp last = report.span().last();
        String vlan =
                report.span().vlan().isEmpty() ? "" : "VLAN " + report.span().vlan() + ", ";
        String when =
                first.epochNs() == 0 ? "" : ", " + TIME.format(Instant.ofEpochSecond(0, first.epochNs())) + " UTC";
        out.println(paint.faint("    " + vlan + "frames " + first.frame() + " to " + last.frame() + when));
        out.println(paint.strong("-".repeat(WIDTH)));
    }

    /** Time, frame, direction and kind in columns; what there is to say is wrapped beside them. */
    private void timeLine(ConnectionReport report) {
        Stamp start = report.span().first();
        for (Moment moment : report.moments()) {
            String left = String.format(
                    Locale.ROOT,
                    "%12.3f ms %7s  %s %-12s",
                    moment.first().since(start) / NS_PER_MS,
                    "#" + moment.first().frame(),
                    moment.byInitiator() ? "-->" : "<--",
                    moment.kind().title());
            String times = moment.times() < 2
                    ? ""
                    : "(" + moment.times() + " times, last at "
                            + String.format(
                                    Locale.ROOT, "%.3f ms", moment.last().since(start) / NS_PER_MS) + ")";
            String words = moment.words() + (moment.words().isEmpty() || times.isEmpty() ? "" : " ") + times;
            List<String> lines = wrapped(words, WIDTH - WORDS_AT);
            out.println((left + " ".repeat(Math.max(1, WORDS_AT - left.length())) + lines.getFirst()).stripTrailing());
            lines.stream().skip(1).forEach(line -> out.println(" ".repeat(WORDS_AT) + line));
        }
    }

    private void facts(ConnectionReport report) {
        report.agreed().ifPresent(agreed -> fact("agreed", words(agreed)));
        boolean carried =
                report.initiator().fpdus().count() + report.responder().fpdus().count() > 0;
        if (carried) {
            fact("initiator", words(report.initiator()));
            fact("responder", words(report.responder()));
        }
        fact("ended", report.ending().words());
    }

    private static String words(Agreed agreed) {
        StringJoiner words = new StringJoiner(", ");
        words.add("rev " + agreed.revision());
        words.add(agreed.peerToPeer() ? "peer-to-peer" : "client-server");
        agreed.rtr().ifPresent(rtr -> words.add("RTR " + rtr.name().toLowerCase(Locale.ROOT)));
        words.add(agreed.crc() ? "CRC" : "no CRC");
        if (agreed.markersToInitiator() || agreed.markersToResponder()) {
            words.add("markers "
                    + (!agreed.markersToInitiator() ? "-->" : agreed.markersToResponder() ? "both ways" : "<--"));
        }
        if (agreed.initiatorReads() >= 0) {
            words.add("reads --> up to " + agreed.initiatorReads());
        }
        if (agreed.responderReads() >= 0) {
            words.add("reads <-- up to " + agreed.responderReads());
        }
        return words.toString();
    }

    private static String words(Party party) {
        Fpdus fpdus = party.fpdus();
        StringJoiner words = new StringJoiner(", ");
        words.add(fpdus.count() + (fpdus.count() == 1 ? " FPDU" : " FPDUs"));
        fpdus.byOpcode().forEach(kind -> words.add(kind.count() + " " + kind.name()));
        if (fpdus.crcRight() > 0) {
            words.add("CRC right in " + (fpdus.crcRight() == fpdus.count() ? "all" : "" + fpdus.crcRight()));
        }
        if (fpdus.crcWrong() > 0) {
            words.add("WRONG in " + fpdus.crcWrong());
        }
        if (fpdus.markersWrong() > 0) {
            words.add("markers WRONG in " + fpdus.markersWrong());
        }
        return words.toString();
    }

    private void fact(String label, String words) {
        block(label, label, words);
    }

    private void finding(Finding finding) {
        String label = finding.weight().weight();
        String shown = finding.weight() == Verdict.HEALTHY ? label : paint.verdict(finding.weight(), label);
        String reference = finding.reference().isEmpty() ? "" : " [" + finding.reference() + "]";
        block(label, shown, finding.sentence() + reference);
    }

    private void block(String label, String shown, String words) {
        String indent = " ".repeat(4 + LABEL);
        List<String> lines = wrapped(words, WIDTH - indent.length());
        out.println("    " + shown + " ".repeat(LABEL - label.length()) + lines.getFirst());
        lines.stream().skip(1).forEach(line -> out.println(indent + line));
    }

    void summary(String source, CaptureSummary summary) {
        StringJoiner verdicts = new StringJoiner(", ");
        verdicts.setEmptyValue("none");
        for (Verdict verdict : Verdict.values()) {
            long times = summary.verdicts().getOrDefault(verdict, 0L);
            if (times > 0) {
                verdicts.add(paint.verdict(verdict, times + " " + verdict.label()));
            }
        }
        out.println(paint.strong(source));
        out.println("    " + plural(summary.frames(), "frame") + ", " + plural(summary.segments(), "TCP segment")
                + "; iWARP connections: " + verdicts);
        if (summary.otherConnections() > 0) {
            wrapped(
                            plural(summary.otherConnections(), "other TCP connection")
                                    + " without an MPA frame, not shown" + " (--port N shows those of a port)",
                            WIDTH - 4)
                    .forEach(line -> out.println("    " + line));
        }
        summary.skipped()
                .forEach((why, times) -> out.println("    skipped: " + plural(times, "frame") + ", " + why.sentence()
                        + (why == io.iwcm.cm.analyze.Skip.LINK_TYPE
                                ? " " + summary.linkTypes().keySet()
                                : "")));
        if (summary.cutFrames() > 0) {
            out.println("    " + plural(summary.cutFrames(), "frame") + " cut short by the capture");
        }
        out.flush();
    }

    private static String plural(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** Lines of at most {@code width} columns, broken at blanks; a longer word is cut. At least one. */
    static List<String> wrapped(String words, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words.split(" ")) {
            String rest = word;
            if (!line.isEmpty() && line.length() + 1 + rest.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            while (rest.length() > width) {
                lines.add(rest.substring(0, width));
                rest = rest.substring(width);
            }
            line.append(line.isEmpty() ? "" : " ").append(rest);
        }
        lines.add(line.toString());
        return lines;
    }
}
