package io.iwcm.cm.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What came of the cells that were run, for a table in Markdown. */
final class SiwReport {

    private final String file;
    private final List<String> rows = new ArrayList<>();
    private int failed;

    private SiwReport(String file) {
        this.file = file;
    }

    /** The file of {@code -Diwcm.siw.full=FILE}, or none. */
    static SiwReport asAsked() {
        return new SiwReport(System.getProperty("iwcm.siw.full", ""));
    }

    boolean isFull() {
        return !file.isBlank();
    }

    /** Runs a cell and remembers how it went; failures are passed on. */
    void run(SiwCase what, Runnable cell) {
        long startNs = System.nanoTime();
        String outcome = "failed";
        try {
            cell.run();
            outcome = "as it should";
        } catch (AssertionError | RuntimeException e) {
            failed++;
            outcome = "**"
                    + String.valueOf(e.getMessage())
                            .strip()
                            .lines()
                            .findFirst()
                            .orElse("failed")
                            .replace('|', '/') + "**";
            throw e;
        } finally {
            rows.add("| " + what.row() + " | " + outcome + " | " + (System.nanoTime() - startNs) / 1_000_000 + " |");
        }
    }

    void write(String kernel) {
        if (!isFull()) return;
        String head = "Linux " + kernel + ", soft-iWARP; " + rows.size() + " connections, " + failed + " failed.\n\n"
                + "| who asks | family | VLAN | CRC | model | answer | private data | outcome | ms |\n"
                + "|---|---|---|---|---|---|---|---|---|\n";
        try {
            Files.writeString(Path.of(file), head + String.join("\n", rows) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
