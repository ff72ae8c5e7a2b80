package io.iwcm.nic.verbs;

import io.iwcm.nic.spi.QpId;
import java.util.Optional;

/**
 * What became of a work request.
 *
 * @param qp of which queue pair
 * @param id the consumer's name for the request
 * @param kind what it was
 * @param status how it ended
 * @param length receive, read: octets placed; else 0
 * @param solicited receive: the peer asked to wake its consumer
 * @param invalidated receive: the STag of ours that the peer has invalidated
 */
public record Completion(
        QpId qp, long id, Kind kind, Status status, long length, boolean solicited, Optional<Integer> invalidated) {

    /** What was asked for. */
    public enum Kind {
        RECEIVE,
        SEND,
        WRITE,
        READ,
        INVALIDATE
    }

    /** How it ended. */
    public enum Status {
        SUCCESS("done"),
        FLUSHED("the connection ended first"),
        LOCAL_PROTECTION("its memory was no longer registered"),
        LOCAL_LENGTH("the peer's message was longer than the memory for it"),
        NO_READ_DEPTH("the negotiated ORD is 0: no Read can be issued"),
        REMOTE_ACCESS("the peer did not allow it");

        private final String phrase;

        Status(String phrase) {
            this.phrase = phrase;
        }

        /** For people. */
        public String phrase() {
            return phrase;
        }
    }

    /** Whether it did what it was asked to. */
    public boolean good() {
        return status == Status.SUCCESS;
    }
}
