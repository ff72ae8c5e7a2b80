package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Finds the FPDUs in the octets of one direction of one connection, however they are cut (RFC 5044 §4.1). Holds less than
 * one FPDU between two calls once everything complete was taken. After a bad FPDU the stream cannot be followed any more.
 */
final class FpduReader {

    /** What is next in the stream. */
    sealed interface Found {}

    /** More octets are needed. */
    enum Incomplete implements Found {
        INCOMPLETE
    }

    /** A whole FPDU, checked. */
    record Fpdu(Octets ulpdu) implements Found {}

    /** An FPDU that fails its check. */
    enum Bad implements Found {
        CRC,
        MARKER
    }

    private static final int MARKER_POINTER = 2;

    private final boolean markers;
    private final boolean crc;
    /** Octets of the stream before {@link #start}, from the first FPDU on: the origin of the markers. */
    private long position;

    private byte[] buffer = new byte[256];
    private int start;
    private int end;

    FpduReader(boolean markers, boolean crc) {
        this.markers = markers;
        this.crc = crc;
    }

    /** The next octets of the stream. */
    void feed(Octets octets) {
        if (end + octets.length() > buffer.length) {
            int kept = end - start;
            byte[] larger = kept + octets.length() > buffer.length
                    ? new byte[Math.max(2 * buffer.length, kept + octets.length())]
                    : buffer;
            System.arraycopy(buffer, start, larger, 0, kept);
            buffer = larger;
            start = 0;
            end = kept;
        }
        octets.copyTo(buffer, end);
        end += octets.length();
    }

    /** Whether the octets so far end inside an FPDU. */
    boolean insideFpdu() {
        return start < end;
    }

    /** The next FPDU, if it is there. */
    Found next() {
        int lengthAt = markers && Mpa.untilMarker(position) == 0 ? Mpa.MARKER : 0;
        if (end - start < lengthAt + Mpa.LENGTH_FIELD) {
            return Incomplete.INCOMPLETE;
        }
        int ulpduLength = shortAt(start + lengthAt);
        int wireLength = Mpa.wireLength(position, ulpduLength, markers);
        if (end - start < wireLength) {
            return Incomplete.INCOMPLETE;
        }
        if (crc && !crcGood(wireLength - Mpa.CRC)) {
            return Bad.CRC;
        }
        return strip(lengthAt, ulpduLength, wireLength);
    }

    private boolean crcGood(int covered) {
        CRC32C sum = new CRC32C();
        sum.update(buffer, start, covered);
        int at = start + covered;
        long sent = Integer.toUnsignedLong(Integer.reverseBytes(shortAt(at) << 16 | shortAt(at + 2)));
        return sum.getValue() == sent;
    }

    private Found strip(int lengthAt, int ulpduLength, int wireLength) {
        byte[] body = new byte[Mpa.bodyLength(ulpduLength)];
        int at = 0;
        int taken = 0;
        while (at < wireLength - Mpa.CRC) {
            int run = markers ? Mpa.untilMarker(position + at) : body.length;
            if (run == 0) {
                int pointer = shortAt(start + at + MARKER_POINTER) & ~3; // The low bits are not looked at.
                if (pointer != Math.max(0, at - lengthAt)) {
                    return Bad.MARKER;
                }
                at += Mpa.MARKER;
                run = Mpa.MARKER_INTERVAL - Mpa.MARKER;
            }
            run = Math.min(run, body.length - taken);
            System.arraycopy(buffer, start + at, body, taken, run);
            at += run;
            taken += run;
        }
        position += wireLength;
        start += wireLength;
        if (start == end) {
            start = 0;
            end = 0;
        }
        return new Fpdu(Octets.wrap(Arrays.copyOfRange(body, Mpa.LENGTH_FIELD, Mpa.LENGTH_FIELD + ulpduLength)));
    }

    private int shortAt(int at) {
        return (buffer[at] & 0xff) << 8 | (buffer[at + 1] & 0xff);
    }
}
