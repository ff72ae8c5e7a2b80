package io.iwcm.cm.analyze;

import io.iwcm.nic.qp.Terminate;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;

/**
 * What a Terminate says, in words.
 *
 * @param code layer, type and code as they are meant
 * @param meaning what the code stands for
 * @param reference where it is defined
 * @param swapped the sender wrote layer and type into each other's place
 */
record TerminateText(TermCode code, String meaning, String reference, boolean swapped) {

    /** @param instead it is the initiator's first FPDU, where it stands in an RTR's place */
    static TerminateText of(Fpdu fpdu, boolean instead) {
        Octets payload = fpdu.untaggedPayload();
        if (payload.length() < 2) {
            return new TerminateText(new TermCode(0, 2, 0xff), "its code was not captured", "RFC 5040 §4.8", false);
        }
        TermCode code = Terminate.read(payload, instead);
        boolean swapped = payload.at(0) >>> 4 != code.layer();
        return new TerminateText(code, meaning(code), reference(code), swapped);
    }

    String words() {
        return "layer " + code.layer() + ", type " + code.type() + ", code " + code.code() + ": " + meaning
                + (swapped ? " (nibbles swapped)" : "");
    }

    private static String reference(TermCode code) {
        return switch (code.layer()) {
            case 0 -> "RFC 5040 §4.8";
            case 1 -> "RFC 5041 §8.2";
            case 2 -> code.code() >= 5 ? "RFC 6581 §9.3" : "RFC 5044 §8";
            default -> "RFC 5040 §4.8";
        };
    }

    private static String meaning(TermCode code) {
        return switch (code.layer() << 4 | code.type()) {
            case 0x00 -> "RDMAP: local catastrophic error";
            case 0x01 -> "RDMAP remote protection error, " + protection(code.code());
            case 0x02 -> "RDMAP remote operation error, " + operation(code.code());
            case 0x10 -> "DDP: local catastrophic error";
            case 0x11 -> "DDP tagged buffer error, " + tagged(code.code());
            case 0x12 -> "DDP untagged buffer error, " + untagged(code.code());
            case 0x20 -> "MPA error, " + mpa(code.code());
            default -> "a layer and type that no RFC defines";
        };
    }

    private static String protection(int code) {
        return switch (code) {
            case 0 -> "invalid STag";
            case 1 -> "base or bounds violation";
            case 2 -> "access rights violation";
            case 3 -> "STag not associated with the stream";
            case 4 -> "tagged offset wraps";
            case 9 -> "STag cannot be invalidated";
            default -> "unspecified";
        };
    }

    private static String operation(int code) {
        return switch (code) {
            case 5 -> "invalid RDMAP version";
            case 6 -> "unexpected opcode";
            case 7 -> "catastrophic error, localized to the stream";
            case 8 -> "catastrophic error, global";
            case 9 -> "STag cannot be invalidated";
            default -> "unspecified";
        };
    }

    private static String tagged(int code) {
        return switch (code) {
            case 0 -> "invalid STag";
            case 1 -> "base or bounds violation";
            case 2 -> "STag not associated with the stream";
            case 3 -> "tagged offset wraps";
            case 4 -> "invalid DDP version";
            default -> "unspecified";
        };
    }

    private static String untagged(int code) {
        return switch (code) {
            case 1 -> "invalid queue number";
            case 2 -> "no buffer available";
            case 3 -> "message sequence number out of range";
            case 4 -> "invalid message offset";
            case 5 -> "message too long for the buffer";
            case 6 -> "invalid DDP version";
            default -> "unspecified";
        };
    }

    private static String mpa(int code) {
        return switch (code) {
            case 1 -> "TCP connection closed, terminated or lost";
            case 2 -> "CRC of an FPDU wrong";
            case 3 -> "marker and length field do not match";
            case 4 -> "invalid MPA request or reply frame";
            case 5 -> "local catastrophic error";
            case 6 -> "insufficient IRD resources";
            case 7 -> "no matching RTR option";
            default -> "unspecified";
        };
    }
}
