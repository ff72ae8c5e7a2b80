package io.iwcm.cm.analyze;

import io.iwcm.nic.wire.Octets;

/**
 * One FPDU as far as it was captured (RFC 5044 §4.1), with the DDP and RDMAP header at the head of its ULPDU.
 *
 * @param stamp the frame it begins in
 * @param ulpduLength octets of its ULPDU by its length field
 * @param head the first octets of the ULPDU, at most {@link #HEAD_MAX}; fewer where the capture lacks some
 * @param crc what its CRC says
 * @param markersRight every marker inside it that was captured points where it should
 */
record Fpdu(Stamp stamp, int ulpduLength, Octets head, Crc crc, boolean markersRight) {

    static final int HEAD_MAX = 64;

    /** What the CRC of an FPDU says. */
    enum Crc {
        RIGHT,
        WRONG,
        /** CRCs are not in use, or the capture lacks some of its octets. */
        UNCHECKED
    }

    static final int READ_REQUEST = 1;
    static final int READ_RESPONSE = 2;
    static final int SEND = 3;
    static final int TERMINATE = 7;
    private static final int TAGGED_HEADER = 14, UNTAGGED_HEADER = 18;
    private static final int READ_SIZE_AT = UNTAGGED_HEADER + 12;
    private static final String[] NAMES = {
        "RDMA Write",
        "RDMA Read Request",
        "RDMA Read Response",
        "Send",
        "Send with Invalidate",
        "Send with Solicited Event",
        "Send with Solicited Event and Invalidate",
        "Terminate"
    };

    static int opcodes() {
        return NAMES.length;
    }

    static String name(int opcode) {
        return NAMES[opcode];
    }

    /** RDMAP's opcode, or -1 when the header was not captured or is none. */
    int opcode() {
        return plausible() && head.length() >= 2 ? head.at(1) & 0xf : -1;
    }

    /** False when the octets that were captured cannot be a DDP and RDMAP header of version 1. */
    boolean plausible() {
        if (head.length() < 2) {
            return ulpduLength >= TAGGED_HEADER;
        }
        int opcode = head.at(1) & 0xf;
        boolean tagged = (head.at(0) & 0x80) != 0;
        boolean mayBeTagged = opcode == 0 || opcode == READ_RESPONSE;
        return (head.at(0) & 3) == 1
                && head.at(1) >>> 6 == 1
                && opcode < NAMES.length
                && tagged == mayBeTagged
                && ulpduLength >= (tagged ? TAGGED_HEADER : UNTAGGED_HEADER);
    }

    /** Carries no octet of anybody: the form that an RTR has (RFC 6581 §9.2). */
    boolean zeroLength() {
        return switch (opcode()) {
            case 0, READ_RESPONSE -> ulpduLength == TAGGED_HEADER;
            case READ_REQUEST -> head.length() >= READ_SIZE_AT + 4 && head.intAt(READ_SIZE_AT) == 0;
            case SEND, 4, 5, 6 -> ulpduLength == UNTAGGED_HEADER;
            default -> false;
        };
    }

    /** What follows the header of an untagged message. */
    Octets untaggedPayload() {
        return head.length() > UNTAGGED_HEADER ? head.from(UNTAGGED_HEADER) : Octets.EMPTY;
    }

    String words() {
        int opcode = opcode();
        if (opcode < 0) {
            return head.length() < 2 ? "header not captured" : "no DDP header";
        }
        return NAMES[opcode] + (zeroLength() ? ", zero-length" : "");
    }
}
