package io.iwcm.cm.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** {@code docs/irdma-map.md} has a row for each of irdma's functions, and names nothing that is not there. */
class IrdmaMapTest {

    private final IrdmaMap map = IrdmaMap.read();
    private final ClassLoader classes = Classes.all();

    @Test
    void hasOneWellFormedRowForEachFunctionInTheirOrder() {
        assertThat(IrdmaMap.functions()).hasSize(92).doesNotHaveDuplicates();
        assertThat(map.malformed()).isEmpty();
        assertThat(map.rows()).extracting(IrdmaMap.Row::function).containsExactlyElementsOf(IrdmaMap.functions());
    }

    @Test
    void namesMethodsThatTheProgramHas() {
        assertThat(wrong(row -> {
                    Method method = row.method().declared(classes);
                    if (Classes.isOfTests(method.getDeclaringClass()) || Modifier.isAbstract(method.getModifiers())) {
                        throw new Named.NotFound(row.method() + " does nothing in the program");
                    }
                }))
                .isEmpty();
    }

    @Test
    void namesAMethodOfItsOwnForEachFunction() {
        assertThat(map.rows()).extracting(IrdmaMap.Row::method).doesNotHaveDuplicates();
    }

    @Test
    void namesTestsThatAreThere() {
        assertThat(wrong(row -> {
                    Method test = row.test().declaredOrInherited(classes);
                    if (Modifier.isAbstract(row.test().type(classes).getModifiers())
                            || !AnnotationSupport.isAnnotated(test, Testable.class)) {
                        throw new Named.NotFound(row.test() + " is not a test that runs");
                    }
                }))
                .isEmpty();
    }

    private List<String> wrong(Consumer<IrdmaMap.Row> check) {
        List<String> wrong = new ArrayList<>();
        for (IrdmaMap.Row row : map.rows()) {
            try {
                check.accept(row);
            } catch (Named.NotFound e) {
                wrong.add(row.function() + ": " + e.getMessage());
            }
        }
        return wrong;
    }

    @Test
    void readsARow() {
        IrdmaMap read = IrdmaMap.parse(List.of(
                "| function | does it | shows it | remark |", "| `irdma_x` | `a.B#c` | `a.BTest#d` | as irdma |"));

        assertThat(read.malformed()).isEmpty();
        assertThat(read.rows())
                .containsExactly(new IrdmaMap.Row("irdma_x", new Named("a.B#c"), new Named("a.BTest#d"), "as irdma"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| `irdma_x` | `a.B#c` | `a.BTest#d` |",
                "| `irdma_x` | `a.B#c` | | as irdma |",
                "| irdma_x | `a.B#c` | `a.BTest#d` | as irdma |",
                "| `irdma_x` | `a.B#c` | `a.BTest#d` | |",
                "| `irdma_x`, `irdma_y` | `a.B#c` | `a.BTest#d` | as irdma |",
            })
    void noticesALineThatIsNoRow(String line) {
        assertThat(IrdmaMap.parse(List.of(line)).malformed()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cm.map.Named#nothing                  | there is no cm.map.Named#nothing",
                "cm.map.Nobody#type                    | there is no type io.iwcm.cm.map.Nobody",
                "cm.map.Named.Found#type               | there is no type io.iwcm.cm.map.Named$Found",
                "cm.map.Named#type(String)             | there is no cm.map.Named#type(String)",
                "cm.map.IrdmaMapTest.Twice#say         | cm.map.IrdmaMapTest.Twice#say names 2 methods: add one of",
                "cm.map.Named                          | 'cm.map.Named' does not name a method",
            })
    void noticesANameThatNamesNothing(String name, String sentence) {
        assertThatThrownBy(() -> new Named(name).declared(classes))
                .isInstanceOf(Named.NotFound.class)
                .hasMessageStartingWith(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cm.map.Named#type                      | 1",
                "cm.map.IrdmaMapTest.Twice#say(int)     | 1",
                "cm.map.IrdmaMapTest.Twice#say(int, String[]) | 2",
            })
    void findsAMethod(String name, int parameters) {
        assertThat(new Named(name).declared(classes).getParameterCount()).isEqualTo(parameters);
    }

    @Test
    void findsAnInheritedTest() {
        assertThat(new Named("cm.map.IrdmaMapTest.Thrice#say(int)").declaredOrInherited(classes))
                .isEqualTo(new Named("cm.map.IrdmaMapTest.Twice#say(int)").declared(classes));
    }

    @SuppressWarnings("unused")
    static class Twice {
        void say(int what) {}

        void say(int what, String[] toWhom) {}
    }

    static class Thrice extends Twice {}
}
