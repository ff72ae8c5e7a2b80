package io.iwcm.nic.qp;

import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The Terminate message (RFC 5040 §4.8): why, and which header of the other end was the cause. */
public final class Terminate {

    private static final int LAYER_RDMAP = 0;
    private static final int LAYER_DDP = 1;
    private static final int LAYER_LLP = 2;

    /** DDP (RFC 5041 §8.2): something local, with no header to show. */
    static final TermCode DDP_LOCAL = new TermCode(LAYER_DDP, 0, 0);

    static final TermCode TAGGED_INVALID_STAG = new TermCode(LAYER_DDP, 1, 0);
    static final TermCode TAGGED_BOUNDS = new TermCode(LAYER_DDP, 1, 1);
    static final TermCode TAGGED_NOT_ASSOCIATED = new TermCode(LAYER_DDP, 1, 2);
    static final TermCode TAGGED_WRAP = new TermCode(LAYER_DDP, 1, 3);
    static final TermCode TAGGED_VERSION = new TermCode(LAYER_DDP, 1, 4);
    static final TermCode INVALID_QUEUE = new TermCode(LAYER_DDP, 2, 1);
    static final TermCode NO_BUFFER = new TermCode(LAYER_DDP, 2, 2);
    static final TermCode MSN_RANGE = new TermCode(LAYER_DDP, 2, 3);
    static final TermCode INVALID_OFFSET = new TermCode(LAYER_DDP, 2, 4);
    static final TermCode TOO_LONG = new TermCode(LAYER_DDP, 2, 5);
    static final TermCode UNTAGGED_VERSION = new TermCode(LAYER_DDP, 2, 6);

    /** RDMAP (RFC 5040 §4.8): something local, with no header to show. */
    static final TermCode RDMAP_LOCAL = new TermCode(LAYER_RDMAP, 0, 0);

    static final TermCode READ_INVALID_STAG = new TermCode(LAYER_RDMAP, 1, 0);
    static final TermCode READ_BOUNDS = new TermCode(LAYER_RDMAP, 1, 1);

    /** Of a Read Request and of a Write alike: DDP has no code for it. */
    static final TermCode ACCESS_RIGHTS = new TermCode(LAYER_RDMAP, 1, 2);

    static final TermCode READ_NOT_ASSOCIATED = new TermCode(LAYER_RDMAP, 1, 3);
    static final TermCode READ_WRAP = new TermCode(LAYER_RDMAP, 1, 4);
    static final TermCode CANNOT_INVALIDATE = new TermCode(LAYER_RDMAP, 1, 9);

    static final TermCode RDMAP_VERSION = new TermCode(LAYER_RDMAP, 2, 5);
    static final TermCode UNEXPECTED_OPCODE = new TermCode(LAYER_RDMAP, 2, 6);
    static final TermCode UNSPECIFIED = new TermCode(LAYER_RDMAP, 2, 0xff);

    /** MPA (RFC 5044 §8). */
    static final TermCode MPA_CRC = new TermCode(LAYER_LLP, 0, 2);

    static final TermCode MPA_MARKER = new TermCode(LAYER_LLP, 0, 3);

    private static final int CONTROL = 4;
    private static final int LENGTH_VALID = 0x80;
    private static final int DDP_HEADER = 0x40;
    private static final int RDMAP_HEADER = 0x20;

    private Terminate() {}

    /** The message for an error that no segment of the other end caused. */
    static DdpSegment of(TermCode code) {
        byte[] payload = {(byte) (code.layer() << 4 | code.type()), (byte) code.code(), 0, 0};
        return message(payload);
    }

    /** The message for an error in a segment: shows its length, its header and, of a Read Request, RDMAP's too. */
    static DdpSegment of(TermCode code, DdpSegment cause) {
        boolean readRequest = inReadRequest(code) && !cause.tagged() && cause.opcode() == DdpSegment.READ_REQUEST;
        Octets shown = readRequest ? cause.header().concat(cause.payload()) : cause.header();
        byte[] payload = new byte[CONTROL + 2 + shown.length()];
        ByteBuffer.wrap(payload)
                .put((byte) (code.layer() << 4 | code.type()))
                .put((byte) code.code())
                .put((byte) (LENGTH_VALID | DDP_HEADER | (readRequest ? RDMAP_HEADER : 0)))
                .put((byte) 0)
                .putShort((short) cause.octets().length());
        shown.copyTo(payload, CONTROL + 2);
        return message(payload);
    }

    /** Whether the error was found in RDMAP's own header, which only a Read Request has. */
    static boolean inReadRequest(TermCode code) {
        return code.layer() == LAYER_RDMAP && code.type() == 1;
    }

    /**
     * The number of the Read Request that the peer could not allow, as its Terminate shows it.
     *
     * @param payload the message
     */
    static Optional<Integer> refusedRead(Octets payload) {
        int msnAt = CONTROL + 2 + 10;
        boolean shown = payload.length() >= msnAt + 4
                && (payload.at(2) & (DDP_HEADER | RDMAP_HEADER)) == (DDP_HEADER | RDMAP_HEADER);
        return shown ? Optional.of(payload.intAt(msnAt)) : Optional.empty();
    }

    /** What counts segments that were answered with this. */
    static QpCounter counterOf(TermCode code) {
        return switch (code.layer() << 12 | code.type() << 8 | code.code()) {
            case 0x1100, 0x0100 -> QpCounter.REFUSED_STAG;
            case 0x1101, 0x0101, 0x1103, 0x0104 -> QpCounter.REFUSED_BOUNDS;
            case 0x1102, 0x0102, 0x0103 -> QpCounter.REFUSED_RIGHTS;
            case 0x0109 -> QpCounter.REFUSED_INVALIDATE;
            case 0x1202 -> QpCounter.REFUSED_NO_BUFFER;
            case 0x1203 -> QpCounter.REFUSED_MSN;
            case 0x1204 -> QpCounter.REFUSED_OFFSET;
            case 0x1205 -> QpCounter.REFUSED_TOO_LONG;
            case 0x1201 -> QpCounter.REFUSED_QUEUE;
            case 0x1104, 0x1206, 0x0205 -> QpCounter.REFUSED_VERSION;
            case 0x0206 -> QpCounter.REFUSED_OPCODE;
            default -> QpCounter.REFUSED_HEADER;
        };
    }

    private static DdpSegment message(byte[] payload) {
        return DdpSegment.untagged(DdpSegment.TERMINATE, DdpSegment.TERMINATE_QUEUE, 1, Octets.wrap(payload));
    }

    /**
     * What a Terminate says. Linux siw writes layer and type into each other's nibble; where only that reading is a code
     * that exists, it is taken.
     *
     * @param payload the message
     * @param insteadOfRtr whether it is the first FPDU of an MPA initiator. Then {@code 02 05..07} are siw's way to
     *     write the MPA errors of RFC 6581 §9.3, which an initiator sends there and nowhere else; later they are what
     *     RFC 5040 says, errors of RDMAP
     */
    public static TermCode read(Octets payload, boolean insteadOfRtr) {
        if (payload.length() < 2) {
            return UNSPECIFIED;
        }
        int high = payload.at(0) >>> 4;
        int low = payload.at(0) & 0xf;
        int code = payload.at(1);
        boolean swapped = !exists(high, low, code) && exists(low, high, code);
        boolean startUp = insteadOfRtr && high == LAYER_RDMAP && low == LAYER_LLP && code >= 5 && code <= 7;
        return swapped || startUp ? new TermCode(low, high, code) : new TermCode(high, low, code);
    }

    private static boolean exists(int layer, int type, int code) {
        return switch (layer << 4 | type) {
            case 0x00, 0x10 -> code == 0;
            case 0x01 -> code <= 4 || code == 9 || code == 0xff;
            case 0x02 -> (code >= 5 && code <= 9) || code == 0xff;
            case 0x11 -> code <= 4;
            case 0x12 -> code >= 1 && code <= 6;
            case 0x20 -> code >= 1 && code <= 7;
            default -> false;
        };
    }
}
