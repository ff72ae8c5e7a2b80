package io.iwcm.cm.analyze;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Makes the FPDUs of one direction (RFC 5044 §4.1), octet by octet, by a way of its own. */
final class FpduMaker {

    private final boolean markers;
    private final boolean crc;
    private int position;

    FpduMaker(boolean markers, boolean crc) {
        this.markers = markers;
        this.crc = crc;
    }

    static byte[] tagged(int opcode, int payload) {
        byte[] ulpdu = new byte[14 + payload];
        ulpdu[0] = (byte) 0xc1;
        ulpdu[1] = (byte) (0x40 | opcode);
        ulpdu[5] = 1;
        fill(ulpdu, 14);
        return ulpdu;
    }

    static byte[] untagged(int opcode, int queue, byte... payload) {
        return ByteBuffer.allocate(18 + payload.length)
                .put((byte) 0x41)
                .put((byte) (0x40 | opcode))
                .putInt(0)
                .putInt(queue)
                .putInt(1)
                .putInt(0)
                .put(payload)
                .array();
    }

    static byte[] send(int payload) {
        byte[] data = new byte[payload];
        fill(data, 0);
        return untagged(3, 0, data);
    }

    /** A Read Request for no octets. */
    static byte[] emptyRead() {
        return untagged(1, 1, new byte[28]);
    }

    static byte[] terminate(int layerAndType, int code) {
        return untagged(7, 2, (byte) layerAndType, (byte) code, (byte) 0, (byte) 0);
    }

    private static void fill(byte[] octets, int from) {
        for (int i = from; i < octets.length; i++) {
            octets[i] = (byte) (i * 31);
        }
    }

    byte[] fpdu(byte[] ulpdu) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] body = new byte[(2 + ulpdu.length + 3) / 4 * 4];
        body[0] = (byte) (ulpdu.length >>> 8);
        body[1] = (byte) ulpdu.length;
        System.arraycopy(ulpdu, 0, body, 2, ulpdu.length);
        int lengthAt = -1;
        for (byte octet : body) {
            marker(out, lengthAt);
            lengthAt = lengthAt < 0 ? position : lengthAt;
            put(out, octet);
        }
        marker(out, lengthAt);
        CRC32C sum = new CRC32C();
        sum.update(out.toByteArray());
        int value = crc ? Integer.reverseBytes((int) sum.getValue()) : 0;
        for (byte octet : ByteBuffer.allocate(4).putInt(value).array()) {
            put(out, octet);
        }
        return out.toByteArray();
    }

    private void marker(ByteArrayOutputStream out, int lengthAt) {
        if (!markers || position % 512 != 0) {
            return;
        }
        int pointer = lengthAt < 0 ? 0 : position - lengthAt;
        for (byte octet : ByteBuffer.allocate(4).putInt(pointer).array()) {
            put(out, octet);
        }
    }

    private void put(ByteArrayOutputStream out, byte octet) {
        out.write(octet);
        position++;
    }
}
