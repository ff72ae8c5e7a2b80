package io.iwcm.nic.verbs;

import io.iwcm.nic.spi.AsyncEvent;

/** Where a queue pair's results go. Called on the NIC's thread: must be quick and never wait. */
public interface QpConsumer {

    /**
     * A work request has ended, and its place in the queue is free.
     *
     * @param told whether the application is to hear of it
     */
    void completed(Completion completion, boolean told);

    /** Something happened to the connection. */
    void event(AsyncEvent event);

    /** The queue pair is gone; the last call but for work that was posted meanwhile. */
    void gone();
}
