package io.iwcm.cm.ops;

import java.util.concurrent.CountDownLatch;

/** Stops what runs in order when the process is asked to end. */
final class StopSignal {

    private StopSignal() {}

    /** The latch opens when {@code stop} has returned. */
    static CountDownLatch stops(Runnable stop, NodeOptions options, EventPrinter printer) {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stop.run();
                            options.stopped();
                            printer.say("stopped");
                            stopped.countDown();
                        },
                        "iwcm-shutdown"));
        return stopped;
    }
}
