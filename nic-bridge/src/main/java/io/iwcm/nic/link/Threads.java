package io.iwcm.nic.link;

/** Ending threads. */
final class Threads {

    private Threads() {}

    /**
     * Waits until the thread has ended, through interrupts, which are kept for later. A thread does not wait for itself:
     * a receiver may close its own link.
     */
    static void joinUnlessCurrent(Thread thread) {
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
