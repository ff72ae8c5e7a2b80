package io.iwcm.cm.proto;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.List;

/**
 * The peer's stream while MPA is starting up: what has arrived in order and is not used yet, and what arrived ahead of
 * its turn.
 *
 * @param inOrder octets before RCV.NXT
 * @param ahead pieces beyond RCV.NXT, by sequence number, bounded
 * @param shut text and FINs are not taken any more
 */
record Inbox(Octets inOrder, List<Piece> ahead, boolean shut) {

    static final Inbox EMPTY = new Inbox(Octets.EMPTY, List.of());

    /** The peer's FIN has come: nothing can follow it (RFC 9293 §3.10.7.4, seventh and eighth). */
    static final Inbox SHUT = new Inbox(Octets.EMPTY, List.of(), true);

    Inbox(Octets inOrder, List<Piece> ahead) {
        this(inOrder, ahead, false);
    }

    /** Most pieces kept ahead of their turn, and most octets in them; beyond: not kept, not acknowledged. */
    private static final int PIECES_MAX = 32;

    private static final int PIECE_OCTETS_MAX = 16_384;

    /** A run of octets, perhaps with the FIN at its end. */
    record Piece(SeqNum seq, Octets octets, boolean fin) {
        SeqNum end() {
            return seq.plus(octets.length() + (fin ? 1 : 0));
        }
    }

    /**
     * What putting a piece in led to: the new inbox, how far RCV.NXT moves, whether the FIN is now in order, and whether
     * the piece was kept for later.
     */
    record Filled(Inbox inbox, int advance, boolean fin, boolean kept) {}

    /** Takes the text and FIN of a segment that RFC 9293's first check found acceptable, trimmed to [nxt, nxt + wnd). */
    Filled put(Segment segment, SeqNum nxt, int wnd) {
        Piece piece = trim(segment, nxt, wnd);
        if (shut || (piece.octets().isEmpty() && !piece.fin())) {
            return new Filled(this, 0, false, false);
        }
        if (piece.seq().after(nxt)) {
            Inbox more = keep(piece);
            return new Filled(more, 0, false, more != this);
        }
        Octets stream = inOrder.concat(piece.octets());
        SeqNum next = piece.seq().plus(piece.octets().length());
        boolean fin = piece.fin();
        List<Piece> left = new ArrayList<>(ahead);
        while (!fin && !left.isEmpty() && left.getFirst().seq().atOrBefore(next)) {
            Piece first = left.removeFirst();
            int known = next.minus(first.seq());
            if (known <= first.octets().length()) {
                stream = stream.concat(first.octets().from(known));
                next = first.seq().plus(first.octets().length());
                fin = first.fin();
            }
        }
        int advance = next.minus(nxt) + (fin ? 1 : 0);
        return new Filled(new Inbox(stream, fin ? List.of() : List.copyOf(left)), advance, fin, false);
    }

    /** Without the first {@code count} octets of what is in order. */
    Inbox used(int count) {
        return new Inbox(inOrder.from(count), ahead);
    }

    private static Piece trim(Segment segment, SeqNum nxt, int wnd) {
        SeqNum start = segment.syn() ? segment.seq().plus(1) : segment.seq();
        Octets text = segment.payload();
        int known = Math.clamp((long) nxt.minus(start), 0, text.length());
        boolean fin = segment.fin() && segment.end().after(nxt);
        Octets fresh = text.from(known);
        int room = wnd - Math.max(0, start.plus(known).minus(nxt));
        if (fresh.length() > room) {
            return new Piece(start.plus(known), fresh.slice(0, Math.max(0, room)), false);
        }
        return new Piece(start.plus(known), fresh, fin);
    }

    private Inbox keep(Piece piece) {
        int octets = piece.octets().length();
        for (Piece other : ahead) {
            octets += other.octets().length();
        }
        boolean known = ahead.stream()
                .anyMatch(other ->
                        other.seq().atOrBefore(piece.seq()) && other.end().atOrAfter(piece.end()));
        if (known || ahead.size() >= PIECES_MAX || octets > PIECE_OCTETS_MAX) {
            return this;
        }
        List<Piece> all = new ArrayList<>(ahead);
        int at = 0;
        while (at < all.size() && all.get(at).seq().before(piece.seq())) {
            at++;
        }
        all.add(at, piece);
        return new Inbox(inOrder, List.copyOf(all));
    }
}
