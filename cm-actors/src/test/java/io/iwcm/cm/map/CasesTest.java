package io.iwcm.cm.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** {@code docs/cases.md} has a row for each field case, and each test that a row names is there and carries its number. */
class CasesTest {

    private static final List<String> NUMBERS = Stream.of("""
        01 02 03 04 05 06 07 08 10 11 12 14 15 16 18 19 20 22 23 25 26 28 30 31 34 35 36 38 39 40 41 44 45 47 49A 50 52
        53 54 56 57 58 59 60 62 63 64 65 67 68 70 72 73 75 76 77 79 81 83 85 87 89 91 94 95 96 97 98
        """.split("\\s+")).toList();

    /** What takes two members to show. */
    private static final List<String> WITHOUT_TEST = List.of("97");

    private static final Pattern ROW = Pattern.compile("\\| FC-(\\w+) \\| ([^|]+) \\| ([^|]*) ?\\| ([^|]*) \\|");
    private static final Pattern TEST = Pattern.compile("`([^`]+)`");
    private static final Pattern NUMBER = Pattern.compile("FC-(\\d+[A-Z]?)\\b");

    private final TestSources sources = TestSources.read();
    private final ClassLoader classes = Classes.all();
    private final List<Row> rows = read();

    private record Row(String number, List<Named> tests, String notShown) {}

    @Test
    void areAllThereInTheirOrder() {
        assertThat(NUMBERS).hasSize(68).doesNotHaveDuplicates();
        assertThat(rows).extracting(Row::number).containsExactlyElementsOf(NUMBERS);
    }

    @Test
    void haveATestOrSayWhyNot() {
        assertThat(rows)
                .filteredOn(row -> row.tests().isEmpty())
                .extracting(Row::number)
                .containsExactlyElementsOf(WITHOUT_TEST);
        assertThat(rows).filteredOn(row -> row.notShown().isBlank()).isEmpty();
    }

    @Test
    void nameTestsThatAreThereAndCarryTheirNumber() {
        List<String> wrong = new ArrayList<>();
        for (Row row : rows) {
            for (Named test : row.tests()) {
                try {
                    Method method = test.declaredOrInherited(classes);
                    if (Modifier.isAbstract(test.type(classes).getModifiers())
                            || !AnnotationSupport.isAnnotated(method, Testable.class)) {
                        wrong.add("FC-" + row.number() + ": " + test + " is not a test that runs");
                    } else if (!sources.carries(declaring(method), method.getName(), row.number())) {
                        wrong.add("FC-" + row.number() + ": " + test + " does not carry the number");
                    }
                } catch (Named.NotFound e) {
                    wrong.add("FC-" + row.number() + ": " + e.getMessage());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void areTheOnlyOnesThatTestsSpeakOf() {
        TreeSet<String> spokenOf = new TreeSet<>();
        sources.texts().values().forEach(text -> NUMBER.matcher(text).results().forEach(n -> spokenOf.add(n.group(1))));
        assertThat(NUMBERS).containsAll(spokenOf);
    }

    private static String declaring(Method method) {
        return method.getDeclaringClass().getName().replaceFirst("\\$.*", "").substring("io.iwcm.".length());
    }

    private static List<Row> read() {
        try {
            List<Row> rows = new ArrayList<>();
            for (String line : Files.readAllLines(IrdmaMap.root().resolve("docs/cases.md"))) {
                Matcher row = ROW.matcher(line);
                if (line.startsWith("| FC-")) assertThat(row.matches()).as(line).isTrue();
                if (row.matches()) rows.add(new Row(row.group(1), tests(row.group(3)), row.group(4)));
            }
            return rows;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<Named> tests(String cell) {
        return TEST.matcher(cell)
                .results()
                .map((MatchResult test) -> new Named(test.group(1)))
                .toList();
    }
}
