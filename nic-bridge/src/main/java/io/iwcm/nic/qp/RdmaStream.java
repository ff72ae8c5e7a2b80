package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;

/**
 * One connection's full operation above TCP: octets of the peer become FPDUs, FPDUs become RDMAP's messages, and posted work
 * becomes FPDUs again. Knows no TCP.
 */
final class RdmaStream {

    /** What the next FPDU of the peer leads to. */
    sealed interface Heard {}

    /** Heard, with nothing to be done; or nothing there. */
    enum Silent implements Heard {
        /** More octets are needed. */
        NOTHING,
        /** A good FPDU that needs no answer, or none at once. */
        QUIET
    }

    /** The peer's Terminate. */
    record Terminated(TermCode code) implements Heard {}

    /** A good FPDU with a segment in error, and the Terminate that says so. */
    record Refused(TermCode code, Octets fpdu) implements Heard {}

    /** An FPDU that MPA could not read. */
    record Garbled(AsyncEvent.Code event, TermCode code) implements Heard {}

    private final RdmaParams params;
    private final QpCounters counters;
    private final FpduReader reader;
    private final Inbound inbound;
    private final Outbound outbound;
    private boolean validated;

    RdmaStream(RdmaParams params, int emss, WorkQueues work, QpCounters counters) {
        this.params = params;
        this.counters = counters;
        this.reader = new FpduReader(params.receiveMarkers(), params.crc());
        FpduWriter writer = new FpduWriter(params.sendMarkers(), params.crc(), emss);
        this.outbound = new Outbound(writer, work, params.depths().ord(), counters);
        this.inbound = new Inbound(
                params.initiator(), params.peerToPeer(), params.depths().ird(), work, outbound, counters);
    }

    /** The initiator's first FPDU; none without the peer-to-peer model. */
    Octets rtr() {
        boolean due = params.initiator() && params.peerToPeer();
        return params.rtr().filter(_ -> due).map(outbound::rtr).orElse(Octets.EMPTY);
    }

    /** A Terminate that no FPDU of the peer caused, or one that could not be read. */
    Octets terminate(TermCode code) {
        return outbound.frame(Terminate.of(code));
    }

    /** This Terminate as an FPDU. */
    Octets frame(DdpSegment terminate) {
        return outbound.frame(terminate);
    }

    /**
     * Whether FPDUs may be sent at all: the responder must have validated one before (RFC 5044 §7.1.2); until then an end is
     * a reset.
     */
    boolean maySend() {
        return params.initiator() || validated;
    }

    /** A good FPDU has been received. */
    boolean validated() {
        return validated;
    }

    /** The peer owes something: the rest of an FPDU or of a message, or the answer to a Read. */
    boolean awaitsMore() {
        return reader.insideFpdu() || inbound.insideMessage() || outbound.awaitsAnswer();
    }

    /** Whether everything posted is sent and answered, and every Read of the peer. */
    boolean idle() {
        return outbound.idle();
    }

    /** Reads of the peer whose answer is not wholly sent. */
    int answersDue() {
        return outbound.answersDue();
    }

    /** The end: nothing more is sent, and everything posted is flushed. */
    void stop() {
        outbound.stop();
    }

    /** The next octets of the peer, in order. */
    void feed(Octets octets) {
        reader.feed(octets);
    }

    /**
     * The next FPDU fed. After {@link Refused}, {@link Terminated} or {@link Garbled} there is no next.
     *
     * @param readsOpen see {@link Inbound#receive}
     */
    Heard next(int readsOpen) {
        return switch (reader.next()) {
            case FpduReader.Incomplete _ -> Silent.NOTHING;
            case FpduReader.Bad bad -> garbled(bad);
            case FpduReader.Fpdu(Octets ulpdu) -> {
                validated = true;
                counters.count(QpCounter.FPDU);
                yield heard(inbound.receive(ulpdu, readsOpen));
            }
        };
    }

    /** The next FPDU for the peer, of at most so many octets. */
    Outbound.Due due(int room) {
        return outbound.due(room, maySend());
    }

    private Heard garbled(FpduReader.Bad bad) {
        return switch (bad) {
            case CRC -> {
                counters.count(QpCounter.FPDU_BAD_CRC);
                yield new Garbled(AsyncEvent.Code.MPA_CRC_ERROR, Terminate.MPA_CRC);
            }
            case MARKER -> {
                counters.count(QpCounter.FPDU_BAD_MARKER);
                yield new Garbled(AsyncEvent.Code.MPA_MARKER_ERROR, Terminate.MPA_MARKER);
            }
        };
    }

    private Heard heard(Inbound.Outcome outcome) {
        return switch (outcome) {
            case Inbound.Taken _ -> Silent.QUIET;
            case Inbound.PeerTerminated(TermCode code) -> new Terminated(code);
            case Inbound.Refused(TermCode code, DdpSegment terminate) -> {
                counters.count(QpCounter.DDP_REFUSED);
                counters.count(Terminate.counterOf(code));
                yield new Refused(code, outbound.frame(terminate));
            }
        };
    }
}
