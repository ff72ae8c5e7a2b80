package io.iwcm.nic.bridge;

import org.apache.pekko.actor.typed.ActorRef;

/**
 * What somebody is to be told.
 *
 * @param to whom
 * @param message what
 */
public record Announcement<T>(ActorRef<T> to, T message) {

    /** Tells it. */
    public void send() {
        to.tell(message);
    }
}
