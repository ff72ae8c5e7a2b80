package io.iwcm.nic.qp;

/**
 * The geometry of FPDUs in a stream (RFC 5044 §4): length field, ULPDU, pad to four octets, CRC; and, where they are in
 * use, a marker before every 512th octet of the stream, counted from the first octet of the first FPDU, its marker
 * included. All parts are multiples of four octets from there on, so a marker never splits a word or the CRC.
 */
final class Mpa {

    static final int LENGTH_FIELD = 2;
    static final int CRC = 4;
    static final int MARKER = 4;
    static final int MARKER_INTERVAL = 512;

    /** Least MULPDU that DDP may rely on (RFC 5044 §4.5). */
    private static final int MULPDU_MIN = 128;

    private Mpa() {}

    /** The largest ULPDU whose FPDU fits a segment of {@code emss} octets (RFC 5044 §4.5). */
    static int mulpdu(int emss, boolean markers) {
        int markerOctets = markers ? MARKER * Math.ceilDiv(emss, MARKER_INTERVAL) : 0;
        return Math.max(MULPDU_MIN, emss - (LENGTH_FIELD + CRC + emss % 4) - markerOctets);
    }

    /** Length field, ULPDU and pad. */
    static int bodyLength(int ulpduLength) {
        return Math.ceilDiv(LENGTH_FIELD + ulpduLength, 4) * 4;
    }

    /** Octets of a whole FPDU on the wire when it starts at {@code position} of the stream. */
    static int wireLength(long position, int ulpduLength, boolean markers) {
        int plain = bodyLength(ulpduLength) + CRC;
        if (!markers) {
            return plain;
        }
        int length = plain;
        int known = -1;
        while (known != length) { // A marker may push the end over the place of the next.
            known = length;
            length = plain + MARKER * markersWithin(position, length);
        }
        return length;
    }

    /** Octets from {@code position} to the next marker's place, 0 when it is there. */
    static int untilMarker(long position) {
        return (int) (-position & (MARKER_INTERVAL - 1));
    }

    private static int markersWithin(long position, int length) {
        return (int) (Math.ceilDiv(position + length, MARKER_INTERVAL) - Math.ceilDiv(position, MARKER_INTERVAL));
    }
}
