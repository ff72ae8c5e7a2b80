package io.iwcm.cm.ops;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code iwcm serve} in a JVM of its own, as one of the ready configurations says but on a port that is free. */
final class NodeProgram implements AutoCloseable {

    private final Program program;
    private final String url;

    private NodeProgram(Program program, String url) {
        this.program = program;
        this.url = url;
    }

    /**
     * Starts it and waits until it says that it is ready.
     *
     * @param config which file
     * @param directory where it may write
     */
    static NodeProgram serve(Path config, Path directory) {
        Path file = directory.resolve("here.conf");
        try {
            Files.writeString(file, """
                include file("%s")
                iwcm.http.port = 0
                iwcm.nic.link.qemu-stream.place = "unix:%s"
                """.formatted(config.toAbsolutePath().normalize(), directory.resolve("qemu.sock")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Program program = Program.start(directory, Map.of(), iwcm("serve", "--config", file.toString()));
        try {
            return new NodeProgram(program, program.lineThatBegins("http"));
        } catch (RuntimeException | Error e) {
            program.close();
            throw e;
        }
    }

    /** How this JVM's Java runs us with this JVM's classes. */
    static List<String> iwcm(String... arguments) {
        return java(Iwcm.class, arguments);
    }

    /** The same for any program of ours. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Of absolute names: it may run in another directory. A test launcher may have put our classes into a loader of its own. */
    private static String classPath() {
        Stream<Path> parts = Iwcm.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(url -> Path.of(URI.create(url.toString())))
                : Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of);
        return parts.map(part -> part.toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
    }

    String url() {
        return url;
    }

    /** Ends it as systemd does. */
    Program.Ran stop() {
        program.terminate();
        return program.end();
    }

    @Override
    public void close() {
        program.close();
    }
}
