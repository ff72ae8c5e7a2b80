package io.iwcm.cm.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.iwcm.nic.testkit.RequiresTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is ready for Grafana and Prometheus asks for nothing that is not there. */
class MonitoringTest {

    private static final Path FOLDER =
            (Path.of("config").toFile().isDirectory() ? Path.of("") : Path.of("..")).resolve("config/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(iwcm|jvm)_[a-z0-9_]+");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)=\"");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern WORD = Pattern.compile("[a-z_]+");

    private record Panel(String query, String legend) {}

    @Test
    void everyQueryNamesMetricsThatExist() throws IOException {
        List<String> queries = new ArrayList<>(alerts());
        panels().forEach(panel -> queries.add(panel.query()));
        assertThat(queries).hasSizeGreaterThan(20);

        try (MetricsScene scene = new MetricsScene()) {
            scene.accept();
            assertThat(scene.atTarget().names())
                    .containsAll(queries.stream()
                            .flatMap(query -> METRIC.matcher(query).results())
                            .map(found -> found.group())
                            .toList());
        }
    }

    @Test
    void everyQueryAndLegendNamesLabelsThatItsMetricsHave() throws IOException {
        List<Panel> all = new ArrayList<>(panels());
        alerts().forEach(query -> all.add(new Panel(query, "")));

        try (MetricsScene scene = new MetricsScene()) {
            scene.accept();
            Scrape scrape = scene.atTarget();
            for (Panel panel : all) {
                Set<String> there = new TreeSet<>(Set.of("instance")); // Prometheus gives it to what it scrapes.
                METRIC.matcher(panel.query()).results().forEach(metric -> there.addAll(labels(scrape, metric.group())));
                assertThat(there).as(panel.query()).containsAll(named(panel));
            }
        }
    }

    private static Set<String> labels(Scrape scrape, String metric) {
        return scrape.of(metric).keySet().stream()
                .flatMap(sample -> MATCHER.matcher(sample).results())
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static Set<String> named(Panel panel) {
        Set<String> named = new HashSet<>();
        BY.matcher(panel.query())
                .results()
                .flatMap(list -> WORD.matcher(list.group(1)).results())
                .forEach(word -> named.add(word.group()));
        MATCHER.matcher(panel.query()).results().forEach(word -> named.add(word.group(1)));
        LEGEND.matcher(panel.legend()).results().forEach(word -> named.add(word.group(1)));
        return named;
    }

    @Test
    @RequiresTool("promtool")
    void promtoolFindsNothingWrongWithTheRules() throws IOException, InterruptedException {
        promtool("check", "rules", FOLDER.resolve("iwcm.rules.yml").toString());
    }

    @Test
    @RequiresTool("promtool")
    void promtoolFindsNothingWrongWithThePanels(@TempDir Path folder) throws IOException, InterruptedException {
        StringBuilder rules = new StringBuilder("groups: [{name: panels, rules: [\n");
        int number = 0;
        for (Panel panel : panels()) {
            rules.append("{record: 'panel:%d', expr: '%s'},%n".formatted(number++, panel.query()));
        }
        Path file = Files.writeString(folder.resolve("panels.yml"), rules + "]}]\n");
        promtool("check", "rules", file.toString());
    }

    @Test
    @RequiresTool("promtool")
    void everyAlertFiresInItsTroubleAndNoneOtherwise() throws IOException, InterruptedException {
        promtool("test", "rules", FOLDER.resolve("iwcm.rules.test.yml").toString());
        String tests = Files.readString(FOLDER.resolve("iwcm.rules.test.yml"));
        Files.readString(FOLDER.resolve("iwcm.rules.yml"))
                .lines()
                .filter(line -> line.contains("- alert: "))
                .forEach(line -> assertThat(tests).contains("\"" + line.replaceFirst(".*: ", "") + "\""));
    }

    @Test
    @RequiresTool("promtool")
    void promtoolReadsWhatANodeTells(@TempDir Path folder) throws IOException, InterruptedException {
        try (MetricsScene scene = new MetricsScene()) {
            scene.accept();
            scene.connected();
            Path file = Files.writeString(folder.resolve("scrape"), scene.passive.scrape());
            Process process = new ProcessBuilder("promtool", "check", "metrics")
                    .redirectInput(file.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isNotEqualTo(1); // 1: unreadable; 3: taste, as in the JVM's names.
            assertThat(said.lines().filter(line -> line.startsWith("iwcm_"))).isEmpty();
        }
    }

    private static void promtool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private static List<String> alerts() throws IOException {
        return Files.readString(FOLDER.resolve("iwcm.rules.yml"))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("expr:"))
                .toList();
    }

    /** Of the dashboard, in which a target's query comes before its legend. */
    private static List<Panel> panels() throws IOException {
        List<Panel> panels = new ArrayList<>();
        try (JsonParser json =
                new JsonFactory().createParser(FOLDER.resolve("dashboard.json").toFile())) {
            String query = "";
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token != JsonToken.VALUE_STRING) continue;
                if ("expr".equals(json.currentName())) query = json.getText();
                if ("legendFormat".equals(json.currentName())) panels.add(new Panel(query, json.getText()));
            }
        }
        return panels;
    }
}
