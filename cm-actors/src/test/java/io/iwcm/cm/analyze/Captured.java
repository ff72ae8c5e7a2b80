package io.iwcm.cm.analyze;

import io.iwcm.nic.link.LinkException;
import io.iwcm.nic.link.PcapReader;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Capture files, analysed. */
final class Captured {

    private Captured() {}

    static List<ConnectionReport> connections(Path file) {
        List<ConnectionReport> reports = new ArrayList<>();
        Analyzer analyzer = Analyzer.of(AnalysisLimits.DEFAULT, reports::add);
        PcapReader.readAll(file).forEach(analyzer::frame);
        analyzer.finish();
        return reports;
    }

    /** Reads until the file ends or contradicts itself. */
    static void analyze(byte[] file, Consumer<ConnectionReport> reader) {
        Analyzer analyzer = Analyzer.of(AnalysisLimits.DEFAULT, reader);
        try (PcapReader frames = PcapReader.from(new ByteArrayInputStream(file), "junk")) {
            for (var next = frames.next(); next.isPresent(); next = frames.next()) {
                analyzer.frame(next.get());
            }
        } catch (LinkException e) {
            // What a damaged file must end in, if in anything.
        }
        analyzer.finish();
    }
}
