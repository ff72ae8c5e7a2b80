package io.iwcm.cm.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What docs/api.md and docs/verbs.md show is what there is. {@code -Diwcm.approve=true} rewrites it. */
class ApiDocTest {

    /** A heading of what is shown, then one block up to its end. */
    private static final Pattern SHOWN = Pattern.compile("<!-- shows (\\S+) -->\n(.*?)<!-- end -->", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"docs/api.md, 5", "docs/verbs.md, 1"})
    void showsTheSourceTextAndTheCausesAsTheyAre(String file, int shownBlocks) throws IOException {
        Path doc = root().resolve(file);
        String text = Files.readString(doc);

        Matcher shown = SHOWN.matcher(text);
        StringBuilder expected = new StringBuilder();
        int blocks = 0;
        for (; shown.find(); blocks++) {
            shown.appendReplacement(
                    expected,
                    Matcher.quoteReplacement(
                            "<!-- shows " + shown.group(1) + " -->\n" + of(shown.group(1)) + "<!-- end -->"));
        }
        shown.appendTail(expected);

        assertThat(blocks).isEqualTo(shownBlocks);
        if (Boolean.getBoolean("iwcm.approve")) Files.writeString(doc, expected);
        assertThat(Files.readString(doc)).isEqualTo(expected.toString());
    }

    private static String of(String what) throws IOException {
        return switch (what) {
            case "Cause" ->
                "| cause | in words | errno | event of librdmacm |\n|---|---|---|---|\n"
                        + rows(
                                Cause.values(),
                                cause -> cause == Cause.NONE
                                        ? ""
                                        : "| `" + cause + "` | " + cause.phrase() + " | `" + cause.errnoName() + "` | `"
                                                + cause.rdmaCmEvent() + "` |\n");
            default -> "```java\n" + source(what) + "```\n";
        };
    }

    private static <T> String rows(T[] values, Function<T, String> row) {
        return Arrays.stream(values).map(row).collect(Collectors.joining());
    }

    /** From the class comment on. */
    private static String source(String name) throws IOException {
        String text = Files.readString(root().resolve("cm-actors/src/main/java/io/iwcm/cm/examples/" + name + ".java"));
        return text.substring(text.indexOf("/**"));
    }

    /** Where the checkout is, whatever the working directory. */
    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docs/api.md"))) here = here.getParent();
        return here;
    }
}
