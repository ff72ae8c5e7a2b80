package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.BridgeCounter;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.wire.Drop;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/operations.md: every alert has its row, and what a row tells to look at is there. */
class OperationsDocumentTest {

    private static final List<String> OF_LINKS = List.of("receive_dropped", "send_dropped");

    private static List<String[]> rows() throws IOException {
        List<String[]> rows = Files.readAllLines(Checkout.root().resolve("docs/operations.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(1, line.length() - 1).split("\\|", -1))
                .toList();
        assertThat(rows).hasSizeGreaterThan(10).allMatch(row -> row.length == 4);
        return rows.subList(1, rows.size());
    }

    private static Stream<String> quoted(String cell, String what) {
        return Pattern.compile("`(" + what + ")`").matcher(cell).results().map(found -> found.group(1));
    }

    @Test
    void everyAlertHasARow() throws IOException {
        String rules = Files.readString(Checkout.root().resolve("config/monitoring/iwcm.rules.yml"));
        List<String> alerts = Pattern.compile("alert: (\\w+)")
                .matcher(rules)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(rows().stream().flatMap(row -> quoted(row[1], "\\w+"))).containsExactlyInAnyOrderElementsOf(alerts);
    }

    @Test
    void everyCounterIsCounted() throws IOException {
        Set<String> counted = new HashSet<>(OF_LINKS);
        Stream.of(CmCounter.values(), NicCounter.values(), BridgeCounter.values(), Drop.values())
                .flatMap(Arrays::stream)
                .forEach(counter -> counted.add(counter.name().toLowerCase(Locale.ROOT)));
        List<String> named =
                rows().stream().flatMap(row -> quoted(row[2], "[a-z0-9_]+")).toList();
        assertThat(named).hasSizeGreaterThan(20);
        assertThat(counted).containsAll(named);
    }

    @Test
    void everyCommandIsOne() throws IOException {
        List<String> commands = rows().stream()
                .flatMap(row -> Stream.of(row[2], row[3]))
                .flatMap(cell -> quoted(cell, "bin/iwcm [^`]+"))
                .map(command -> command.split(" ")[1])
                .toList();
        assertThat(commands).hasSizeGreaterThan(5);
        assertThat(Iwcm.subcommands().keySet()).containsAll(commands);
    }
}
