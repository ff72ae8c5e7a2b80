package io.iwcm.cm.proto;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;

/**
 * What we owe the peer: octets from SND.UNA on, the first {@code sent} of them in flight, then perhaps a FIN. One queue
 * per connection, so that a later send can never displace an earlier one.
 *
 * @param octets from SND.UNA on
 * @param sent how many of them have been sent
 * @param fin a FIN follows the octets
 * @param finSent it has been sent
 * @param attempts retransmissions of what is oldest
 * @param rtoNs present retransmission time-out
 */
record Flight(Octets octets, int sent, boolean fin, boolean finSent, int attempts, long rtoNs) {

    static Flight empty(long rtoNs) {
        return new Flight(Octets.EMPTY, 0, false, false, 0, rtoNs);
    }

    /** Nothing is in flight and nothing waits. */
    boolean isEmpty() {
        return octets.isEmpty() && !fin;
    }

    boolean outstanding() {
        return sent > 0 || finSent;
    }

    Flight queue(Octets more, boolean thenFin) {
        return new Flight(octets.concat(more), sent, fin || thenFin, finSent, attempts, rtoNs);
    }

    /** After {@code count} more octets have been sent, and the FIN if {@code andFin}. */
    Flight sent(int count, boolean andFin) {
        return new Flight(octets, sent + count, fin, finSent || andFin, attempts, rtoNs);
    }

    /**
     * After the peer has acknowledged {@code ack}: what it covers is forgotten, and the back-off with it (RFC 6298 §5.3).
     *
     * @param una SND.UNA so far; {@code ack} lies after it and at or before SND.NXT
     */
    Flight acknowledged(SeqNum una, SeqNum ack, long freshRtoNs) {
        int covered = ack.minus(una);
        int data = Math.min(covered, octets.length());
        boolean finCovered = covered > octets.length();
        return new Flight(octets.from(data), sent - data, fin && !finCovered, finSent && !finCovered, 0, freshRtoNs);
    }

    /** After a retransmission: RFC 6298 §5.5, with a cap. */
    Flight retried(long rtoMaxNs) {
        return new Flight(octets, sent, fin, finSent, attempts + 1, Math.min(2 * rtoNs, rtoMaxNs));
    }
}
