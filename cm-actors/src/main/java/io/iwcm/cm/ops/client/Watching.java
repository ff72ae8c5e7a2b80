package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Whether an answer is fetched once, or again and again until somebody ends it. */
final class Watching {

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            description = "Again every so many seconds, 0.1..3600, until it is interrupted or the node is gone.")
    private double seconds;

    boolean forEver() {
        if (seconds == 0) return false;
        if (!(seconds >= 0.1 && seconds <= 3600)) {
            throw new ClientFailure(Kind.BAD_INPUT, "--watch " + seconds + " is out of range: 0.1..3600 are allowed");
        }
        return true;
    }

    /** Waits for the next time; at once false when once was asked for. */
    boolean again() {
        if (!forEver()) return false;
        try {
            Thread.sleep(Duration.ofMillis((long) (seconds * 1000)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
