package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A DDP segment with the RDMAP control octet inside its header (RFC 5041 §4, RFC 5040 §4.1): a ULPDU whose header is
 * complete. Which accessors mean something depends on {@link #tagged()}.
 *
 * @param octets header and payload
 */
record DdpSegment(Octets octets) {

    static final int WRITE = 0;
    static final int READ_REQUEST = 1;
    static final int READ_RESPONSE = 2;
    static final int SEND = 3;
    static final int SEND_INVALIDATE = 4;
    static final int SEND_SOLICITED = 5;
    static final int SEND_SOLICITED_INVALIDATE = 6;
    static final int TERMINATE = 7;

    /** Untagged queues (RFC 5040 §4.1). */
    static final int SEND_QUEUE = 0;

    static final int READ_REQUEST_QUEUE = 1;
    static final int TERMINATE_QUEUE = 2;

    static final int VERSION = 1;

    static final int TAGGED_HEADER = 14;
    static final int UNTAGGED_HEADER = 18;

    private static final int TAGGED = 0x80;
    private static final int LAST = 0x40;

    /** The segment that a ULPDU is; empty when it is too short for its header. */
    static Optional<DdpSegment> of(Octets ulpdu) {
        boolean whole = ulpdu.length() >= TAGGED_HEADER && ulpdu.length() >= headerLength(ulpdu.at(0));
        return whole ? Optional.of(new DdpSegment(ulpdu)) : Optional.empty();
    }

    /** A tagged message in one segment. */
    static DdpSegment tagged(int opcode, int stag, long offset, Octets payload) {
        return new DdpSegment(taggedHeader(opcode, true, stag, offset).concat(payload));
    }

    /** An untagged message in one segment; the field for the STag to invalidate is zero. */
    static DdpSegment untagged(int opcode, int queue, int msn, Octets payload) {
        return new DdpSegment(
                untaggedHeader(opcode, true, 0, new Place(queue, msn, 0)).concat(payload));
    }

    /** The header of a segment that places its payload by STag and tagged offset. */
    static Octets taggedHeader(int opcode, boolean last, int stag, long offset) {
        byte[] octets = new byte[TAGGED_HEADER];
        ByteBuffer.wrap(octets)
                .put((byte) (TAGGED | (last ? LAST : 0) | VERSION))
                .put((byte) (VERSION << 6 | opcode))
                .putInt(stag)
                .putLong(offset);
        return Octets.wrap(octets);
    }

    /** Where a segment without a tag belongs: its queue, the number of its message there, and the offset in that. */
    record Place(int queue, int msn, int messageOffset) {}

    /** The header of a segment that goes to a queue. */
    static Octets untaggedHeader(int opcode, boolean last, int invalidates, Place place) {
        byte[] octets = new byte[UNTAGGED_HEADER];
        ByteBuffer.wrap(octets)
                .put((byte) ((last ? LAST : 0) | VERSION))
                .put((byte) (VERSION << 6 | opcode))
                .putInt(invalidates)
                .putInt(place.queue())
                .putInt(place.msn())
                .putInt(place.messageOffset());
        return Octets.wrap(octets);
    }

    private static int headerLength(int control) {
        return (control & TAGGED) != 0 ? TAGGED_HEADER : UNTAGGED_HEADER;
    }

    boolean tagged() {
        return (octets.at(0) & TAGGED) != 0;
    }

    boolean last() {
        return (octets.at(0) & LAST) != 0;
    }

    int version() {
        return octets.at(0) & 3;
    }

    int rdmapVersion() {
        return octets.at(1) >>> 6;
    }

    int opcode() {
        return octets.at(1) & 0xf;
    }

    /** Tagged: the STag that the payload is placed by. */
    int stag() {
        return octets.intAt(2);
    }

    /** Tagged: the tagged offset that the payload is placed at, unsigned. */
    long taggedOffset() {
        return octets.longAt(6);
    }

    /** Send with Invalidate: the STag of the receiver that becomes invalid. */
    int invalidates() {
        return octets.intAt(2);
    }

    /** Untagged: queue number, unsigned. */
    int queue() {
        return octets.intAt(6);
    }

    /** Untagged: message sequence number. */
    int msn() {
        return octets.intAt(10);
    }

    /** Untagged: where in the message the payload goes. */
    int messageOffset() {
        return octets.intAt(14);
    }

    Octets header() {
        return octets.slice(0, headerLength(octets.at(0)));
    }

    Octets payload() {
        return octets.from(headerLength(octets.at(0)));
    }
}
