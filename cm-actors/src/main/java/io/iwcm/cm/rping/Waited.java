package io.iwcm.cm.rping;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for a stage, on a thread of the application. */
final class Waited {

    private Waited() {}

    static <T> T on(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException why) throw why;
            throw new IllegalStateException(e.getCause());
        }
    }
}
