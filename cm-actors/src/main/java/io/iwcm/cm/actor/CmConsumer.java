package io.iwcm.cm.actor;

import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.codec.Portable;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Whoever is told of connections: the application's end. A value that names actors and nothing else, so that it means the
 * same wherever a connection lives.
 */
public interface CmConsumer {

    /** Who is to be told what when this notice comes. Called on the connection's thread. */
    Announcement<?> telling(CmNotice notice);

    /** Who is to be told that a connection is over: that it has been told all it will be. */
    default Optional<Announcement<?>> over(CmConnection connection) {
        return Optional.empty();
    }

    /** The actor with whom the application dies; empty when it cannot be watched. */
    Optional<ActorRef<?>> actor();

    /** An application that is an actor: when it stops, its connections and listeners are ended. */
    static CmConsumer of(ActorRef<CmNotice> application) {
        return new ActorConsumer(application);
    }

    /** See {@link #of}. */
    record ActorConsumer(ActorRef<CmNotice> application) implements CmConsumer {
        @Override
        public Announcement<?> telling(CmNotice notice) {
            return new Announcement<>(application, notice);
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.of(application);
        }
    }

    /**
     * One of the handlers of an application that has many; all end with their home.
     *
     * @param home the actor that runs them
     * @param handler which, as its home numbers them
     */
    record HandlerConsumer(ActorRef<ToHandler> home, long handler) implements CmConsumer {
        @Override
        public Announcement<?> telling(CmNotice notice) {
            return new Announcement<>(home, new Told(handler, notice));
        }

        @Override
        public Optional<Announcement<?>> over(CmConnection connection) {
            return Optional.of(new Announcement<>(home, new Over(handler, connection)));
        }

        @Override
        public Optional<ActorRef<?>> actor() {
            return Optional.of(home);
        }
    }

    /** What the home of handlers is told. */
    interface ToHandler extends Portable {}

    /** A notice for one of its handlers. */
    record Told(long handler, CmNotice notice) implements ToHandler {}

    /** A connection of that handler is over. */
    record Over(long handler, CmConnection connection) implements ToHandler {}
}
