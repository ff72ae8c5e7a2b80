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
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is ready for Grafana and Prometheus asks for nothing that is not there. */
class MonitoringTest {

    private static final Path FOLDER =
            (Path.of("config").toFile().isDirectory() ? Path.of("") : Path.of("..")).resolve("config/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(iwcm|jvm)_[a-z0-9_]+");

    @Test
    void everyQueryNamesMetricsThatExist() throws IOException {
        List<String> queries = new ArrayList<>(dashboardQueries());
        Files.readString(FOLDER.resolve("iwcm.rules.yml"))
                .lines()
                .filter(line -> line.strip().startsWith("expr:"))
                .forEach(queries::add);
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

    private static List<String> dashboardQueries() throws IOException {
        List<String> queries = new ArrayList<>();
        try (JsonParser json =
                new JsonFactory().createParser(FOLDER.resolve("dashboard.json").toFile())) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "expr".equals(json.currentName())) queries.add(json.getText());
            }
        }
        return queries;
    }

    @Test
    @RequiresTool("promtool")
    void promtoolFindsNothingWrongWithTheRules() throws IOException, InterruptedException {
        Process promtool = new ProcessBuilder(
                        "promtool",
                        "check",
                        "rules",
                        FOLDER.resolve("iwcm.rules.yml").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
    }
}
