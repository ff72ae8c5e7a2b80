package io.iwcm.cm.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A guest with Linux's soft-iWARP: {@code 10.99.0.1} and {@code fd99::1}, and on VLAN 100 {@code 10.99.1.1} and {@code
 * fd99:1::1}. Its Ethernet is a socket, at which one link at a time may be. Ends with this object, and with this program.
 */
final class SiwGuest implements AutoCloseable {

    private static final Duration BOOT_MAX = Duration.ofMinutes(3);

    private final Path directory;
    private final Process process;
    private final Thread ending;
    private final SocketChannel shell;
    private final BufferedReader answers;
    private int commands;

    private SiwGuest(Path directory, Process process) throws IOException {
        this.directory = directory;
        this.process = process;
        this.ending = new Thread(process::destroyForcibly, "end-siw-guest");
        Runtime.getRuntime().addShutdownHook(ending);
        awaitBoot();
        this.shell = SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("shell.sock")));
        this.answers = new BufferedReader(Channels.newReader(shell, StandardCharsets.UTF_8));
    }

    /** Boots it; that takes some seconds. */
    static SiwGuest boot() {
        try {
            Path directory = Files.createTempDirectory("iwcm-siw");
            Path script = Path.of(System.getProperty("iwcm.siw", "")).toAbsolutePath();
            Process process = new ProcessBuilder(script.toString(), "run", directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("qemu.log").toFile())
                    .start();
            process.getOutputStream().close();
            return new SiwGuest(directory, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the guest's Ethernet is at. */
    Path wire() {
        return directory.resolve("wire.sock");
    }

    /** How siw behaves from now on. */
    void set(boolean peerToPeer, boolean crc, int revision) {
        run("cd /sys/module/siw/parameters && echo " + (peerToPeer ? 'Y' : 'N') + " > peer_to_peer && echo "
                + (crc ? 'Y' : 'N') + " > mpa_crc_required && echo " + revision + " > mpa_version");
    }

    /** Runs a command of the guest's shell to its end; what it said, standard error included. */
    synchronized String run(String command) {
        String end = "--" + ++commands + "--";
        try {
            shell.write(StandardCharsets.UTF_8.encode("( " + command + " ); echo; echo " + end + "\n"));
            StringBuilder said = new StringBuilder();
            for (String line = answers.readLine(); !end.equals(line); line = answers.readLine()) {
                assertThat(line)
                        .as("the guest ended during '%s', after: %s", command, said)
                        .isNotNull();
                said.append(line.strip()).append('\n');
            }
            return said.toString().strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As if its power failed: nothing is said to anybody. */
    void kill() {
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(ending);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        kill();
        try (var files = Files.list(directory)) {
            shell.close();
            for (Path file : files.collect(Collectors.toList())) Files.delete(file);
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitBoot() throws IOException {
        long untilNs = System.nanoTime() + BOOT_MAX.toNanos();
        Path console = directory.resolve("console.log");
        try {
            while (!Files.exists(console) || !Files.readString(console).contains("siw is up")) {
                if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() - untilNs > 0) {
                    process.destroyForcibly();
                    throw new AssertionError("the guest did not come up: "
                            + Files.readString(directory.resolve("qemu.log"))
                            + (Files.exists(console) ? Files.readString(console) : ""));
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
