package io.iwcm.nic.qp;

import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.wire.Octets;
import java.util.zip.CRC32C;

/**
 * Makes the FPDUs of one direction of one connection (RFC 5044 §4.1). What it makes must be sent, in order. A payload goes
 * from memory to where it is sent from in one copy.
 */
final class FpduWriter {

    private final boolean markers;
    private final boolean crc;
    private final int mulpdu;
    private final CRC32C sum = new CRC32C();
    /** Octets of the stream so far, from the first FPDU on: the origin of the markers. */
    private long position;

    FpduWriter(boolean markers, boolean crc, int emss) {
        this.markers = markers;
        this.crc = crc;
        this.mulpdu = Mpa.mulpdu(emss, markers);
    }

    /** The largest ULPDU that {@link #frame} takes, in octets. */
    int mulpdu() {
        return mulpdu;
    }

    /** Octets on the wire of the next FPDU if its ULPDU has this length. */
    int wireLength(int ulpduLength) {
        return Mpa.wireLength(position, ulpduLength, markers);
    }

    /** The next FPDU of the stream. */
    Octets frame(Octets ulpdu) {
        return frame(ulpdu, Slices.NONE, 0, 0);
    }

    /**
     * The next FPDU of the stream.
     *
     * @param head the beginning of the ULPDU
     * @param source its end: {@code count} octets of this message, the first of them at {@code from}
     */
    Octets frame(Octets head, Slices source, long from, int count) {
        int ulpduLength = head.length() + count;
        if (ulpduLength > mulpdu) {
            throw new IllegalArgumentException("a ULPDU of " + ulpduLength + " octets; at most " + mulpdu + " fit");
        }
        byte[] wire = new byte[wireLength(ulpduLength)];
        if (markers) {
            marked(wire, head, source, from, count);
        } else {
            putShort(wire, 0, ulpduLength);
            head.copyTo(wire, Mpa.LENGTH_FIELD);
            source.copyTo(from, wire, Mpa.LENGTH_FIELD + head.length(), count);
        }
        if (crc) {
            putCrc(wire);
        }
        position += wire.length;
        return Octets.wrap(wire);
    }

    private void marked(byte[] wire, Octets head, Slices source, long from, int count) {
        byte[] body = new byte[Mpa.bodyLength(head.length() + count)];
        putShort(body, 0, head.length() + count);
        head.copyTo(body, Mpa.LENGTH_FIELD);
        source.copyTo(from, body, Mpa.LENGTH_FIELD + head.length(), count);
        int lengthAt = Mpa.untilMarker(position) == 0 ? Mpa.MARKER : 0;
        int at = 0;
        int taken = 0;
        while (at < wire.length - Mpa.CRC) {
            int run = Mpa.untilMarker(position + at);
            if (run == 0) { // Also between the pad and the CRC: that one is covered by the CRC like the others.
                putShort(wire, at + 2, Math.max(0, at - lengthAt));
                at += Mpa.MARKER;
                run = Mpa.MARKER_INTERVAL - Mpa.MARKER;
            }
            run = Math.min(run, body.length - taken);
            System.arraycopy(body, taken, wire, at, run);
            at += run;
            taken += run;
        }
    }

    private static void putShort(byte[] target, int at, int value) {
        target[at] = (byte) (value >>> 8);
        target[at + 1] = (byte) value;
    }

    /** The CRC goes out least significant octet first (RFC 5044 §4.4); without CRCs its field stays zero. */
    private void putCrc(byte[] wire) {
        int at = wire.length - Mpa.CRC;
        sum.reset();
        sum.update(wire, 0, at);
        long value = sum.getValue();
        for (int i = 0; i < Mpa.CRC; i++) {
            wire[at + i] = (byte) (value >>> (8 * i));
        }
    }
}
