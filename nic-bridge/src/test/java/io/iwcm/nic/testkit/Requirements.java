package io.iwcm.nic.testkit;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides whether what a test asks for with {@code @Requires…} is there. */
final class Requirements implements ExecutionCondition {

    private static final Path TUN = Path.of("/dev/net/tun");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<AnnotatedElement> element = context.getElement();
        Optional<String> captures =
                context.getConfigurationParameter("iwcm.captures").filter(value -> !value.isBlank());
        if (isAnnotated(element, RequiresCaptures.class) && captures.isEmpty())
            return ConditionEvaluationResult.disabled("needs -Diwcm.captures=DIR");
        if (isAnnotated(element, RequiresSiw.class)
                && context.getConfigurationParameter("iwcm.siw")
                        .filter(value -> !value.isBlank())
                        .isEmpty()) return ConditionEvaluationResult.disabled("needs -Diwcm.siw=etc/siw/guest.sh");

        List<String> missing = missing(element, captures);
        if (missing.isEmpty()) return ConditionEvaluationResult.enabled("everything it needs is there");
        String reason = "needs " + String.join(", ", missing);
        if (context.getConfigurationParameter("iwcm.require")
                .filter("all"::equals)
                .isPresent()) throw new AssertionError(reason + ", and -Diwcm.require=all lets no test be skipped");
        return ConditionEvaluationResult.disabled(reason);
    }

    private static List<String> missing(Optional<AnnotatedElement> element, Optional<String> captures) {
        List<String> missing = new ArrayList<>();
        if (isAnnotated(element, RequiresRoot.class) && !root()) missing.add("root");
        if (isAnnotated(element, RequiresTap.class) && !Files.isWritable(TUN)) missing.add(TUN.toString());
        findRepeatableAnnotations(element, RequiresTool.class).stream()
                .flatMap(tools -> Arrays.stream(tools.value()))
                .filter(tool -> !installed(tool))
                .forEach(tool -> missing.add("the program '" + tool + "'"));
        if (isAnnotated(element, RequiresCaptures.class))
            captures.filter(directory -> !Files.isDirectory(Path.of(directory)))
                    .ifPresent(directory -> missing.add("the directory of -Diwcm.captures=" + directory));
        return missing;
    }

    private static boolean root() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (UnsupportedOperationException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean installed(String tool) {
        Stream<String> path =
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
        return Stream.concat(path, Stream.of("/usr/sbin", "/sbin"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
    }
}
