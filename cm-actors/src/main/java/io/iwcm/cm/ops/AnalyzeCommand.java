package io.iwcm.cm.ops;

import io.iwcm.cm.analyze.AnalysisLimits;
import io.iwcm.cm.analyze.Analyzer;
import io.iwcm.cm.analyze.CaptureSummary;
import io.iwcm.cm.analyze.ConnectionReport;
import io.iwcm.cm.analyze.Skip;
import io.iwcm.nic.link.LinkException;
import io.iwcm.nic.link.PcapReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code iwcm analyze}: explains the iWARP connections of a capture. */
@Command(
        name = "analyze",
        description =
                "Read a capture (pcap or pcapng) and explain each iWARP connection in it: what each side asked and"
                        + " got, how it ended, and why.",
        footer =
                "Exits with 0 when all connections were healthy, with 1 when one was not or there was none, with 2 when"
                        + " the file is no capture or breaks off.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class AnalyzeCommand implements Callable<Integer> {

    /** So many connections are held back to be shown in the order they began. */
    private static final int SORTED_MAX = 1000;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "The capture.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "One JSON document for scripts; docs/analyze.md has its form.")
    private boolean json;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Show every connection with this TCP port, also those without an MPA frame.")
    private Optional<Integer> port = Optional.empty();

    @Override
    public Integer call() {
        port.ifPresent(n -> new Checks(spec).within("--port", n, 1, 65_535));
        PrintWriter out = spec.commandLine().getOut();
        try (PcapReader frames = PcapReader.open(file)) {
            return json ? withJson(frames, out) : withText(frames, out);
        }
    }

    private int withText(PcapReader frames, PrintWriter out) {
        AnalysisText text = new AnalysisText(out, Paint.ofTerminal());
        InOrder inOrder = new InOrder(text::connection);
        Outcome outcome = read(frames, inOrder);
        inOrder.flush();
        text.summary(file.toString(), outcome.summary());
        return exitCode(outcome);
    }

    private int withJson(PcapReader frames, PrintWriter out) {
        AnalysisJson document = new AnalysisJson(out, file.toString());
        InOrder inOrder = new InOrder(document::connection);
        Outcome outcome = read(frames, inOrder);
        inOrder.flush();
        document.finish(outcome.summary(), outcome.broken().map(LinkException::getMessage));
        return exitCode(outcome);
    }

    /** What was read, and what stopped it before the end of the file. */
    private record Outcome(CaptureSummary summary, Optional<LinkException> broken) {}

    private Outcome read(PcapReader frames, Consumer<ConnectionReport> reader) {
        AnalysisLimits limits = AnalysisLimits.DEFAULT;
        Analyzer analyzer =
                port.map(n -> Analyzer.ofPort(limits, n, reader)).orElseGet(() -> Analyzer.of(limits, reader));
        Optional<LinkException> broken = Optional.empty();
        try {
            for (var next = frames.next(); next.isPresent(); next = frames.next()) {
                analyzer.frame(next.get());
            }
        } catch (LinkException e) { // What was read until there is still worth telling.
            broken = Optional.of(e);
        }
        return new Outcome(analyzer.finish(), broken);
    }

    private int exitCode(Outcome outcome) {
        if (outcome.broken().isPresent()) {
            throw outcome.broken().get();
        }
        CaptureSummary summary = outcome.summary();
        if (summary.frames() > 0 && summary.skipped().getOrDefault(Skip.LINK_TYPE, 0L) == summary.frames()) {
            throw new LinkException("the capture file " + file + " has only frames of link type "
                    + summary.linkTypes().keySet()
                    + "; Ethernet (1), raw IP (101), Linux cooked (113, 276) and loopback (0)"
                    + " are read");
        }
        return summary.allHealthy() ? 0 : 1;
    }

    /** Passes reports on in the order their connections began, as long as they are few; then as they come. */
    private static final class InOrder implements Consumer<ConnectionReport> {

        private final Consumer<ConnectionReport> next;
        private final List<ConnectionReport> held = new ArrayList<>();
        private boolean sorts = true;

        InOrder(Consumer<ConnectionReport> next) {
            this.next = next;
        }

        @Override
        public void accept(ConnectionReport report) {
            if (!sorts) {
                next.accept(report);
                return;
            }
            held.add(report);
            if (held.size() > SORTED_MAX) {
                flush();
                sorts = false;
            }
        }

        void flush() {
            held.sort(Comparator.comparingLong(report -> report.span().first().frame()));
            held.forEach(next);
            held.clear();
        }
    }
}
