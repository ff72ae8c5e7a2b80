package io.iwcm.nic.verbs;

import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.spi.AsyncEvent;
import java.util.function.Consumer;

/**
 * How a queue pair is to be used.
 *
 * @param domain whose regions it works with and its peer may reach
 * @param sendDone takes the completions of the send queue
 * @param receiveDone takes the completions of the receive queue; may be the same
 * @param sendDepth Sends, Writes and Reads that are not completed, or whose completion was not taken, at most
 * @param receiveDepth receives likewise
 * @param events hears what happens to the connection, one event after the other, on a thread of its own
 */
public record QpOptions(
        ProtectionDomain domain,
        CompletionQueue sendDone,
        CompletionQueue receiveDone,
        int sendDepth,
        int receiveDepth,
        Consumer<AsyncEvent> events) {

    public QpOptions {
        if (sendDepth < 1 || receiveDepth < 1) {
            throw new IllegalArgumentException("queues must be 1 or more deep");
        }
    }

    /** One completion queue for all, and nobody who hears events. */
    public static QpOptions of(ProtectionDomain domain, CompletionQueue done, int sendDepth, int receiveDepth) {
        return new QpOptions(domain, done, done, sendDepth, receiveDepth, _ -> {});
    }

    /** With somebody who hears events. */
    public QpOptions events(Consumer<AsyncEvent> other) {
        return new QpOptions(domain, sendDone, receiveDone, sendDepth, receiveDepth, other);
    }
}
