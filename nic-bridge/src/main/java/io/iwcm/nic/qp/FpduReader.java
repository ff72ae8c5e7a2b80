package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Finds the FPDUs in the octets of one direction of one connection, however they are cut (RFC 5044 §4.1). An FPDU that came
 * in one piece, as they do when segments are aligned with them, is looked at where it lies; only one that was cut is
 * gathered. Holds less than one FPDU between two calls once everything complete was taken. After a bad FPDU the stream cannot
 * be followed any more.
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
    private static final int GATHERED_MIN = 256;

    private final boolean markers;
    private final boolean crc;
    private final CRC32C sum = new CRC32C();
    /** Octets of the stream before the next FPDU, from the first FPDU on: the origin of the markers. */
    private long position;

    /** What was fed and not looked at. */
    private Octets fed = Octets.EMPTY;

    /** The beginning of an FPDU whose end has not come. */
    private byte[] gathered = new byte[0];

    private int held;

    FpduReader(boolean markers, boolean crc) {
        this.markers = markers;
        this.crc = crc;
    }

    /** The next octets of the stream. */
    void feed(Octets octets) {
        fed = fed.concat(octets);
    }

    /** Whether the octets so far end inside an FPDU. */
    boolean insideFpdu() {
        return held > 0 || !fed.isEmpty();
    }

    /** The next FPDU, if it is there. */
    Found next() {
        int lengthAt = markers && Mpa.untilMarker(position) == 0 ? Mpa.MARKER : 0;
        int headLength = lengthAt + Mpa.LENGTH_FIELD;
        if (held == 0 && fed.length() >= headLength) {
            int wireLength = Mpa.wireLength(position, fed.shortAt(lengthAt), markers);
            if (fed.length() >= wireLength) {
                Octets fpdu = fed.slice(0, wireLength);
                fed = fed.from(wireLength);
                return check(fpdu, lengthAt);
            }
        }
        if (!gather(headLength)) {
            return Incomplete.INCOMPLETE;
        }
        int length = (gathered[lengthAt] & 0xff) << 8 | (gathered[lengthAt + 1] & 0xff);
        int wireLength = Mpa.wireLength(position, length, markers);
        if (!gather(wireLength)) {
            return Incomplete.INCOMPLETE;
        }
        Octets fpdu = Octets.wrap(gathered, 0, wireLength);
        gathered = new byte[0]; // What was found keeps it.
        held = 0;
        return check(fpdu, lengthAt);
    }

    /** Whether the first octets of the FPDU are held, up to {@code wanted}; takes what was fed for it. */
    private boolean gather(int wanted) {
        int run = Math.min(wanted - held, fed.length());
        if (run > 0) {
            if (held + run > gathered.length) { // Grows with what came, not with what a length field promises.
                int larger = Math.max(Math.max(GATHERED_MIN, held + run), Math.min(wanted, 2 * held));
                gathered = Arrays.copyOf(gathered, larger);
            }
            fed.slice(0, run).copyTo(gathered, held);
            fed = fed.from(run);
            held += run;
        }
        return held >= wanted;
    }

    private Found check(Octets fpdu, int lengthAt) {
        int covered = fpdu.length() - Mpa.CRC;
        if (crc) {
            sum.reset();
            fpdu.slice(0, covered).update(sum);
            if ((int) sum.getValue() != Integer.reverseBytes(fpdu.intAt(covered))) {
                return Bad.CRC;
            }
        }
        int ulpduLength = fpdu.shortAt(lengthAt);
        if (markers) {
            return withoutMarkers(fpdu, lengthAt, ulpduLength);
        }
        position += fpdu.length();
        return new Fpdu(fpdu.slice(Mpa.LENGTH_FIELD, ulpduLength));
    }

    private Found withoutMarkers(Octets fpdu, int lengthAt, int ulpduLength) {
        byte[] body = new byte[Mpa.bodyLength(ulpduLength)];
        int at = 0;
        int taken = 0;
        while (at < fpdu.length() - Mpa.CRC) {
            int run = Mpa.untilMarker(position + at);
            if (run == 0) {
                int pointer = fpdu.shortAt(at + MARKER_POINTER) & ~3; // The low bits are not looked at.
                if (pointer != Math.max(0, at - lengthAt)) {
                    return Bad.MARKER;
                }
                at += Mpa.MARKER;
                run = Mpa.MARKER_INTERVAL - Mpa.MARKER;
            }
            run = Math.min(run, body.length - taken);
            fpdu.slice(at, run).copyTo(body, taken);
            at += run;
            taken += run;
        }
        position += fpdu.length();
        return new Fpdu(Octets.wrap(body, Mpa.LENGTH_FIELD, ulpduLength));
    }
}
