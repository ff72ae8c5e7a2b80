package io.iwcm.cm.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page's files: all of them are served, and none needs anything from elsewhere. */
class WebPageFilesTest {

    private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\"");
    private static final Pattern ELSEWHERE = Pattern.compile("(?:src|href|url\\(|@import|import).{0,3}(?:https?:)?//");
    private static final Pattern INLINE =
            Pattern.compile("<style|\\sstyle=|\\son[a-z]+=|<script(?! type=\"module\" src)");

    private final WebPage page = WebPage.load();

    @Test
    void servesEveryFileThereIs() throws IOException, URISyntaxException {
        URL directory = Objects.requireNonNull(WebPage.class.getResource("page/"));
        try (Stream<Path> files = Files.list(Path.of(directory.toURI()))) {
            List<String> paths = files.map(file -> file.getFileName().toString())
                    .map(name -> name.equals("index.html") ? "/" : "/page/" + name)
                    .toList();
            assertThat(page.files().keySet()).containsExactlyInAnyOrderElementsOf(paths);
        }
    }

    @Test
    void servesNothingElse() {
        assertThat(page.at("/page/")).isEmpty();
        assertThat(page.at("/page/../openapi.yaml")).isEmpty();
        assertThat(page.at("/page/index.html")).isEmpty();
    }

    @Test
    void saysWhatEachFileIs() {
        assertThat(page.at("/").orElseThrow().mediaType()).isEqualTo("text/html; charset=utf-8");
        assertThat(page.at("/page/main.js").orElseThrow().mediaType()).isEqualTo("text/javascript; charset=utf-8");
        assertThat(page.at("/page/icon.svg").orElseThrow().mediaType()).isEqualTo("image/svg+xml");
        assertThat(page.files().values()).extracting(WebPage.File::tag).doesNotHaveDuplicates();
    }

    @Test
    void importsOnlyItsOwnModules() {
        page.files().forEach((path, file) -> {
            var imports = IMPORT.matcher(text(file));
            while (imports.find())
                assertThat(page.at("/page/" + imports.group(1))).as(path).isPresent();
        });
    }

    @Test
    void fetchesNothingFromElsewhere() {
        page.files().forEach((path, file) -> assertThat(text(file)).as(path).doesNotContainPattern(ELSEWHERE));
    }

    @Test
    void hasNoScriptOrStyleThatThePolicyForbids() {
        assertThat(text(page.at("/").orElseThrow())).doesNotContainPattern(INLINE);
        assertThat(WebPage.HEADERS.get("Content-Security-Policy")).doesNotContain("unsafe");
    }

    @Test
    void makesNoElementsOfText() {
        page.files()
                .forEach((path, file) -> assertThat(text(file))
                        .as(path)
                        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser")
                        .doesNotContain("eval("));
    }

    private static String text(WebPage.File file) {
        return new String(file.content(), StandardCharsets.UTF_8);
    }
}
