package io.iwcm.cm.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} and a scrape say the same. Whoever adds a metric finds its row in what this test complains of. */
class MetricsDocumentTest {

    private static final Path DOCUMENT =
            (Path.of("docs").toFile().isDirectory() ? Path.of("") : Path.of("..")).resolve("docs/metrics.md");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Set<String> IRDMAS = Set.of(
            "nodes_created",
            "nodes_destroyed",
            "listen_created",
            "listen_destroyed",
            "listen_nodes_created",
            "listen_nodes_destroyed",
            "lpbs",
            "accepts",
            "rejects",
            "connect_errs",
            "passive_errs",
            "pkt_retrans",
            "backlog_drops",
            "pkt_rcvd",
            "pkt_sent",
            "rcvd_pkt_err",
            "sent_pkt_q",
            "buf_alloc_fail");

    private final MetricsScene scene = new MetricsScene();
    private final Scrape scrape = scraped();

    private Scrape scraped() {
        scene.accept();
        scene.connected();
        return scene.atTarget();
    }

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void hasARowForEachMetricOfOursAndNoOther() throws IOException {
        List<String> rows = scrape.families().entrySet().stream()
                .filter(family -> family.getKey().startsWith("iwcm_"))
                .map(family -> row(family.getKey(), family.getValue()))
                .toList();

        assertThat(lines("| `iwcm_")).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(rows).filteredOn(row -> !row.endsWith("|  |")).hasSameSizeAs(IRDMAS);
    }

    private String row(String name, Scrape.Family family) {
        String labels = String.join(
                ", ",
                labels(name).keySet().stream().map(label -> "`" + label + "`").toList());
        String plain = name.replaceFirst("^iwcm_(nic_)?", "").replaceFirst("_total$", "");
        return "| `%s` | %s | %s | %s | %s | %s |"
                .formatted(
                        name,
                        family.type(),
                        labels,
                        name.matches(".*_seconds(_max)?") ? "seconds" : "count",
                        family.help(),
                        IRDMAS.contains(plain) ? "`" + plain + "`" : "");
    }

    @Test
    void saysWhatEachLabelMayBe() throws IOException {
        Map<String, Set<String>> there = new TreeMap<>();
        scrape.families().keySet().stream()
                .filter(name -> name.startsWith("iwcm_"))
                .forEach(name -> labels(name)
                        .forEach((label, values) -> there.computeIfAbsent(label, _ -> new TreeSet<>())
                                .addAll(values)));

        Map<String, Set<String>> said = new TreeMap<>();
        for (String line : section("## Labels")) {
            List<String> quoted =
                    QUOTED.matcher(line).results().map(found -> found.group(1)).toList();
            if (line.startsWith("| `")) said.put(quoted.getFirst(), new TreeSet<>(quoted.subList(1, quoted.size())));
        }

        assertThat(said.keySet()).isEqualTo(there.keySet());
        said.forEach((label, values) -> {
            if (!values.isEmpty()) assertThat(values).as(label).isEqualTo(there.get(label)); // Others are open.
        });
    }

    @Test
    void namesEveryKindOfMetricOfTheJavaMachine() throws IOException {
        Set<String> beginnings = new TreeSet<>();
        for (String line : section("## The Java machine")) {
            QUOTED.matcher(line)
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> name.endsWith("_*"))
                    .forEach(name -> beginnings.add(name.replace("*", "")));
        }
        Set<String> others = new TreeSet<>(scrape.families().keySet());
        others.removeIf(name -> name.startsWith("iwcm_"));

        assertThat(others).allMatch(name -> beginnings.stream().anyMatch(name::startsWith));
        assertThat(beginnings).isNotEmpty().allMatch(begin -> others.stream().anyMatch(name -> name.startsWith(begin)));
    }

    /** The labels of a metric and what they are; those of a histogram's buckets aside. */
    private Map<String, Set<String>> labels(String name) {
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String suffix : List.of("", "_count")) {
            for (String sample : scrape.of(name + suffix).keySet()) {
                LABEL.matcher(sample)
                        .results()
                        .forEach(found -> labels.computeIfAbsent(found.group(1), _ -> new TreeSet<>())
                                .add(found.group(2)));
            }
        }
        return labels;
    }

    private static List<String> section(String heading) throws IOException {
        String text = Files.readString(DOCUMENT);
        String after = text.substring(text.indexOf(heading) + heading.length());
        return Arrays.asList(after.split("\n## ", 2)[0].split("\n"));
    }

    private static List<String> lines(String begin) throws IOException {
        return Files.readString(DOCUMENT)
                .lines()
                .filter(line -> line.startsWith(begin))
                .toList();
    }
}
