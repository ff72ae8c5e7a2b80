package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Moment.Kind;
import io.iwcm.cm.analyze.Sighting.Header;
import io.iwcm.cm.analyze.Sighting.Path;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.wire.SeqNum;
import java.util.Optional;

/** One TCP connection, or the attempt at one, as the capture shows it: both sides, and what happened in which order. */
final class Conversation implements Side.Watcher {

    /** A RST this far from the stream is somebody's guess. */
    private static final int STRAY_RST = 1 << 24;

    /** After such a silence a SYN with another number begins something new. */
    private static final long FORGOTTEN_NS = 60_000_000_000L;

    /** So many octets of a key are no accident. */
    private static final int KEY_LEAST = 4;

    private final Path path;
    private final Side first;
    private final Side second;
    private final Marks marks;
    private final Stamp began;
    private Stamp lastSeen;
    private Optional<Side> opener = Optional.empty();
    private boolean simultaneous;
    private Optional<Stamp> synAnswered = Optional.empty();
    private Optional<Stamp> handshakeDone = Optional.empty();
    private Optional<Side> resetBy = Optional.empty();
    private Optional<Stamp> ended = Optional.empty();
    private boolean responderFirst;
    private int strangeSyns;
    private int strayResets;
    private Optional<Conversation> fallBack = Optional.empty();
    private Optional<Conversation> fallBackOf = Optional.empty();

    Conversation(Sighting sighting, AnalysisLimits limits, Budget budget) {
        this.path = sighting.path();
        this.first = new Side(path.source(), this, budget, limits.flowOctetsMax());
        this.second = new Side(path.destination(), this, budget, limits.flowOctetsMax());
        this.marks = new Marks(limits.momentsMax());
        this.began = sighting.stamp();
        this.lastSeen = sighting.stamp();
    }

    // What rules and reports ask

    Path path() {
        return path;
    }

    Side first() {
        return first;
    }

    Side second() {
        return second;
    }

    Side otherThan(Side side) {
        return side == first ? second : first;
    }

    Marks marks() {
        return marks;
    }

    Stamp began() {
        return began;
    }

    Stamp lastSeen() {
        return lastSeen;
    }

    /** The sender of the SYN, as far as it was captured. */
    Optional<Side> opener() {
        return opener;
    }

    boolean simultaneous() {
        return simultaneous;
    }

    Optional<Stamp> synAnswered() {
        return synAnswered;
    }

    /** The opener's first ACK. */
    Optional<Stamp> handshakeDone() {
        return handshakeDone;
    }

    Optional<Side> resetBy() {
        return resetBy;
    }

    /** A RST was seen, or two acknowledged FINs. */
    Optional<Stamp> ended() {
        return ended;
    }

    /** The responder's first FPDU came before the initiator's. */
    boolean responderFirst() {
        return responderFirst;
    }

    int strangeSyns() {
        return strangeSyns;
    }

    int strayResets() {
        return strayResets;
    }

    /** The attempt in an older revision that followed this one. */
    Optional<Conversation> fallBack() {
        return fallBack;
    }

    /** The attempt in a newer revision that came before this one. */
    Optional<Conversation> fallBackOf() {
        return fallBackOf;
    }

    void fellBackTo(Conversation later) {
        fallBack = Optional.of(later);
        later.fallBackOf = Optional.of(this);
    }

    /** An MPA key was found, in either direction. */
    boolean isMpa() {
        return first.startUp().kind().isPresent() || second.startUp().kind().isPresent();
    }

    /**
     * The MPA initiator; before there are MPA frames whoever opened TCP. Of two requests the earlier one counts.
     */
    Side initiator() {
        if (sent(first, MpaFrame.Kind.REQUEST) != sent(second, MpaFrame.Kind.REQUEST)) {
            return sent(first, MpaFrame.Kind.REQUEST) ? first : second;
        }
        if (sent(first, MpaFrame.Kind.REPLY) != sent(second, MpaFrame.Kind.REPLY)) {
            Side replier = sent(first, MpaFrame.Kind.REPLY) ? first : second;
            return isUnasked(replier) ? replier : otherThan(replier);
        }
        return opener.orElse(first);
    }

    /** The opener of TCP begins with a reply: it is an initiator that uses the wrong key. */
    boolean isUnasked(Side replier) {
        return opener.filter(o -> o == replier).isPresent()
                && otherThan(replier).inflow().lengthOctets() == 0
                && sent(replier, MpaFrame.Kind.REPLY);
    }

    /** What a side sent is the beginning of an MPA key, and may be too short to tell which. */
    boolean mayBeMpa() {
        return isMpa()
                || first.startUp().head().length() >= KEY_LEAST
                || second.startUp().head().length() >= KEY_LEAST;
    }

    Side responder() {
        return otherThan(initiator());
    }

    static boolean sent(Side side, MpaFrame.Kind kind) {
        return side.startUp().kind().filter(k -> k == kind).isPresent();
    }

    // What the capture brings

    /** Whether the segment opens another connection between the same endpoints. */
    boolean isReopenedBy(Sighting sighting) {
        if (!sighting.header().opens()) {
            return false;
        }
        Side side = sideOf(sighting);
        if (ended.isPresent() || sighting.stamp().since(lastSeen) > FORGOTTEN_NS) {
            return true;
        }
        return side.isn()
                .map(isn -> !isn.equals(sighting.header().seq()) && handshakeDone.isEmpty())
                .orElse(side.segments() > 0);
    }

    void on(Sighting sighting) {
        Side side = sideOf(sighting);
        lastSeen = sighting.stamp();
        if (!side.isSound(sighting)) {
            return;
        }
        Header header = sighting.header();
        if (header.has(Sighting.RST)) {
            reset(side, sighting);
            return;
        }
        if (header.has(Sighting.SYN)) {
            syn(side, sighting);
            return;
        }
        Side other = otherThan(side);
        if (header.has(Sighting.ACK)) {
            ack(side, other, sighting);
        }
        if (sighting.payload().lengthOctets() > 0 && !side.inflow().offer(sighting)) {
            marks.repeated(side, sighting.stamp());
        }
        if (header.has(Sighting.FIN)) {
            side.finSeen(header.seq().plus(sighting.payload().lengthOctets()));
            marks.add(Kind.FIN, side, sighting.stamp(), "");
        }
        if (ended.isEmpty() && finAcked(first, second) && finAcked(second, first)) {
            ended = Optional.of(sighting.stamp());
        }
    }

    /** No more segments come. */
    void finish() {
        first.finish(lastSeen);
        second.finish(lastSeen);
    }

    private Side sideOf(Sighting sighting) {
        return sighting.path().source().equals(first.endpoint()) ? first : second;
    }

    private static boolean finAcked(Side side, Side by) {
        return side.fin().map(fin -> by.hasAcked(fin.plus(1))).orElse(false);
    }

    private void syn(Side side, Sighting sighting) {
        Header header = sighting.header();
        if (side.isn().isPresent() && !side.isn().get().equals(header.seq())) {
            strangeSyns++;
            return;
        }
        if (side.isn().isEmpty()) {
            side.synSeen(sighting);
        }
        if (header.opens()) {
            simultaneous |= opener.isPresent() && opener.get() != side;
            opener = Optional.of(opener.orElse(side));
        } else {
            synAnswered = Optional.of(synAnswered.orElse(sighting.stamp()));
            opener = Optional.of(opener.orElse(otherThan(side)));
            side.acks(header.ack());
        }
        marks.add(header.opens() ? Kind.SYN : Kind.SYN_ACK, side, sighting.stamp(), Words.options(header.options()));
        if (sighting.payload().lengthOctets() > 0) {
            side.inflow().offer(behindSyn(sighting));
        }
    }

    private static Sighting behindSyn(Sighting sighting) {
        Header h = sighting.header();
        Header data = new Header(h.seq().plus(1), h.ack(), h.flags(), h.window(), h.options());
        return new Sighting(sighting.stamp(), sighting.path(), data, sighting.payload());
    }

    private void ack(Side side, Side other, Sighting sighting) {
        side.acks(sighting.header().ack());
        boolean third = synAnswered.isPresent()
                && handshakeDone.isEmpty()
                && opener.filter(o -> o == side).isPresent();
        if (third) {
            handshakeDone = Optional.of(sighting.stamp());
            marks.add(Kind.ACK, side, sighting.stamp(), "");
        }
        other.acknowledged(sighting.header().ack(), sighting.stamp());
    }

    private void reset(Side side, Sighting sighting) {
        SeqNum seq = sighting.header().seq();
        boolean stray = side.inflow().anchored()
                && side.isn().isPresent()
                && Math.abs((long) seq.minus(side.inflow().next())) > STRAY_RST;
        if (stray) {
            strayResets++;
            return;
        }
        // What waits for octets that were lost on the way is not delivered any more.
        marks.add(Kind.RST, side, sighting.stamp(), "");
        resetBy = Optional.of(resetBy.orElse(side));
        ended = Optional.of(ended.orElse(sighting.stamp()));
    }

    // What is found in the streams

    @Override
    public void startUpOver(Side side, Stamp stamp) {
        if (side.startUp().frame().isEmpty()) {
            marks.add(Kind.BAD_FRAME, side, side.startUp().first(), Words.badFrame(side.startUp()));
            return;
        }
        MpaFrame frame = side.startUp().frame().get();
        boolean request = frame.kind() == MpaFrame.Kind.REQUEST;
        marks.add(request ? Kind.REQUEST : Kind.REPLY, side, side.startUp().first(), Words.frame(side.startUp()));
        Side other = otherThan(side);
        if (request ? sent(other, MpaFrame.Kind.REPLY) : !sent(other, MpaFrame.Kind.REPLY)) {
            readFpdus(request ? side : other, request ? other : side);
        }
    }

    private void readFpdus(Side initiator, Side responder) {
        if (initiator.readsFpdus() || responder.frame().isEmpty()) {
            return;
        }
        MpaFrame reply = responder.frame().get();
        if (reply.flags().rejected() || initiator.startUp().fault().isPresent()) {
            return;
        }
        Optional<MpaFrame> request = initiator.frame();
        boolean crc = reply.flags().crc() || request.map(f -> f.flags().crc()).orElse(false);
        var use =
                crc ? FpduScanner.CrcUse.ON : request.isPresent() ? FpduScanner.CrcUse.OFF : FpduScanner.CrcUse.UNKNOWN;
        // Each frame says what its sender wants to receive (RFC 5044 §7.1.1).
        responder.readFpdus(request.map(f -> f.flags().markers()).orElse(false), use);
        initiator.readFpdus(reply.flags().markers(), use);
    }

    @Override
    public void otherData(Side side, Stamp stamp) {
        if (!marks.has(Kind.OTHER_DATA, side)) {
            marks.add(Kind.OTHER_DATA, side, stamp, Words.data(side.startUp().beginning()));
        }
    }

    @Override
    public void fpdu(Side side, Fpdu fpdu) {
        boolean byInitiator = side == initiator();
        boolean isFirst = side.fpdus().count() == 1;
        if (isFirst && !byInitiator && otherThan(side).fpdus().count() == 0) {
            responderFirst = true;
        }
        boolean sound = fpdu.crc() != Fpdu.Crc.WRONG && fpdu.plausible();
        if (sound && fpdu.opcode() == Fpdu.TERMINATE) {
            if (!marks.has(Kind.TERMINATE, side)) {
                marks.add(
                        Kind.TERMINATE,
                        side,
                        fpdu.stamp(),
                        TerminateText.of(fpdu, byInitiator && isFirst).words());
            }
        } else if (isFirst) {
            boolean rtr = byInitiator && fpdu.zeroLength() && peerToPeer();
            marks.add(rtr ? Kind.RTR : Kind.FPDU, side, fpdu.stamp(), Words.fpdu(fpdu));
        } else if (!marks.has(Kind.FPDU, side) && side.fpdus().count() == 2) {
            marks.add(Kind.FPDU, side, fpdu.stamp(), Words.fpdu(fpdu));
        }
    }

    /** Both frames say so, as far as they were captured. */
    boolean peerToPeer() {
        return says(initiator()) && says(responder());
    }

    private static boolean says(Side side) {
        return side.frame()
                .map(f -> f.enhanced().map(MpaFrame.Enhanced::peerToPeer).orElse(false))
                .orElse(true);
    }

    /** The RTR forms a side's frame names; none without an enhanced frame. */
    static RtrSet rtr(Side side) {
        return side.frame()
                .flatMap(MpaFrame::enhanced)
                .map(MpaFrame.Enhanced::rtr)
                .orElse(RtrSet.NONE);
    }
}
