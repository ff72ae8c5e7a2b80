package io.iwcm.cm.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.iwcm.cm.script.Script.Scene;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every state × every input: the next state and the outputs, against an approved file. A changed transition is a one-line
 * diff; {@code -Diwcm.approve=true} writes the file anew.
 */
@DisplayName("State table")
class StateTableTest {

    private static final String FILE = "src/test/resources/io/iwcm/cm/proto/state-table.txt";

    /** States of the field that are no states of a node here. */
    private static final Set<StateName> ELSEWHERE = Set.of(StateName.LISTENING, StateName.TIME_WAIT);

    private static final Map<String, Scene> STATES = TableStates.all();

    @Test
    void isAsApproved() throws IOException {
        List<String> table = new ArrayList<>();
        table.add("# Every state x every input. '-' is no output. Sequence numbers count from the ISNs.");
        table.add("# Written by StateTableTest with -Diwcm.approve=true; read every changed line.");
        STATES.forEach((name, scene) -> {
            table.add("");
            table.add("== " + name);
            TableInputs.of(scene).forEach((input, value) -> table.add(row(scene, input, value)));
            table.add(row(
                    scene,
                    "adopted by another dispatcher",
                    CmMachine.adopt(scene.state(), scene.nowNs(), scene.params())));
        });
        Path file = file();
        if (Boolean.getBoolean("iwcm.approve")) {
            Files.createDirectories(file.getParent());
            Files.write(file, table);
        }

        List<String> approved = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (!approved.equals(table)) {
            fail("the state table differs from " + FILE + " (- approved, + now); if that is meant, run this test with"
                    + " -Diwcm.approve=true and look at the diff:\n" + difference(approved, table));
        }
    }

    @Test
    void hasEveryState() {
        Set<StateName> names =
                STATES.values().stream().map(scene -> scene.state().name()).collect(Collectors.toSet());
        Set<Class<?>> kinds =
                STATES.values().stream().map(scene -> scene.state().getClass()).collect(Collectors.toSet());
        Set<Class<?>> progress = STATES.values().stream()
                .filter(scene -> scene.state() instanceof CmState.Offloaded)
                .map(scene -> ((CmState.Offloaded) scene.state()).progress().getClass())
                .collect(Collectors.toSet());

        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(StateName.values())
                        .filter(name -> !ELSEWHERE.contains(name))
                        .toList());
        assertThat(kinds).containsAll(leaves(CmState.class));
        assertThat(progress).containsAll(leaves(CmState.Progress.class));
    }

    @Test
    void namesTheStateEachRowIsAbout() {
        STATES.forEach(
                (name, scene) -> assertThat(name).contains(" " + scene.state().name()));
    }

    @Test
    void hasEveryInput() {
        STATES.values().forEach(scene -> {
            Set<Class<?>> kinds = new HashSet<>();
            Set<AsyncEvent.Code> codes = new HashSet<>();
            TableInputs.of(scene).values().forEach(input -> {
                kinds.add(input.getClass());
                if (input instanceof CmInput.FromNic(NicEvent event)) {
                    kinds.add(event.getClass());
                    if (event instanceof NicEvent.QpEvent(AsyncEvent what)) {
                        codes.add(what.code());
                    }
                }
            });
            assertThat(kinds).containsAll(leaves(CmInput.class)).containsAll(leaves(NicEvent.class));
            assertThat(codes).containsExactlyInAnyOrder(AsyncEvent.Code.values());
        });
    }

    private static String row(Scene scene, String input, CmInput value) {
        return row(scene, input, CmMachine.step(scene.state(), value, scene.nowNs(), scene.params()));
    }

    private static String row(Scene scene, String input, Step step) {
        String outputs = step.outputs().stream().map(scene::describe).collect(Collectors.joining("; "));
        return "%-46s -> %-18s %s"
                .formatted(input, step.next().name(), outputs.isEmpty() ? "-" : outputs)
                .stripTrailing();
    }

    private static Set<Class<?>> leaves(Class<?> sealed) {
        Set<Class<?>> leaves = new HashSet<>();
        for (Class<?> kind : sealed.getPermittedSubclasses()) {
            if (kind.isSealed()) {
                leaves.addAll(leaves(kind));
            } else {
                leaves.add(kind);
            }
        }
        return leaves;
    }

    private static Path file() {
        Path here = Path.of(FILE);
        return Files.isDirectory(Path.of("src/test/java"))
                ? here
                : Path.of("cm-actors").resolve(here);
    }

    /** Lines of one list that are not in the other, under the state they belong to. */
    private static String difference(List<String> approved, List<String> now) {
        List<String> lines = new ArrayList<>();
        List<String> before = underStates(approved);
        List<String> after = underStates(now);
        before.stream().filter(line -> !after.contains(line)).forEach(line -> lines.add("- " + line));
        after.stream().filter(line -> !before.contains(line)).forEach(line -> lines.add("+ " + line));
        return lines.stream().limit(60).collect(Collectors.joining("\n"));
    }

    private static List<String> underStates(List<String> table) {
        List<String> lines = new ArrayList<>();
        String state = "";
        for (String line : table) {
            if (line.startsWith("== ")) {
                state = line.substring(3);
            } else if (!line.isEmpty()) {
                lines.add(state + " | " + line);
            }
        }
        return lines;
    }
}
