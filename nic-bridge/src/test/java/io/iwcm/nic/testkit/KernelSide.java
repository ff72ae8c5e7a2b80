package io.iwcm.nic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The kernel's side of a TAP, alone in a network namespace of its own: nothing there reaches any other network. Closing
 * it removes the namespace.
 */
public final class KernelSide implements AutoCloseable {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final String namespace = "iwcm-" + unique();

    /** Also when the tests are told to stop half-way. */
    private final Thread deletion = new Thread(this::delete, "delete-" + namespace);

    public KernelSide() {
        run("ip", "netns", "add", namespace);
        Runtime.getRuntime().addShutdownHook(deletion);
    }

    /** A name that no other test on this machine uses now, short enough for an interface. */
    public static String unique() {
        return "iw" + Long.toString(ProcessHandle.current().pid(), 36) + "x" + NEXT.incrementAndGet();
    }

    /** Moves an interface in here, gives it an address, and sets it up. */
    public void take(String interfaceName, String address) {
        run("ip", "link", "set", "dev", interfaceName, "netns", namespace);
        run("ip", "-n", namespace, "address", "add", address, "dev", interfaceName);
        run("ip", "-n", namespace, "link", "set", "dev", interfaceName, "up");
    }

    public String ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "-n", namespace));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    /** Starts a program in here. */
    public Process start(String... command) {
        List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        inside.addAll(List.of(command));
        return spawn(inside);
    }

    /** Runs a program to its end; it must succeed. Returns what it said. */
    public static String run(String... command) {
        return outcome(spawn(List.of(command)), List.of(command));
    }

    /** The command that runs a class of the tests in a Java of its own, with what it needs on its class path. */
    public static List<String> java(Class<?> main, List<Class<?>> needed, String argument) {
        String classPath = needed.stream()
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "--enable-native-access=ALL-UNNAMED", "-cp", classPath, main.getName(), argument);
    }

    public static String outcome(Process process, List<String> command) {
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s said: %s", command, said).isZero();
            return said;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (Runtime.getRuntime().removeShutdownHook(deletion)) delete();
    }

    private void delete() {
        run("ip", "netns", "delete", namespace);
    }

    private static Process spawn(List<String> command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
