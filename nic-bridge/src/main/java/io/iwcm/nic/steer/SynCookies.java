package io.iwcm.nic.steer;

import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * SYN cookies (RFC 4987 §3.6): what a half-open connection would have to remember is put into our initial sequence number,
 * which the peer's ACK brings back. Nothing is stored.
 *
 * <pre>
 *   31    30..8                      7..0
 *   turn  SipHash-2-4, 23 bits       {@link CookieBits}, XORed with bits 15..8
 * </pre>
 *
 * <p>The hash is over the flow with its VLAN, the peer's initial sequence number, the number of the time slot, our window
 * scale, and the eight bits in clear: none of them can be another in the ACK. The topmost bit is outside the hash: it is
 * turned where the number would not be beyond what an earlier connection used (RFC 9293 §3.6.1, MAY-2). The XOR keeps the
 * low bits from being the same for everybody.
 *
 * <p>Each time slot has a secret of its own. A cookie is good in its slot and in the next one, and its parity bit says which
 * of two secrets it was made with. The secrets of the two slots before are kept only to tell what is too old from what is
 * wrong. One thread at a time.
 */
public final class SynCookies {

    /** Slots in which a cookie is known: two in which it is good, two in which it is stale. */
    private static final int SLOTS = 4;

    private static final int GOOD_SLOTS = 2;
    private static final int TURN = 1 << 31;
    private static final int HASH_MASK = 0x7fff_ff00;
    private static final int LOW = 0xff;

    private final LongSupplier secrets;
    private final long slotNs;
    private final long startNs;
    private final SipHash[] hashes = new SipHash[SLOTS];
    private long newest = -1;

    /**
     * @param secrets a strong source
     * @param slotNs how long a cookie is good at least; at most it is twice as long
     * @param nowNs time counts from here
     */
    public SynCookies(LongSupplier secrets, long slotNs, long nowNs) {
        this.secrets = secrets;
        this.slotNs = slotNs;
        this.startNs = nowNs;
        renew(0);
    }

    /** What an ACK turned out to be. */
    public sealed interface Verdict {

        /**
         * It answers a cookie of ours.
         *
         * @param options MSS and window scale of the peer's SYN
         */
        record Good(TcpOptions options) implements Verdict {}

        /** It answers a cookie that is too old. */
        record Stale() implements Verdict {}

        /** It answers no cookie of ours. */
        record Bad() implements Verdict {}
    }

    /**
     * Our initial sequence number as a cookie. Empty: what the SYN says does not fit one.
     *
     * @param ourScale what our SYN-ACK offers, 0..14
     * @param above our number must exceed this one
     */
    public Optional<SeqNum> make(FlowKey flow, Segment syn, int ourScale, Optional<SeqNum> above, long nowNs) {
        long slot = slot(nowNs);
        return CookieBits.of(syn.options(), flow.local().address().isV4(), slot)
                .map(bits -> cookie(flow, syn.seq(), slot, ourScale, bits))
                .flatMap(cookie -> above.isEmpty() ? Optional.of(cookie) : beyond(cookie, above.get()));
    }

    private static Optional<SeqNum> beyond(SeqNum cookie, SeqNum above) {
        return cookie.after(above)
                ? Optional.of(cookie)
                : Optional.of(new SeqNum(cookie.value() ^ TURN)).filter(turned -> turned.after(above));
    }

    /**
     * Checks the ACK that would complete a handshake: it acknowledges the octet after our cookie, and its own first octet is
     * the one after the peer's SYN.
     *
     * @param ack with {@link Segment#ACK}
     */
    public Verdict check(FlowKey flow, Segment ack, int ourScale, long nowNs) {
        long now = slot(nowNs);
        int answered = ack.ack().plus(-1).value();
        SeqNum peerIsn = ack.seq().plus(-1);
        CookieBits bits = new CookieBits((answered ^ answered >>> 8) & LOW);
        for (int age = 0; age < SLOTS && age <= now; age++) {
            long slot = now - age;
            if (bits.mayBeOf(slot)) {
                int made = cookie(flow, peerIsn, slot, ourScale, bits).value();
                if (((made ^ answered) & ~TURN) == 0) {
                    return age < GOOD_SLOTS
                            ? new Verdict.Good(
                                    bits.options(flow.local().address().isV4()))
                            : new Verdict.Stale();
                }
            }
        }
        return new Verdict.Bad();
    }

    private SeqNum cookie(FlowKey flow, SeqNum peerIsn, long slot, int ourScale, CookieBits bits) {
        long rest = (long) peerIsn.value() << 32 | (slot & 0xffff) << 16 | (long) ourScale << 8 | bits.value();
        long hash = hashes[(int) (slot % SLOTS)].of(flow, rest);
        int upper = (int) hash & HASH_MASK;
        int turn = (int) (hash >>> 32) & TURN;
        return new SeqNum(turn | upper | ((upper >>> 8 ^ bits.value()) & LOW));
    }

    /** The number of the present slot; whatever slot has begun has its secret. */
    private long slot(long nowNs) {
        long slot = (nowNs - startNs) / slotNs;
        if (slot > newest) {
            renew(slot);
        }
        return slot;
    }

    private void renew(long slot) {
        for (long fresh = Math.max(newest + 1, slot - SLOTS + 1); fresh <= slot; fresh++) {
            hashes[(int) (fresh % SLOTS)] = new SipHash(secrets.getAsLong(), secrets.getAsLong());
        }
        newest = slot;
    }

    /**
     * Whether a cookie that was made at {@code madeNs} could still be known, so that an ACK is worth checking.
     */
    public boolean remembers(long madeNs, long nowNs) {
        return slot(nowNs) - (madeNs - startNs) / slotNs < SLOTS;
    }

    @Override
    public String toString() {
        return "SynCookies[secret]";
    }
}
