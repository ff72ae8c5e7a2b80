package io.iwcm.cm.ops;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for a stage on a thread of the command line. */
final class Waiting {

    private Waiting() {}

    /** What it completes with; what it fails with is thrown as it is. */
    static <T> T on(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException why) throw why;
            throw e;
        }
    }
}
