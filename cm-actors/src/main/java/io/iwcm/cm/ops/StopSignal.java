package io.iwcm.cm.ops;

import io.iwcm.cm.api.ConnectionManager;
import java.util.concurrent.CountDownLatch;

/** Stops a connection manager in order when the process is asked to end. */
final class StopSignal {

    private StopSignal() {}

    /** The latch opens when the manager has stopped. */
    static CountDownLatch stops(ConnectionManager manager, EventPrinter printer) {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            manager.close();
                            printer.say("stopped");
                            stopped.countDown();
                        },
                        "iwcm-shutdown"));
        return stopped;
    }
}
