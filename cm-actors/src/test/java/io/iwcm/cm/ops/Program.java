package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that runs beside this JVM, in an environment of which only the PATH is this JVM's. */
final class Program implements AutoCloseable {

    /** What it left.
     *
     * @param exitCode as a shell sees it
     * @param out standard output
     * @param err standard error
     */
    record Ran(int exitCode, String out, String err) {}

    /** Long enough for a start without archive on a machine that does much else. */
    private static final long PATIENCE_SECONDS = 180;

    private final Process process;
    private final BufferedReader lines;
    private final Path err;
    private final StringBuilder out = new StringBuilder();

    private Program(Process process, Path err) {
        this.process = process;
        this.lines = process.inputReader();
        this.err = err;
    }

    static Ran run(Path directory, Map<String, String> environment, List<String> command) {
        try (Program program = start(directory, environment, command)) {
            return program.end();
        }
    }

    static Program start(Path directory, Map<String, String> environment, List<String> command) {
        try {
            Path err = Files.createTempFile("iwcm", ".err");
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                    .directory(directory.toFile())
                    .redirectError(err.toFile());
            String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
            builder.environment().clear();
            builder.environment().put("PATH", path);
            builder.environment().putAll(environment);
            Process process = builder.start();
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(process::destroyForcibly)); // It must not outlive a broken run.
            process.getOutputStream().close();
            return new Program(process, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads on until a line of standard output begins so, and gives that line. */
    String lineThatBegins(String with) {
        try {
            for (String line; (line = lines.readLine()) != null; ) {
                out.append(line).append('\n');
                if (line.startsWith(with)) return line;
            }
            throw new AssertionError("no line began with '" + with + "' in\n" + out + Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM; what it says from then on is still read. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** SIGHUP. */
    void hangUp() {
        try {
            assertThat(new ProcessBuilder("sh", "-c", "kill -HUP " + process.pid())
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What it left when it has ended by itself. */
    Ran end() {
        try {
            lines.lines().forEach(line -> out.append(line).append('\n'));
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Ran(process.exitValue(), out.toString(), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Files.deleteIfExists(err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
