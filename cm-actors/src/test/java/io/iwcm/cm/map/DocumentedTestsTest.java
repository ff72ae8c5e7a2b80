package io.iwcm.cm.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** The tests that other pages name in the last column of their tables are there, and carry the case number beside them. */
class DocumentedTestsTest {

    private static final Pattern NAME =
            Pattern.compile("`([a-z.]*[A-Z]\\w*?(?:Test|Rules))(?:#(\\w+))?`(?: \\(FC-(\\w+)\\))?");

    private final TestSources sources = TestSources.read();
    private final ClassLoader classes = Classes.all();

    @ParameterizedTest
    @CsvSource({"docs/irdma-differences.md, 26", "docs/compatibility.md, 13", "docs/invariants.md, 30"})
    void areThere(String page, int atLeast) throws IOException {
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (String line : Files.readAllLines(IrdmaMap.root().resolve(page))) {
            if (!line.endsWith(" |")) continue;
            String cell = line.substring(line.lastIndexOf('|', line.length() - 2));
            Matcher name = NAME.matcher(cell);
            while (name.find()) {
                found++;
                try {
                    check(name.group(1), name.group(2), name.group(3));
                } catch (Named.NotFound e) {
                    wrong.add(cell.strip() + ": " + e.getMessage());
                }
            }
            if (name.replaceAll("").contains("`")) {
                wrong.add(cell.strip() + ": names something that is no test");
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(found).isGreaterThanOrEqualTo(atLeast);
    }

    private void check(String type, String method, String number) {
        String full = sources.named(type);
        if (method != null) {
            Named test = new Named(full + "#" + method);
            if (!AnnotationSupport.isAnnotated(test.declaredOrInherited(classes), Testable.class)) {
                throw new Named.NotFound(test + " is not a test");
            }
        }
        boolean carries = number == null
                || (method == null ? sources.carries(full, number) : sources.carries(full, method, number));
        if (!carries) {
            throw new Named.NotFound(type + " does not carry FC-" + number);
        }
    }
}
