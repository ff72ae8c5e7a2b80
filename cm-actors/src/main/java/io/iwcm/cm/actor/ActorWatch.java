package io.iwcm.cm.actor;

/** Hears what becomes of the actors of one kind; from any thread, several at once. */
public interface ActorWatch {

    /** Nobody watches: actors are made as if this did not exist. */
    ActorWatch NONE = new ActorWatch() {
        @Override
        public int sample() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void started() {}

        @Override
        public void stopped() {}

        @Override
        public void failed() {}

        @Override
        public void told() {}

        @Override
        public void taken() {}

        @Override
        public void worked() {}

        @Override
        public void waited(long ns) {}

        @Override
        public void worked(long ns) {}
    };

    /** Of so many messages one is timed, 1 or more. */
    int sample();

    /** An actor has begun, or begun again after it failed. */
    void started();

    /** An actor has ended, or is about to begin again. */
    void stopped();

    /** Its code threw. */
    void failed();

    /** A message has come into a mailbox. */
    void told();

    /** A message has left a mailbox: to be worked on, or because its actor has ended. */
    void taken();

    /** A message has been worked on. */
    void worked();

    /** How long a message that is timed lay in its mailbox. */
    void waited(long ns);

    /** How long the work on a message that is timed took. */
    void worked(long ns);
}
