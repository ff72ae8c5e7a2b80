package io.iwcm.nic.rnic;

import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic.IlqEntry;
import io.iwcm.nic.spi.Rnic.SynCompleted;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.RateLimit;
import io.iwcm.nic.steer.SynCookies;
import io.iwcm.nic.steer.SynCookies.Verdict;
import io.iwcm.nic.steer.SynEntry;
import io.iwcm.nic.steer.TupleHash;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers SYNs with cookies and takes the segments that bring them back. Nothing is stored until the peer has proved that it
 * hears us; from then on its flow is one that a connection prepares, with a place in the backlog.
 */
final class CookieTalk {

    private static final int WINDOW_FIELD_MAX = 0xffff;

    private final Tables tables;
    private final Egress egress;
    private final TupleHash hash;
    private final CookieMode mode;
    private final SynCookies cookies;
    private final RateLimit limit;

    CookieTalk(
            Tables tables,
            Egress egress,
            TupleHash hash,
            RnicConfig.Cookies settings,
            LongSupplier secrets,
            long nowNs) {
        this.tables = tables;
        this.egress = egress;
        this.hash = hash;
        this.mode = settings.mode();
        this.cookies = new SynCookies(secrets, settings.lifetimeNs(), nowNs);
        this.limit = new RateLimit(settings.perSecond(), Math.max(1, settings.perSecond()), nowNs);
    }

    /**
     * Answers a SYN if that is to be, from the frame alone.
     *
     * @param full what keeps the listener from admitting it
     * @param isnAbove see {@link IlqEntry#isnAbove()}
     * @return false: it is not answered, and whatever else becomes of it
     */
    boolean answers(TcpFrame frame, SynEntry listener, Drop full, Optional<SeqNum> isnAbove, Turn turn) {
        boolean wanted = switch (mode) {
            case OFF -> false;
            case WHEN_FULL -> full == Drop.SYN_BACKLOG_FULL;
            case ALWAYS -> full == Drop.SYN_BACKLOG_FULL || full == Drop.NONE;
        };
        if (!wanted) {
            return false;
        }
        FlowKey flow = frame.addressing().flow();
        Segment syn = frame.segment();
        int ourScale = listener.offer().windowScale();
        Optional<SeqNum> cookie = cookies.make(flow, syn, ourScale, isnAbove, turn.nowNs());
        if (cookie.isEmpty()) {
            return false;
        }
        if (!limit.pass(turn.nowNs())) { // Its source may be forged: whoever that is must not be flooded by us.
            tables.counts.add(NicCounter.COOKIES_LIMITED);
            return false;
        }
        tables.counts.add(NicCounter.COOKIES_SENT);
        listener.answeredWithCookie(turn.nowNs());
        egress.reply(frame, synAck(flow, syn, cookie.get(), listener.offer()), turn);
        return true;
    }

    /** As a connection would say it. The window of a SYN-ACK is never scaled, and it scales only if the SYN does. */
    private Segment synAck(FlowKey flow, Segment syn, SeqNum cookie, SynOffer offer) {
        int mss = tables.mtu - (flow.local().address().isV4() ? 40 : 60);
        int scale = syn.options().hasWindowScale() ? offer.windowScale() : TcpOptions.ABSENT;
        return new Segment(
                cookie,
                syn.seq().plus(1),
                Segment.SYN | Segment.ACK,
                Math.min(offer.window(), WINDOW_FIELD_MAX),
                TcpOptions.ofSyn(mss, scale),
                Octets.EMPTY);
    }

    /**
     * Takes a segment of a flow whose handshake a cookie completes, now or before.
     *
     * @param preparing the flow's entry, which is not in the quad hash yet
     * @return false: it is no such segment
     */
    boolean takes(TcpFrame frame, Optional<FlowEntry> preparing, Turn turn) {
        Segment segment = frame.segment();
        if (segment.syn()) {
            return false;
        }
        if (preparing.isPresent()) {
            return takesAgain(frame, preparing.get(), turn);
        }
        if (!segment.hasAck() || segment.rst()) { // A RST completes nothing, whatever it acknowledges.
            return false;
        }
        FlowKey flow = frame.addressing().flow();
        Optional<SynEntry> listener = tables.flows.listener(ListenKey.of(flow));
        if (listener.isEmpty() || !isInUse(listener.get(), turn)) {
            return false;
        }
        SynCompleted said = said(segment, TcpOptions.NONE, listener.get());
        if (!tables.timeWaits.mayReopen(flow, said.peerIsn(), said.ourIsn())) {
            return false;
        }
        return switch (cookies.check(flow, segment, listener.get().offer().windowScale(), turn.nowNs())) {
            case Verdict.Good(TcpOptions options) -> {
                complete(frame, listener.get(), said(segment, options, listener.get()), turn);
                yield true;
            }
            case Verdict.Stale _ -> {
                tables.counts.add(NicCounter.COOKIES_STALE);
                yield false;
            }
            case Verdict.Bad _ -> {
                tables.counts.add(NicCounter.COOKIES_BAD);
                yield false;
            }
        };
    }

    /** Only a listener that has answered with cookies lately has ACKs checked: all others' mean nothing. */
    private boolean isInUse(SynEntry listener, Turn turn) {
        return listener.lastCookieNs().isPresent()
                && cookies.remembers(listener.lastCookieNs().getAsLong(), turn.nowNs());
    }

    private static SynCompleted said(Segment segment, TcpOptions options, SynEntry listener) {
        return new SynCompleted(segment.seq().plus(-1), segment.ack().plus(-1), options, listener.offer());
    }

    /** The backlog decides now; what finds no place is dropped and never reset: the peer says it again. */
    private void complete(TcpFrame frame, SynEntry listener, SynCompleted said, Turn turn) {
        FlowKey flow = frame.addressing().flow();
        if (!listener.takesCompleted()) {
            tables.drops.add(Drop.BACKLOG_FULL);
            return;
        }
        Optional<Owner> owner = tables.owners.choose(hash.of(flow));
        if (owner.isEmpty()) {
            tables.drops.add(Drop.ILQ_FULL);
            return;
        }
        if (!tables.promise(flow, owner.get(), listener, turn.nowNs())) {
            tables.drops.add(Drop.NO_STEERING);
            return;
        }
        tables.counts.add(NicCounter.COOKIES_ACCEPTED);
        tables.timeWaits.forget(flow); // The handshake is complete: what reopened the flow was no old duplicate.
        deliver(owner.get(), frame, Optional.of(said), Optional.of(listener.key()), turn);
    }

    /**
     * A flow that a cookie has given a place, and whose connection prepares. What the first delivery said is said again,
     * for that may have been lost.
     */
    private boolean takesAgain(TcpFrame frame, FlowEntry entry, Turn turn) {
        if (entry.phase() != Phase.CLAIMED || entry.place() != BacklogPlace.WAITING) {
            return false;
        }
        Segment segment = frame.segment();
        Optional<SynEntry> listener = entry.listener();
        Optional<SynCompleted> said = Optional.empty();
        if (segment.hasAck() && !segment.rst() && listener.isPresent()) {
            int ourScale = listener.get().offer().windowScale();
            if (cookies.check(entry.flow(), segment, ourScale, turn.nowNs()) instanceof Verdict.Good(var options)) {
                said = Optional.of(said(segment, options, listener.get()));
            }
        }
        Optional<ListenKey> key = said.flatMap(_ -> listener).map(SynEntry::key);
        deliver(entry.owner().orElseThrow(), frame, said, key, turn);
        return true;
    }

    private void deliver(
            Owner to, TcpFrame frame, Optional<SynCompleted> said, Optional<ListenKey> listener, Turn turn) {
        tables.counts.add(NicCounter.PKT_RCVD);
        turn.out().ilq(to, new IlqEntry(frame, listener, Optional.empty(), said));
    }
}
