package io.iwcm.cm.map;

import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves the map: each test that it names is green, and red as soon as the method beside it is disabled. A line for each
 * function, then how many are proven; the exit code is 0 when all are. {@code etc/prove-map.sh} starts it.
 */
final class MapProof {

    /** {@code -Diwcm.map.why=true}: say for each row what the test complained of. */
    private static final boolean WHY = Boolean.getBoolean("iwcm.map.why");

    private final ClassLoader classes = Classes.all();
    private final PrintStream out;

    private MapProof(PrintStream out) {
        this.out = out;
    }

    /** The functions whose rows are to be proven come with {@code -Diwcm.map.functions}, by blanks; none: all. */
    public static void main(String[] arguments) {
        String[] functions = System.getProperty("iwcm.map.functions", "").split(" ");
        boolean proven = new MapProof(System.out)
                .prove(Stream.of(functions).filter(f -> !f.isEmpty()).collect(Collectors.toSet()));
        System.out.flush();
        Runtime.getRuntime().halt(proven ? 0 : 1); // Whatever a disabled method has left running goes too.
    }

    private boolean prove(Set<String> functions) {
        Set<String> asked = new TreeSet<>(functions.isEmpty() ? Set.copyOf(IrdmaMap.functions()) : functions);
        int proven = 0;
        for (IrdmaMap.Row row : IrdmaMap.read().rows()) {
            if (asked.contains(row.function()) && prove(row)) {
                proven++;
            }
        }
        out.printf("%d/%d%n", proven, asked.size());
        return proven == asked.size();
    }

    private boolean prove(IrdmaMap.Row row) {
        Optional<String> flaw = flaw(row);
        out.printf("%-5s %s: %s, %s%n", flaw.isPresent() ? "FLAW" : "red", row.function(), row.method(), row.test());
        flaw.ifPresent(what -> out.printf("      %s%n", what));
        return flaw.isEmpty();
    }

    /** What is wrong with a row; empty when its test is green with the method and red without it. */
    private Optional<String> flaw(IrdmaMap.Row row) {
        TestRun whole = TestRun.of(row.test(), Disabled.nothing(classes));
        if (!(whole instanceof TestRun.Green)) {
            return Optional.of("the test is not green with nothing disabled: " + whole);
        }
        Method method = row.method().declared(classes);
        for (Instead instead : Instead.of(method)) {
            TestRun without = TestRun.of(row.test(), Disabled.method(classes, method, instead));
            if (!(without instanceof TestRun.Red(String why))) {
                return Optional.of("the test is not red when the method " + instead.phrase() + ": " + without);
            }
            if (WHY) {
                out.printf("      it %s: %s%n", instead.phrase(), why);
            }
        }
        return Optional.empty();
    }
}
