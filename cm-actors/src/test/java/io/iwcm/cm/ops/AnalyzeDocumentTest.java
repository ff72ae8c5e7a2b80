package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.analyze.ConnectionReport.End;
import io.iwcm.cm.analyze.Moment;
import io.iwcm.cm.analyze.Verdict;
import io.iwcm.cm.analyze.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/analyze.md names everything that scripts can meet. */
class AnalyzeDocumentTest {

    @Test
    void namesEveryCodeThatScriptsCanMeet() throws IOException {
        String document = Files.readString(Checkout.root().resolve("docs/analyze.md"));
        Stream.of(Why.values())
                .map(Why::label)
                .forEach(code -> assertThat(document).contains("`" + code + "`"));
        Stream.of(Moment.Kind.values())
                .map(Moment.Kind::label)
                .forEach(kind -> assertThat(document).contains("`" + kind + "`"));
        Stream.of(End.values())
                .map(End::label)
                .forEach(kind -> assertThat(document).contains("`" + kind + "`"));
        Stream.of(Verdict.values())
                .map(Verdict::label)
                .forEach(label -> assertThat(document).contains("`" + label + "`"));
    }
}
