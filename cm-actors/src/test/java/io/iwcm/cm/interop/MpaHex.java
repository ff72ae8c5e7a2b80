package io.iwcm.cm.interop;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** What goes over the wire, put together by hand and not by the code under test (RFC 5044, 5040, 5041, 6581). */
final class MpaHex {

    /** Octets of an MPA frame before its private data. */
    static final int HEADER = 20;

    private MpaHex() {}

    static String request(int flags, int revision, String privateData) {
        return frame("MPA ID Req Frame", flags, revision, privateData);
    }

    static String reply(int flags, int revision, String privateData) {
        return frame("MPA ID Rep Frame", flags, revision, privateData);
    }

    private static String frame(String key, int flags, int revision, String privateData) {
        return HexFormat.of().formatHex(key.getBytes(StandardCharsets.US_ASCII))
                + "%02x%02x%04x".formatted(flags, revision, privateData.length() / 2)
                + privateData;
    }

    /** Octets {@code 00 01 02 ...}. */
    static String counting(int octets) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < octets; i++) hex.append("%02x".formatted(i & 0xff));
        return hex.toString();
    }

    /** RFC 5040 §4.3: tagged, last, DDP and RDMAP version 1, opcode 0; to offset 0, no data. */
    static String emptyWrite(int stag) {
        return fpdu("c140" + "%08x".formatted(stag) + "00".repeat(8));
    }

    /** RFC 5040 §4.4, opcode 1: untagged, queue 1, MSN 1; nothing of an STag to the same, at offset 0. */
    static String emptyReadRequest(int stag) {
        String place = "%08x".formatted(stag) + "00".repeat(8);
        return fpdu("4141" + "00000000" + "00000001" + "00000001" + "00000000" + place + "00000000" + place);
    }

    /** RFC 5040 §4.5, opcode 2: tagged to what the request named. */
    static String emptyReadResponse(int stag) {
        return fpdu("c142" + "%08x".formatted(stag) + "00".repeat(8));
    }

    /** RFC 5044 §4.1: length, ULPDU, pad to four octets, CRC32c least significant octet first. */
    static String fpdu(String ulpdu) {
        int length = ulpdu.length() / 2;
        String covered = "%04x".formatted(length) + ulpdu + "00".repeat(-(length + 2) & 3);
        CRC32C crc = new CRC32C();
        crc.update(HexFormat.of().parseHex(covered));
        byte[] field = ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .array();
        return covered + HexFormat.of().formatHex(field);
    }
}
