package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmObserver;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines leave in the order of their time, and all of them leave. */
@Timeout(60)
class TimelineTest {

    private static final long MS = 1_000_000;

    private final StringWriter text = new StringWriter();
    private final Timeline timeline = new Timeline(new PrintWriter(text), true);
    private final CmObserver watch = timeline.watch("node");

    @Test
    void theLastLineLeavesAlthoughNothingComesAfterIt() {
        watch.frameSent(new byte[1], 0);
        watch.frameReceived(new byte[1], MS);

        while (text.toString().lines().count() < 2) Thread.onSpinWait();
        assertThat(text.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("0.000 ms", ">"),
                        line -> assertThat(line).contains("1.000 ms", "<"));
    }

    @Test
    void whatIsReportedLateStandsWhereItBelongs() {
        watch.frameReceived(new byte[1], 2 * MS);
        watch.frameSent(new byte[1], MS);
        timeline.flush();

        assertThat(text.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("0.000 ms", ">"),
                        line -> assertThat(line).contains("1.000 ms", "<"));
    }
}
