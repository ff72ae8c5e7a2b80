package io.iwcm.cm.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One {@link Chromium} for all tests of a run: started when the first asks for it, ended with the last. */
final class TheBrowser implements ParameterResolver {

    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(TheBrowser.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Chromium.class;
    }

    @Override
    public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(HERE)
                .getOrComputeIfAbsent(Running.class, _ -> Running.start(), Running.class)
                .chromium();
    }

    private record Running(Chromium chromium, Path home) implements AutoCloseable {

        static Running start() {
            try {
                Path home = Files.createTempDirectory("iwcm-chromium");
                return new Running(Chromium.start(home), home);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The browser's helpers may still write while they end: what cannot be deleted is left to the system. */
        @Override
        public void close() throws IOException {
            chromium.close();
            try (Stream<Path> files = Files.walk(home)) {
                files.sorted((one, other) -> other.compareTo(one))
                        .forEach(file -> file.toFile().delete());
            } catch (UncheckedIOException e) {
                home.toFile().deleteOnExit();
            }
        }
    }
}
