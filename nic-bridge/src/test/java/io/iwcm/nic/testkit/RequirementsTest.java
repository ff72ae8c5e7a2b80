package io.iwcm.nic.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedSuccessfully;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

class RequirementsTest {

    @Test
    void runsWhatHasAllItNeeds() {
        run("toolThatIsThere", "all", "").assertThatEvents().haveExactly(1, event(finishedSuccessfully()));
    }

    @Test
    void skipsAndSaysWhatIsMissing() {
        run("toolThatIsNot", "", "")
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(skippedWithReason(
                                "needs the program 'no-such-program-1', " + "the program 'no-such-program-2'")));
    }

    @Test
    void failsInsteadOfSkippingWhenAllIsRequired() {
        String reason = "needs the program 'no-such-program-1', the program 'no-such-program-2', "
                + "and -Diwcm.require=all lets no test be skipped";
        run("toolThatIsNot", "all", "").assertThatEvents().haveExactly(1, event(finishedWithFailure(message(reason))));
    }

    @Test
    void skipsCapturesThatNobodyNamedEvenWhenAllIsRequired() {
        run("captures", "all", "")
                .assertThatEvents()
                .haveExactly(1, event(skippedWithReason("needs -Diwcm.captures=DIR")));
    }

    @Test
    void runsOverCapturesThatAreThere(@TempDir Path directory) {
        run("captures", "", directory.toString()).assertThatEvents().haveExactly(1, event(finishedSuccessfully()));
    }

    @Test
    void failsOverCapturesThatAreNamedButNotThere() {
        run("captures", "all", "no/such/directory").assertThatEvents().haveExactly(1, event(finishedWithFailure()));
    }

    private static Events run(String method, String require, String captures) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Samples.class, method))
                .configurationParameter("iwcm.require", require)
                .configurationParameter("iwcm.captures", captures)
                .execute()
                .testEvents();
    }

    /** Not found by the build itself, which looks for classes named after tests. */
    static final class Samples {

        @Test
        @RequiresTool("sh")
        void toolThatIsThere() {}

        @Test
        @RequiresTool({"no-such-program-1", "sh"})
        @RequiresTool("no-such-program-2")
        void toolThatIsNot() {}

        @Test
        @RequiresCaptures
        void captures() {}
    }
}
