package io.iwcm.nic.qp;

import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import java.nio.ByteBuffer;

/**
 * RDMAP and DDP of one connection (RFC 5040, RFC 5041), as far as they go without buffers and memory: the zero-length
 * forms that RFC 6581 uses as RTR, the answer to a zero-length Read, and Terminate. No receive is ever posted and no STag
 * is ever valid here, so whatever carries payload is refused with the code that says just that.
 */
final class Rdmap {

    /** What a segment of the peer leads to. */
    sealed interface Outcome {}

    /** Nothing is to be done. */
    enum Taken implements Outcome {
        TAKEN
    }

    /** The Read Response that the peer has asked for. */
    record ReadResponse(DdpSegment segment) implements Outcome {}

    /** The peer ends the stream. */
    record PeerTerminated(TermCode code) implements Outcome {}

    /** The segment is in error: the stream ends with this Terminate. */
    record Refused(TermCode code, DdpSegment terminate) implements Outcome {}

    /** The length of RDMAP's Read Request header (RFC 5040 §4.4). */
    private static final int READ_REQUEST = 28;

    /** STag of our zero-length RTRs: any will do, but there are peers that refuse 0. */
    private static final int RTR_STAG = 1;

    private final boolean initiator;
    private final boolean peerToPeer;
    private final int readsMax;
    private boolean firstSeen;
    private boolean readAnswerDue;
    private int sendsReceived;
    private int readsReceived;

    /**
     * RDMAP of a fresh stream.
     *
     * @param initiator whether we sent the MPA request
     * @param peerToPeer whether the initiator's first message is an RTR
     * @param ird Read Requests that the peer may have open at once; one always fits (RFC 6581 §9.2)
     */
    Rdmap(boolean initiator, boolean peerToPeer, int ird) {
        this.initiator = initiator;
        this.peerToPeer = peerToPeer;
        this.readsMax = Math.max(1, ird);
    }

    /** The initiator's RTR, first message of the stream (RFC 6581 §9.2). */
    DdpSegment rtr(Rtr form) {
        return switch (form) {
            case SEND -> DdpSegment.untagged(DdpSegment.SEND, DdpSegment.SEND_QUEUE, 1, Octets.EMPTY);
            case WRITE -> DdpSegment.tagged(DdpSegment.WRITE, RTR_STAG, 0, Octets.EMPTY);
            case READ -> {
                readAnswerDue = true;
                ByteBuffer request = ByteBuffer.allocate(READ_REQUEST);
                request.putInt(RTR_STAG).putLong(0).putInt(0).putInt(RTR_STAG).putLong(0);
                Octets payload = Octets.wrap(request.array());
                yield DdpSegment.untagged(DdpSegment.READ_REQUEST, DdpSegment.READ_REQUEST_QUEUE, 1, payload);
            }
        };
    }

    /**
     * The next ULPDU of the peer.
     *
     * @param ulpdu the ULPDU
     * @param readsOpen Read Requests of the peer whose response it has not acknowledged
     */
    Outcome receive(Octets ulpdu, int readsOpen) {
        boolean rtr = !firstSeen && peerToPeer && !initiator;
        boolean insteadOfRtr = !firstSeen && !initiator;
        firstSeen = true;
        return DdpSegment.of(ulpdu)
                .map(segment -> check(segment, rtr, insteadOfRtr, readsOpen))
                .orElseGet(() -> new Refused(Terminate.DDP_LOCAL, Terminate.of(Terminate.DDP_LOCAL)));
    }

    private Outcome check(DdpSegment segment, boolean rtr, boolean insteadOfRtr, int readsOpen) {
        if (segment.version() != DdpSegment.VERSION) {
            return refuse(segment.tagged() ? Terminate.TAGGED_VERSION : Terminate.UNTAGGED_VERSION, segment);
        }
        if (segment.rdmapVersion() != DdpSegment.VERSION) {
            return refuse(Terminate.RDMAP_VERSION, segment);
        }
        if (segment.tagged()) {
            return switch (segment.opcode()) {
                case DdpSegment.WRITE -> write(segment);
                case DdpSegment.READ_RESPONSE -> readResponse(segment);
                default -> refuse(Terminate.UNEXPECTED_OPCODE, segment);
            };
        }
        return switch (segment.queue()) {
            case DdpSegment.SEND_QUEUE -> send(segment, rtr);
            case DdpSegment.READ_REQUEST_QUEUE -> readRequest(segment, readsOpen);
            case DdpSegment.TERMINATE_QUEUE ->
                segment.opcode() == DdpSegment.TERMINATE
                        ? new PeerTerminated(Terminate.read(segment.payload(), insteadOfRtr))
                        : refuse(Terminate.UNEXPECTED_OPCODE, segment);
            default -> refuse(Terminate.INVALID_QUEUE, segment);
        };
    }

    /** A zero-length Write is good whatever its STag and offset (RFC 5041 §5.2). */
    private static Outcome write(DdpSegment segment) {
        return segment.payload().isEmpty() ? Taken.TAKEN : refuse(Terminate.TAGGED_INVALID_STAG, segment);
    }

    private Outcome readResponse(DdpSegment segment) {
        if (!readAnswerDue) {
            return refuse(Terminate.UNEXPECTED_OPCODE, segment);
        }
        if (!segment.payload().isEmpty()) {
            return refuse(Terminate.TAGGED_BOUNDS, segment);
        }
        readAnswerDue = !segment.last();
        return Taken.TAKEN;
    }

    /** A Send needs a buffer even when it is empty (RFC 5040 §5.3); for the RTR one is kept by the queue pair. */
    private Outcome send(DdpSegment segment, boolean rtr) {
        if (segment.opcode() < DdpSegment.SEND || segment.opcode() > DdpSegment.SEND_SOLICITED_INVALIDATE) {
            return refuse(Terminate.UNEXPECTED_OPCODE, segment);
        }
        if (segment.msn() != sendsReceived + 1) {
            return refuse(Terminate.MSN_RANGE, segment);
        }
        if (segment.messageOffset() != 0) {
            return refuse(Terminate.INVALID_OFFSET, segment);
        }
        boolean invalidates = segment.opcode() != DdpSegment.SEND && segment.opcode() != DdpSegment.SEND_SOLICITED;
        if (!rtr || invalidates || !segment.last() || !segment.payload().isEmpty()) {
            return refuse(Terminate.NO_BUFFER, segment);
        }
        sendsReceived++;
        return Taken.TAKEN;
    }

    private Outcome readRequest(DdpSegment segment, int readsOpen) {
        if (segment.opcode() != DdpSegment.READ_REQUEST) {
            return refuse(Terminate.UNEXPECTED_OPCODE, segment);
        }
        if (segment.msn() != readsReceived + 1) {
            return refuse(Terminate.MSN_RANGE, segment);
        }
        if (segment.messageOffset() != 0) {
            return refuse(Terminate.INVALID_OFFSET, segment);
        }
        if (readsOpen >= readsMax) {
            return refuse(Terminate.NO_BUFFER, segment);
        }
        Octets request = segment.payload();
        if (request.length() > READ_REQUEST) {
            return refuse(Terminate.TOO_LONG, segment);
        }
        if (request.length() < READ_REQUEST || !segment.last()) {
            return refuse(Terminate.UNSPECIFIED, segment);
        }
        if (request.intAt(12) != 0) {
            return refuse(Terminate.READ_INVALID_STAG, segment);
        }
        readsReceived++;
        long offset = (long) request.intAt(4) << 32 | Integer.toUnsignedLong(request.intAt(8));
        return new ReadResponse(DdpSegment.tagged(DdpSegment.READ_RESPONSE, request.intAt(0), offset, Octets.EMPTY));
    }

    private static Outcome refuse(TermCode code, DdpSegment cause) {
        return new Refused(code, Terminate.of(code, cause));
    }
}
