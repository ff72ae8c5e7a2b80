package io.iwcm.nic.verbs;

import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.Slices;
import java.util.Optional;

/** What a consumer asks a queue pair to do. */
public sealed interface WorkRequest {

    /** The consumer's own name for it, which its completion repeats. */
    long id();

    /**
     * Memory for one message of the peer's Sends, used in the order of posting.
     *
     * @param into where the message is placed; one that is longer ends the connection
     */
    record Receive(long id, Slices into) implements WorkRequest {}

    /** Work of the send queue: begun in order and completed in order. */
    sealed interface Outgoing extends WorkRequest {

        /** Whether success is told too; an error always is. */
        boolean signaled();
    }

    /**
     * A message for the peer's next receive.
     *
     * @param from the message; may be changed again once this is completed
     * @param form which of the four Sends (RFC 5040 §5.3)
     */
    record Send(long id, Slices from, Form form, boolean signaled) implements Outgoing {

        /** A plain one, signaled. */
        public Send(long id, Slices from) {
            this(id, from, Form.PLAIN, true);
        }
    }

    /**
     * Which Send it is.
     *
     * @param solicited the peer's consumer is to be woken though it waits for such ones only
     * @param invalidate STag of the peer that nobody shall reach any more once the message is there; empty: none
     */
    record Form(boolean solicited, Optional<Integer> invalidate) {
        public static final Form PLAIN = new Form(false, Optional.empty());
        public static final Form SOLICITED = new Form(true, Optional.empty());

        public static Form invalidating(int stag) {
            return new Form(false, Optional.of(stag));
        }
    }

    /**
     * Octets for memory of the peer, of which the peer's consumer is told nothing.
     *
     * @param from the octets; may be changed again once this is completed, which does not say that they are placed
     * @param to where
     */
    record Write(long id, Slices from, RemoteBuffer to, boolean signaled) implements Outgoing {

        /** Signaled. */
        public Write(long id, Slices from, RemoteBuffer to) {
            this(id, from, to, true);
        }
    }

    /**
     * Octets from memory of the peer. Waits as long as the peer has as many open Reads as the negotiated ORD.
     *
     * @param into where they are placed: exactly one part
     * @param from which: as many as {@code into} is long
     */
    record Read(long id, Slices into, RemoteBuffer from, boolean signaled) implements Outgoing {

        /** Signaled. */
        public Read(long id, Slices into, RemoteBuffer from) {
            this(id, into, from, true);
        }
    }

    /** From the moment this is completed nobody reaches the region any more. */
    record Invalidate(long id, MemoryRegion region, boolean signaled) implements Outgoing {}
}
