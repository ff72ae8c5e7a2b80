package io.iwcm.cm.analyze;

import io.iwcm.nic.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Finds the FPDUs in one direction of a connection (RFC 5044 §4) without keeping them: however long an FPDU is, only its
 * head is held. Goes on over octets that the capture lacks as long as it knows where the next FPDU begins, and looks for
 * that at the beginning of segments when it does not.
 */
final class FpduScanner {

    /** Whether CRCs are in use. */
    enum CrcUse {
        ON,
        OFF,
        /** One of the two MPA frames was not captured, and the other does not decide it. */
        UNKNOWN
    }

    private static final int MARKER = 4, MARKER_INTERVAL = 512, CRC = 4, LENGTH_FIELD = 2;

    /** So many FPDUs in a row that are none: the beginnings are not where they were thought to be. */
    private static final int STRIKES_MAX = 3;

    private final boolean markers;
    private final CrcUse crcUse;
    private final Consumer<Fpdu> found;

    /** Octets of the stream before the next one, from the first FPDU on: the origin of the markers. */
    private long position;

    private boolean inside;
    private Stamp stamp = new Stamp(0, 0);
    private int taken;
    private int ulpduLength;
    private long lengthAt;
    private final byte[] head = new byte[Fpdu.HEAD_MAX];
    private int headLength;
    private final CRC32C sum = new CRC32C();
    private int crcField;
    private int markerField;
    private boolean markerWhole;
    private boolean whole;
    private boolean markersRight;
    private boolean lost;
    private int strikes;
    private int losses;

    FpduScanner(boolean markers, CrcUse crcUse, Consumer<Fpdu> found) {
        this.markers = markers;
        this.crcUse = crcUse;
        this.found = found;
    }

    /** How often the beginning of the next FPDU was lost. */
    int losses() {
        return losses;
    }

    boolean crcsInUse() {
        return crcUse != CrcUse.OFF;
    }

    /** The stream so far ends inside an FPDU. */
    boolean insideFpdu() {
        return inside && !lost;
    }

    /** The next octets of the stream, which begin a segment unless they follow a retransmitted part. */
    void feed(Octets octets, Stamp seen) {
        if (lost && !beginsFpdu(octets, seen)) {
            position += octets.length();
            return;
        }
        lost = false;
        byte[] bytes = octets.toBytes();
        int at = 0;
        while (at < bytes.length && !lost) {
            at += step(bytes, at, seen);
        }
        position += bytes.length - at;
    }

    /** Octets of the stream that were not captured. */
    void skip(int octets, Stamp seen) {
        int left = octets;
        while (left > 0 && !lost) {
            begin(seen);
            whole = false;
            int inMarker = inMarker();
            if (inMarker < MARKER) {
                int run = Math.min(MARKER - inMarker, left);
                markerWhole = false;
                left -= run;
                position += run;
            } else if (taken < LENGTH_FIELD) {
                lose();
            } else {
                int run = Math.min(Math.min(left, total() - taken), MARKER_INTERVAL - inMarker);
                run = markers ? run : Math.min(left, total() - taken);
                taken += run;
                position += run;
                left -= run;
                completed();
            }
        }
        position += left;
    }

    private void lose() {
        lost = true;
        inside = false;
        losses++;
    }

    /** Whether a whole and sound FPDU begins with these octets. */
    private boolean beginsFpdu(Octets octets, Stamp seen) {
        if (inMarker() > 0 && inMarker() < MARKER) {
            return false;
        }
        List<Fpdu> trial = new ArrayList<>(1);
        FpduScanner other = new FpduScanner(markers, crcUse, trial::add);
        other.position = position;
        byte[] bytes = octets.toBytes();
        int at = 0;
        while (at < bytes.length && trial.isEmpty()) {
            at += other.step(bytes, at, seen);
        }
        return !trial.isEmpty()
                && trial.getFirst().plausible()
                && trial.getFirst().markersRight()
                && trial.getFirst().crc() != Fpdu.Crc.WRONG;
    }

    /** Takes at least one octet. */
    private int step(byte[] bytes, int at, Stamp seen) {
        begin(seen);
        int inMarker = inMarker();
        int run;
        if (inMarker < MARKER) {
            run = marker(bytes, at, inMarker);
        } else if (taken < LENGTH_FIELD) {
            lengthAt = taken == 0 ? position : lengthAt;
            ulpduLength = ulpduLength << 8 | (bytes[at] & 0xff);
            sum.update(bytes[at]);
            run = 1;
            taken++;
            position++;
        } else {
            run = body(bytes, at, markers ? MARKER_INTERVAL - inMarker : Integer.MAX_VALUE);
            completed();
        }
        return run;
    }

    private int marker(byte[] bytes, int at, int inMarker) {
        int run = Math.min(MARKER - inMarker, bytes.length - at);
        markerWhole = inMarker == 0 || markerWhole;
        for (int i = 0; i < run; i++) {
            markerField = markerField << 8 | (bytes[at + i] & 0xff);
        }
        sum.update(bytes, at, run);
        position += run;
        if (inMarker + run == MARKER && markerWhole) {
            long expected = taken == 0 ? 0 : position - MARKER - lengthAt;
            markersRight &= (markerField & 0xfffc) == expected; // The low bits are not looked at.
        }
        return run;
    }

    private int body(byte[] bytes, int at, int untilMarker) {
        int coveredEnd = total() - CRC;
        boolean covered = taken < coveredEnd;
        int run = Math.min(bytes.length - at, Math.min(untilMarker, (covered ? coveredEnd : total()) - taken));
        if (covered) {
            sum.update(bytes, at, run);
            int ulpduAt = taken - LENGTH_FIELD;
            int kept = Math.min(run, Math.min(Fpdu.HEAD_MAX, ulpduLength) - headLength);
            if (ulpduAt == headLength && kept > 0) {
                System.arraycopy(bytes, at, head, headLength, kept);
                headLength += kept;
            }
        } else {
            for (int i = 0; i < run; i++) {
                crcField = crcField << 8 | (bytes[at + i] & 0xff);
            }
        }
        taken += run;
        position += run;
        return run;
    }

    private void begin(Stamp seen) {
        if (inside) {
            return;
        }
        inside = true;
        stamp = seen;
        taken = 0;
        ulpduLength = 0;
        headLength = 0;
        sum.reset();
        crcField = 0;
        whole = true;
        markersRight = true;
    }

    private void completed() {
        if (taken < total()) {
            return;
        }
        inside = false;
        Octets kept = Octets.wrap(java.util.Arrays.copyOf(head, headLength));
        Fpdu fpdu = new Fpdu(stamp, ulpduLength, kept, crc(), markersRight);
        found.accept(fpdu);
        strikes = fpdu.plausible() && fpdu.crc() != Fpdu.Crc.WRONG ? 0 : strikes + 1;
        if (strikes == STRIKES_MAX) {
            strikes = 0;
            lose();
        }
    }

    private Fpdu.Crc crc() {
        if (!whole || crcUse == CrcUse.OFF) {
            return Fpdu.Crc.UNCHECKED;
        }
        boolean right = Integer.reverseBytes(crcField) == (int) sum.getValue();
        return right ? Fpdu.Crc.RIGHT : crcUse == CrcUse.ON ? Fpdu.Crc.WRONG : Fpdu.Crc.UNCHECKED;
    }

    /** Length field, ULPDU, pad and CRC; markers not counted. */
    private int total() {
        return Math.ceilDiv(LENGTH_FIELD + ulpduLength, 4) * 4 + CRC;
    }

    /** How far into a marker's interval the next octet is; under {@link #MARKER} it belongs to the marker. */
    private int inMarker() {
        return markers ? (int) (position & (MARKER_INTERVAL - 1)) : MARKER;
    }
}
