package io.iwcm.cm.map;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What became of one test, run with the classes of one loader. */
sealed interface TestRun {

    record Green() implements TestRun {}

    record Red(String why) implements TestRun {}

    /** It proves nothing: it did not run, or something is wrong with the classes themselves. */
    record Useless(String why) implements TestRun {}

    /** How long a test may take: one that waits for what a disabled method does not do gives up by itself before. */
    int PATIENCE_S = 60;

    static TestRun of(Named test, ClassLoader loader) {
        FutureTask<TestRun> task = new FutureTask<>(() -> run(test, loader));
        Thread thread = new Thread(task, test.text());
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        try {
            return task.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException _) {
            thread.interrupt();
            return new Red("it did not end within " + PATIENCE_S + " s");
        } catch (ExecutionException e) {
            return new Useless(e.getCause().toString());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TestRun run(Named test, ClassLoader loader) {
        Method method = test.declaredOrInherited(loader);
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(test.type(loader), method))
                .execute();
        Optional<Throwable> thrown = results.allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .map(result -> result.getThrowable().orElseThrow());
        if (thrown.isPresent()) {
            return thrown.get() instanceof LinkageError error
                    ? new Useless(error.toString())
                    : new Red(beginning(thrown.get().toString()));
        }
        boolean ran = results.testEvents().succeeded().count() > 0;
        boolean whole = results.allEvents().skipped().count() == 0
                && results.allEvents().aborted().count() == 0;
        return ran && whole ? new Green() : new Useless("it was skipped");
    }

    private static String beginning(String message) {
        String words = message.lines().map(String::strip).collect(Collectors.joining(" "));
        return words.substring(0, Math.min(200, words.length()));
    }
}
