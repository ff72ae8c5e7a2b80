package io.iwcm.cm.analyze;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts one direction's segments in order. Octets that the capture lacks become holes: when the other end has acknowledged
 * them, when too much waits behind them, or when the connection is over.
 */
final class Inflow {

    /** Who takes the octets in order. */
    interface Reader {
        void octets(Octets octets, Stamp stamp);

        void hole(int octets, Stamp stamp);
    }

    /** A segment that lies further from the expected one is a stray. */
    private static final int STRAY = 1 << 28;

    private static final int PIECES_MAX = 512;

    private final Reader reader;
    private final Budget budget;
    private final int octetsMax;

    /** Pieces behind a gap, by sequence number. */
    private final List<Piece> waiting = new ArrayList<>(0);

    private int waitingOctets;
    private boolean anchored;
    private SeqNum next = new SeqNum(0);
    private long lengthOctets;
    private int repeats;
    private int missingOctets;
    private int strays;

    Inflow(Reader reader, Budget budget, int octetsMax) {
        this.reader = reader;
        this.budget = budget;
        this.octetsMax = octetsMax;
    }

    /** Part of a segment; of {@code length} octets the first {@code kept.length()} were captured. */
    private record Piece(SeqNum seq, Octets kept, int length, Stamp stamp) {
        SeqNum end() {
            return seq.plus(length);
        }

        Piece from(int octets) {
            Octets rest = octets < kept.length() ? kept.from(octets) : Octets.EMPTY;
            return new Piece(seq.plus(octets), rest, length - octets, stamp);
        }
    }

    boolean anchored() {
        return anchored;
    }

    /** The sequence number after all that is in order. */
    SeqNum next() {
        return next;
    }

    /** Octets in order so far, holes included. */
    long lengthOctets() {
        return lengthOctets;
    }

    /** Segments that brought nothing new. */
    int repeats() {
        return repeats;
    }

    int missingOctets() {
        return missingOctets;
    }

    int strays() {
        return strays;
    }

    boolean waits() {
        return !waiting.isEmpty();
    }

    void anchor(SeqNum first) {
        next = first;
        anchored = true;
    }

    /** Whether the segment had an octet that was not there before. */
    boolean offer(Sighting sighting) {
        Sighting.Payload payload = sighting.payload();
        SeqNum seq = sighting.header().seq();
        if (payload.lengthOctets() == 0) {
            return false;
        }
        if (!anchored) {
            anchor(seq);
        }
        int ahead = seq.minus(next);
        if (ahead > STRAY || ahead < -STRAY) {
            strays++;
            return false;
        }
        Piece piece = new Piece(seq, payload.octets(), payload.lengthOctets(), sighting.stamp());
        if (ahead > 0) {
            keep(piece);
            return true;
        }
        boolean fresh = piece.end().after(next);
        if (fresh) {
            take(piece);
            drain();
        } else if (piece.length() > 1 || ahead != -1) { // One octet before the next is a keep-alive.
            repeats++;
        }
        return fresh;
    }

    /** The other end acknowledged all before {@code ack}: what is missing below was there, but was not captured. */
    void acknowledged(SeqNum ack, Stamp stamp) {
        while (!waiting.isEmpty() && ack.after(waiting.getFirst().seq())) {
            skipGap(stamp);
        }
    }

    /** Nothing more comes. */
    void finish(Stamp stamp) {
        while (!waiting.isEmpty()) {
            skipGap(stamp);
        }
    }

    private void keep(Piece piece) {
        while (!waiting.isEmpty()
                && (waiting.size() >= PIECES_MAX || waitingOctets + piece.kept().length() > octetsMax)) {
            skipGap(piece.stamp());
        }
        if (piece.seq().atOrBefore(next)) { // The gap before it was given up.
            if (piece.end().after(next)) {
                take(piece);
                drain();
            }
            return;
        }
        int index = waiting.size();
        while (index > 0 && waiting.get(index - 1).seq().after(piece.seq())) {
            index--;
        }
        if (index > 0 && !waiting.get(index - 1).end().before(piece.end())) {
            repeats++;
            return;
        }
        if (!budget.take(piece.kept().length())) {
            hole(piece.seq().minus(next), piece.stamp());
            take(piece);
            drain();
            return;
        }
        waitingOctets += piece.kept().length();
        waiting.add(index, piece);
    }

    private void skipGap(Stamp stamp) {
        hole(waiting.getFirst().seq().minus(next), stamp);
        drain();
    }

    private void drain() {
        while (!waiting.isEmpty() && waiting.getFirst().seq().atOrBefore(next)) {
            Piece piece = waiting.removeFirst();
            waitingOctets -= piece.kept().length();
            budget.giveBack(piece.kept().length());
            if (piece.end().after(next)) {
                take(piece);
            }
        }
    }

    /** @param piece begins at or before the next octet and ends behind it */
    private void take(Piece piece) {
        Piece fresh = piece.from(next.minus(piece.seq()));
        if (!fresh.kept().isEmpty()) {
            next = next.plus(fresh.kept().length());
            lengthOctets += fresh.kept().length();
            reader.octets(fresh.kept(), fresh.stamp());
        }
        hole(fresh.length() - fresh.kept().length(), fresh.stamp());
    }

    private void hole(int octets, Stamp stamp) {
        if (octets > 0) {
            next = next.plus(octets);
            lengthOctets += octets;
            missingOctets += octets;
            reader.hole(octets, stamp);
        }
    }
}
