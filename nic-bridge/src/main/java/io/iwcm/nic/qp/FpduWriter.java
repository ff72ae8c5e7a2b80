package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import java.util.zip.CRC32C;

/** Makes the FPDUs of one direction of one connection (RFC 5044 §4.1). What it makes must be sent, in order. */
final class FpduWriter {

    private final boolean markers;
    private final boolean crc;
    private final int mulpdu;
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

    /** The next FPDU of the stream. */
    Octets frame(Octets ulpdu) {
        if (ulpdu.length() > mulpdu) {
            throw new IllegalArgumentException("a ULPDU of " + ulpdu.length() + " octets; at most " + mulpdu + " fit");
        }
        byte[] body = new byte[Mpa.bodyLength(ulpdu.length())];
        putShort(body, 0, ulpdu.length());
        ulpdu.copyTo(body, Mpa.LENGTH_FIELD);

        byte[] wire = new byte[Mpa.wireLength(position, ulpdu.length(), markers)];
        int lengthAt = markers && Mpa.untilMarker(position) == 0 ? Mpa.MARKER : 0;
        int at = 0;
        int taken = 0;
        while (at < wire.length - Mpa.CRC) {
            int run = markers ? Mpa.untilMarker(position + at) : body.length;
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
        if (crc) {
            putCrc(wire, at);
        }
        position += wire.length;
        return Octets.wrap(wire);
    }

    private static void putShort(byte[] target, int at, int value) {
        target[at] = (byte) (value >>> 8);
        target[at + 1] = (byte) value;
    }

    /** The CRC goes out least significant octet first (RFC 5044 §4.4); without CRCs its field stays zero. */
    private static void putCrc(byte[] wire, int at) {
        CRC32C sum = new CRC32C();
        sum.update(wire, 0, at);
        long value = sum.getValue();
        for (int i = 0; i < Mpa.CRC; i++) {
            wire[at + i] = (byte) (value >>> (8 * i));
        }
    }
}
