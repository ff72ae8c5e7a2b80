package io.iwcm.cm.actor;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/** Whoever is told of connections: the application's end. */
public interface CmConsumer {

    /**
     * Takes a notice. Called on the connection's thread: it must only pass the notice on. When it throws, the connection is
     * taken down.
     */
    void tell(CmNotice notice);

    /** The actor with whom the application dies; empty when it cannot be watched. */
    Optional<ActorRef<?>> actor();

    /** Who is told of this one connection; asked once, before its first event. */
    default CmConsumer of(CmConnection connection) {
        return this;
    }

    /** The connection is over: it has been told all it will be. Called once, on the connection's thread. */
    default void ended() {}

    /** An application that is an actor: when it stops, its connections and listeners are ended. */
    static CmConsumer of(ActorRef<CmNotice> application) {
        return new ActorConsumer(application);
    }

    /** See {@link #of}. */
    record ActorConsumer(ActorRef<CmNotice> application) implements CmConsumer {
        @Override
        public void tell(CmNotice notice) {
            application.tell(notice);
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.of(application);
        }
    }
}
