package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.codec.Portable;
import org.apache.pekko.actor.typed.ActorRef;

/** What comes of asking for a listener. */
public sealed interface ListenAnswer extends Portable {

    /**
     * Every SYN entry is in.
     *
     * @param id as snapshots number it
     */
    record Listening(long id, ActorRef<Listener.Command> listener) implements ListenAnswer {}

    /** Nothing is left of it. */
    record Refused(Cause cause) implements ListenAnswer {}
}
