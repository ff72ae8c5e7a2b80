package io.iwcm.nic.spi;

import java.util.Optional;

/**
 * An asynchronous event of a queue pair.
 *
 * @param code what happened
 * @param terminate the Terminate message's content with {@link Code#LLP_TERMINATE_RECEIVED} and
 *     {@link Code#TERMINATE_SENT}, else empty
 */
public record AsyncEvent(Code code, Optional<TermCode> terminate) {

    public static AsyncEvent of(Code code) {
        return new AsyncEvent(code, Optional.empty());
    }

    /** The kinds of asynchronous event, under the field's names. */
    public enum Code {
        /** The queue pair is in RTS: it has taken TCP over. */
        LLP_CONNECTION_ESTABLISHED,
        /** Responder, peer-to-peer model: the RTR or another first FPDU has arrived. */
        RTR_RECEIVED,
        /** The peer has acknowledged the whole MPA reply; its buffer is free. */
        LSMM_ACKNOWLEDGED,
        /** The peer's FIN has arrived. */
        LLP_FIN_RECEIVED,
        /** Both FINs are acknowledged. */
        LLP_CLOSE_COMPLETE,
        /** An acceptable RST has arrived. */
        LLP_CONNECTION_RESET,
        /** Retransmissions are used up; the peer was reset. */
        LLP_TOO_MANY_RETRIES,
        /** Early warning: retransmitting more than usual. */
        LLP_DOUBT_REACHABILITY,
        /** The peer's Terminate has arrived. */
        LLP_TERMINATE_RECEIVED,
        /** Our Terminate is out. */
        TERMINATE_SENT,
        /** Our RST is out. */
        RESET_SENT,
        /** A FIN arrived while work was pending: an error, not a graceful close. */
        BAD_CLOSE,
        /** An FPDU failed its CRC. */
        MPA_CRC_ERROR,
        /** A marker did not point where it must. */
        MPA_MARKER_ERROR
    }
}
