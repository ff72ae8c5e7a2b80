package io.iwcm.nic.qp;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;

/**
 * One connection's full operation above TCP: octets of the peer become FPDUs, FPDUs become RDMAP's messages, and what RDMAP
 * answers becomes FPDUs again. Knows no TCP.
 */
final class RdmaStream {

    /** What the next FPDU of the peer leads to. */
    sealed interface Heard {}

    /** Heard, with nothing to be done; or nothing there. */
    enum Silent implements Heard {
        /** More octets are needed. */
        NOTHING,
        /** A good FPDU that needs no answer. */
        QUIET
    }

    /** The answer to a zero-length Read. */
    record Answer(Octets fpdu) implements Heard {}

    /** The peer's Terminate. */
    record Terminated(TermCode code) implements Heard {}

    /** A good FPDU with a segment in error, and the Terminate that says so. */
    record Refused(TermCode code, Octets fpdu) implements Heard {}

    /** An FPDU that MPA could not read. */
    record Garbled(AsyncEvent.Code event, TermCode code) implements Heard {}

    private final RdmaParams params;
    private final QpCounters counters;
    private final FpduReader reader;
    private final FpduWriter writer;
    private final Rdmap rdmap;
    private boolean validated;

    RdmaStream(RdmaParams params, int emss, QpCounters counters) {
        this.params = params;
        this.counters = counters;
        this.reader = new FpduReader(params.receiveMarkers(), params.crc());
        this.writer = new FpduWriter(params.sendMarkers(), params.crc(), emss);
        this.rdmap = new Rdmap(
                params.initiator(), params.peerToPeer(), params.depths().ird());
    }

    /** The initiator's first FPDU; none without the peer-to-peer model. */
    Octets rtr() {
        boolean due = params.initiator() && params.peerToPeer();
        return params.rtr()
                .filter(form -> due)
                .map(form -> writer.frame(rdmap.rtr(form).octets()))
                .orElse(Octets.EMPTY);
    }

    /** A Terminate that no FPDU of the peer caused, or one that could not be read. */
    Octets terminate(TermCode code) {
        return writer.frame(Terminate.of(code).octets());
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

    /** The peer has sent part of an FPDU and owes the rest. */
    boolean insideFpdu() {
        return reader.insideFpdu();
    }

    /** The next octets of the peer, in order. */
    void feed(Octets octets) {
        reader.feed(octets);
    }

    /**
     * The next FPDU fed. After {@link Refused}, {@link Terminated} or {@link Garbled} there is no next.
     *
     * @param readsOpen see {@link Rdmap#receive}
     */
    Heard next(int readsOpen) {
        return switch (reader.next()) {
            case FpduReader.Incomplete _ -> Silent.NOTHING;
            case FpduReader.Bad bad -> garbled(bad);
            case FpduReader.Fpdu(Octets ulpdu) -> {
                validated = true;
                counters.count(QpCounter.FPDU);
                yield heard(rdmap.receive(ulpdu, readsOpen));
            }
        };
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

    private Heard heard(Rdmap.Outcome outcome) {
        return switch (outcome) {
            case Rdmap.Taken _ -> Silent.QUIET;
            case Rdmap.ReadResponse(DdpSegment segment) -> new Answer(writer.frame(segment.octets()));
            case Rdmap.PeerTerminated(TermCode code) -> new Terminated(code);
            case Rdmap.Refused(TermCode code, DdpSegment terminate) -> {
                counters.count(QpCounter.DDP_REFUSED);
                yield new Refused(code, writer.frame(terminate.octets()));
            }
        };
    }
}
