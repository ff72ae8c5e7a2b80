package io.iwcm.nic.qp;

import io.iwcm.nic.wire.Octets;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * What has arrived in order and is not yet read. Whole segments are kept as they came; small ones are copied together, so
 * that a peer that sends an octet at a time does not cost a frame for each.
 */
final class ReceiveQueue {

    /** Segments below this are copied: a piece is at least this long, or the last, or followed by one that is not small. */
    private static final int SMALL_OCTETS = 512;

    private final ArrayDeque<Octets> pieces = new ArrayDeque<>();
    private byte[] gathered = new byte[0];
    private int gatheredLength;
    private int octets;

    void add(Octets piece) {
        octets += piece.length();
        boolean joins = gatheredLength > 0 || !pieces.isEmpty(); // An empty queue is about to be read.
        if (piece.length() >= SMALL_OCTETS || !joins) {
            flush();
            pieces.add(piece);
            return;
        }
        if (gatheredLength + piece.length() > gathered.length) {
            flush();
            gathered = new byte[2 * SMALL_OCTETS];
        }
        piece.copyTo(gathered, gatheredLength);
        gatheredLength += piece.length();
    }

    private void flush() {
        if (gatheredLength > 0) {
            pieces.add(Octets.wrap(gathered, 0, gatheredLength));
            gathered = new byte[0];
            gatheredLength = 0;
        }
    }

    /** Takes the oldest piece. */
    Optional<Octets> poll() {
        if (pieces.isEmpty()) {
            flush();
        }
        Octets next = pieces.poll();
        if (next == null) {
            return Optional.empty();
        }
        octets -= next.length();
        return Optional.of(next);
    }

    /** How long the piece is that {@link #poll} would take. */
    int nextLength() {
        Octets next = pieces.peek();
        return next == null ? gatheredLength : next.length();
    }

    /** All that is kept. */
    int octets() {
        return octets;
    }
}
