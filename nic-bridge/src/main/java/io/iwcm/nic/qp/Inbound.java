package io.iwcm.nic.qp;

import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.Reach;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/**
 * RDMAP's and DDP's receiving side of one connection (RFC 5040 §5, RFC 5041 §5): judges each segment whole, then places it
 * straight in the memory it is for. TCP delivers in order, so a segment is the next of its message or in error. What cannot
 * be placed is refused with the Terminate that says why, and not one octet of it is written.
 */
final class Inbound {

    /** What a segment of the peer leads to. */
    sealed interface Outcome {}

    /** Nothing is to be done. */
    enum Taken implements Outcome {
        TAKEN
    }

    /** The peer ends the stream. */
    record PeerTerminated(TermCode code) implements Outcome {}

    /** The segment is in error: the stream ends with this Terminate. */
    record Refused(TermCode code, DdpSegment terminate) implements Outcome {}

    /** A message of several segments that has not arrived in full. */
    private static final class Arriving {
        private final int opcode;
        private final WorkRequest.Receive receive;
        private long length;

        private Arriving(int opcode, WorkRequest.Receive receive) {
            this.opcode = opcode;
            this.receive = receive;
        }
    }

    private final boolean initiator;
    private final boolean peerToPeer;
    private final int readsMax;
    private final WorkQueues work;
    private final Outbound outbound;
    private final QpCounters counters;
    private boolean firstSeen;
    private int sendsReceived;
    private int readsReceived;
    private Optional<Arriving> arriving = Optional.empty();

    /**
     * Of a fresh stream.
     *
     * @param initiator whether we sent the MPA request
     * @param peerToPeer whether the initiator's first message is an RTR
     * @param ird Read Requests that the peer may have open at once; one always fits (RFC 6581 §9.2)
     */
    Inbound(boolean initiator, boolean peerToPeer, int ird, WorkQueues work, Outbound outbound, QpCounters counters) {
        this.initiator = initiator;
        this.peerToPeer = peerToPeer;
        this.readsMax = Math.max(1, ird);
        this.work = work;
        this.outbound = outbound;
        this.counters = counters;
    }

    /** Whether the peer has sent part of a message and owes the rest. */
    boolean insideMessage() {
        return arriving.isPresent();
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
                        ? terminated(segment.payload(), insteadOfRtr)
                        : refuse(Terminate.UNEXPECTED_OPCODE, segment);
            default -> refuse(Terminate.INVALID_QUEUE, segment);
        };
    }

    private Outcome terminated(Octets payload, boolean insteadOfRtr) {
        TermCode code = Terminate.read(payload, insteadOfRtr);
        if (Terminate.inReadRequest(code)) {
            Terminate.refusedRead(payload).ifPresent(outbound::readRefused);
        }
        return new PeerTerminated(code);
    }

    /** A zero-length Write is good whatever its STag and offset (RFC 5041 §5.2). */
    private Outcome write(DdpSegment segment) {
        Octets payload = segment.payload();
        if (payload.isEmpty()) {
            return Taken.TAKEN;
        }
        Optional<MemoryRegion> region = work.regions().find(segment.stag());
        Reach reach = RegionTable.reachToWrite(region, work.domain(), segment.taggedOffset(), payload.length());
        if (reach != Reach.GOOD) {
            return refuse(
                    switch (reach) {
                        case GOOD, NO_SUCH_STAG -> Terminate.TAGGED_INVALID_STAG;
                        case OTHER_DOMAIN -> Terminate.TAGGED_NOT_ASSOCIATED;
                        case NOT_ALLOWED -> Terminate.ACCESS_RIGHTS;
                        case WRAPS -> Terminate.TAGGED_WRAP;
                        case OUT_OF_BOUNDS -> Terminate.TAGGED_BOUNDS;
                    },
                    segment);
        }
        region.get().place(region.get().at(segment.taggedOffset()), payload);
        return Taken.TAKEN;
    }

    /** The answer to our oldest Read (RFC 5040 §5.2.2): what it asked for, from its first octet to its last. */
    private Outcome readResponse(DdpSegment segment) {
        Optional<Outbound.OpenRead> oldest = outbound.openRead();
        if (oldest.isEmpty()) {
            return refuse(Terminate.UNEXPECTED_OPCODE, segment);
        }
        Outbound.OpenRead read = oldest.get();
        Octets payload = segment.payload();
        long wanted = read.into.length();
        if (wanted > 0 && segment.stag() != read.stag) {
            return refuse(Terminate.TAGGED_INVALID_STAG, segment);
        }
        boolean goesOn = wanted == 0 || segment.taggedOffset() == read.offset + read.received;
        if (!goesOn || payload.length() > wanted - read.received) {
            return refuse(Terminate.TAGGED_BOUNDS, segment);
        }
        if (!payload.isEmpty() && !read.into.usable()) {
            read.work.ifPresent(own -> work.mark(own, Status.LOCAL_PROTECTION));
            return refuse(Terminate.TAGGED_INVALID_STAG, segment);
        }
        if (segment.last() != (read.received + payload.length() == wanted)) {
            return refuse(Terminate.UNSPECIFIED, segment);
        }
        read.into.place(read.received, payload);
        read.received += payload.length();
        if (segment.last()) {
            outbound.readDone();
        }
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
        long expected = arriving.map(message -> message.length).orElse(0L);
        if (Integer.toUnsignedLong(segment.messageOffset()) != expected) {
            return refuse(Terminate.INVALID_OFFSET, segment);
        }
        if (rtr
                && segment.opcode() == DdpSegment.SEND
                && segment.last()
                && segment.payload().isEmpty()) {
            sendsReceived++;
            return Taken.TAKEN;
        }
        if (arriving.isEmpty()) {
            arriving = work.takeReceive().map(receive -> new Arriving(segment.opcode(), receive));
        }
        return arriving.map(message -> part(segment, message)).orElseGet(() -> refuse(Terminate.NO_BUFFER, segment));
    }

    private Outcome part(DdpSegment segment, Arriving message) {
        Octets payload = segment.payload();
        Slices into = message.receive.into();
        if (segment.opcode() != message.opcode) {
            return refuse(Terminate.UNEXPECTED_OPCODE, segment);
        }
        if (payload.length() > into.length() - message.length) {
            work.complete(message.receive, Status.LOCAL_LENGTH, 0);
            return refuse(Terminate.TOO_LONG, segment);
        }
        if (!into.usable()) {
            counters.count(QpCounter.LOCAL_FAILURES);
            work.complete(message.receive, Status.LOCAL_PROTECTION, 0);
            return new Refused(Terminate.DDP_LOCAL, Terminate.of(Terminate.DDP_LOCAL));
        }
        into.place(message.length, payload);
        message.length += payload.length();
        return segment.last() ? whole(segment, message) : Taken.TAKEN;
    }

    private Outcome whole(DdpSegment segment, Arriving message) {
        boolean invalidates = segment.opcode() == DdpSegment.SEND_INVALIDATE
                || segment.opcode() == DdpSegment.SEND_SOLICITED_INVALIDATE;
        if (invalidates && work.regions().invalidate(segment.invalidates(), work.domain()) != Reach.GOOD) {
            return refuse(Terminate.CANNOT_INVALIDATE, segment);
        }
        sendsReceived++;
        arriving = Optional.empty();
        boolean solicited = segment.opcode() >= DdpSegment.SEND_SOLICITED;
        Optional<Integer> invalidated = invalidates ? Optional.of(segment.invalidates()) : Optional.empty();
        work.complete(message.receive, Status.SUCCESS, message.length, new WorkRequest.Form(solicited, invalidated));
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
        if (request.length() > Outbound.READ_REQUEST) {
            return refuse(Terminate.TOO_LONG, segment);
        }
        if (request.length() < Outbound.READ_REQUEST || !segment.last()) {
            return refuse(Terminate.UNSPECIFIED, segment);
        }
        return answer(segment, request);
    }

    private Outcome answer(DdpSegment segment, Octets request) {
        long length = Integer.toUnsignedLong(request.intAt(12));
        long offset = request.longAt(20);
        Slices source = Slices.NONE;
        if (length > 0) { // RFC 5040 §5.2.1: of a zero-length Read neither STag nor offset is looked at.
            Optional<MemoryRegion> region = work.regions().find(request.intAt(16));
            Reach reach = RegionTable.reachToRead(region, work.domain(), offset, length);
            if (reach != Reach.GOOD) {
                return refuse(
                        switch (reach) {
                            case GOOD, NO_SUCH_STAG -> Terminate.READ_INVALID_STAG;
                            case OTHER_DOMAIN -> Terminate.READ_NOT_ASSOCIATED;
                            case NOT_ALLOWED -> Terminate.ACCESS_RIGHTS;
                            case WRAPS -> Terminate.READ_WRAP;
                            case OUT_OF_BOUNDS -> Terminate.READ_BOUNDS;
                        },
                        segment);
            }
            source = Slices.of(region.get(), region.get().at(offset), length);
        }
        readsReceived++;
        Octets cause = Octets.wrap(segment.octets().toBytes()); // The frame it came in is not kept.
        outbound.answer(new Outbound.Answer(request.intAt(0), request.longAt(4), source, cause));
        return Taken.TAKEN;
    }

    private static Outcome refuse(TermCode code, DdpSegment cause) {
        return new Refused(code, Terminate.of(code, cause));
    }
}
