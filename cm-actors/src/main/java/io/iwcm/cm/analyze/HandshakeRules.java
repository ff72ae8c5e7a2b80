package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Moment.Kind;
import java.util.Optional;

/** What can be wrong with a connection's TCP (RFC 9293). */
final class HandshakeRules {

    private static final int MSS_LEAST = 216;
    private static final int REPEATS_LEAST = 3;
    private static final int WINDOW_SCALE_MAX = 14;

    private final Conversation conversation;
    private final Findings findings;
    private final Side initiator;
    private final Side responder;

    HandshakeRules(Conversation conversation, Findings findings) {
        this.conversation = conversation;
        this.findings = findings;
        this.initiator = conversation.initiator();
        this.responder = conversation.responder();
    }

    void apply() {
        if (!oneDirection(initiator, "initiator", responder) && !oneDirection(responder, "responder", initiator)) {
            opening();
        }
        options(initiator, "initiator");
        options(responder, "responder");
        retransmissions(initiator, "initiator");
        retransmissions(responder, "responder");
        if (conversation.strangeSyns() > 0) {
            findings.add(
                    Why.SYN_UNEXPECTED,
                    Words.count(conversation.strangeSyns(), "SYN") + " with another sequence number arrived while the"
                            + " connection stood: one end has forgotten it, or somebody forges segments.");
        }
        if (conversation.strayResets() > 0) {
            findings.add(
                    Why.STRAY_RESET,
                    Words.count(conversation.strayResets(), "RST") + " came with a sequence number far outside the"
                            + " stream; a careful receiver ignores it.");
        }
    }

    /** Whether {@code side} got acknowledged what {@code other} sent, and nothing of that was captured. */
    private boolean oneDirection(Side side, String who, Side other) {
        boolean answered = side.hasAckedAnything() && other.segments() == 0;
        if (answered) {
            findings.add(
                    Why.ONE_DIRECTION,
                    "The capture has only what the " + who + " sent, and that acknowledges what the other end said: how"
                            + " it went on is not to be seen.");
        }
        return answered;
    }

    private void opening() {
        if (conversation.opener().isEmpty()) {
            findings.add(Why.BEGINS_LATE, "The capture has no SYN of this connection: it was open before.");
            return;
        }
        Side opener = conversation.opener().get();
        Side listener = conversation.otherThan(opener);
        int syns =
                conversation.marks().of(Kind.SYN, opener).map(Marks.Mark::times).orElse(0);
        if (conversation.simultaneous()) {
            findings.add(
                    Why.SIMULTANEOUS_OPEN,
                    "Both ends sent a SYN: TCP was opened from both sides at once, and no end of it is by itself the"
                            + " MPA responder.");
        }
        boolean spoke = listener.segments() > 0 || conversation.handshakeDone().isPresent();
        if (conversation.synAnswered().isEmpty()
                && conversation.resetBy().filter(by -> by == listener).isPresent()) {
            findings.add(
                    Why.REFUSED,
                    listener.endpoint() + " answered the SYN with RST: the host is there, and nothing listens on port "
                            + listener.endpoint().port() + " (or a filter refuses it).");
        } else if (!spoke) {
            findings.add(
                    Why.SYN_UNANSWERED,
                    "Nobody answered the SYN, which was sent " + Words.times(syns) + lasting(Kind.SYN, opener)
                            + ": the host is down or not reachable, a filter drops it, or the listener's backlog is"
                            + " full and it drops SYNs.");
        } else if (syns > 1) {
            findings.add(
                    Why.SYN_REPEATED,
                    "The SYN had to be sent " + Words.times(syns) + lasting(Kind.SYN, opener)
                            + ": frames are lost, or the listener was slow or its backlog full.");
        }
        if (conversation.synAnswered().isPresent()
                && conversation.handshakeDone().isEmpty()) {
            incomplete(opener, listener);
        }
    }

    private void incomplete(Side opener, Side listener) {
        int answers = conversation
                .marks()
                .of(Kind.SYN_ACK, listener)
                .map(Marks.Mark::times)
                .orElse(0);
        boolean refusedByOpener =
                conversation.resetBy().filter(by -> by == opener).isPresent();
        findings.add(
                Why.HANDSHAKE_INCOMPLETE,
                refusedByOpener
                        ? opener.endpoint() + " answered the SYN-ACK with RST: its TCP does not know this connection."
                                + " With a user-space stack that is often the host's own TCP, which has"
                                + " the same address."
                        : "The SYN-ACK, sent " + Words.times(answers) + lasting(Kind.SYN_ACK, listener)
                                + ", was never acknowledged: it does not reach the opener, or its answer does not come"
                                + " back.");
    }

    private String lasting(Kind kind, Side side) {
        return conversation
                .marks()
                .of(kind, side)
                .filter(mark -> mark.times() > 1)
                .map(mark -> " within " + Words.span(mark.last().since(mark.first())))
                .orElse("");
    }

    private void options(Side side, String who) {
        if (side.isn().isEmpty()) {
            return;
        }
        Sighting.SynOptions options = side.synOptions();
        if (options.mss() < 0) {
            int assumed = side.endpoint().address().isV4() ? 536 : 1220;
            findings.add(Finding.of(
                            Why.MSS, "The " + who + " announces no MSS: its peer must assume " + assumed + " octets.")
                    .weighing(Verdict.HEALTHY));
        } else if (options.mss() < MSS_LEAST) {
            findings.add(
                    Why.MSS,
                    "The " + who + " announces an MSS of " + Words.octets(options.mss())
                            + ", in which an FPDU of the least size that DDP relies on (128 octets) hardly fits"
                            + " (RFC 5044 §4.5); some peers reset for it.");
        } else if (options.mss() > 65_495) {
            findings.add(Finding.of(
                            Why.MSS,
                            "The " + who + " announces an MSS of " + options.mss()
                                    + ", which only a loopback interface or a mistake explains.")
                    .weighing(Verdict.HEALTHY));
        }
        if (options.windowScale() > WINDOW_SCALE_MAX) {
            findings.add(
                    Why.WINDOW_SCALE,
                    "The " + who + " announces a window scale of " + options.windowScale()
                            + "; 14 is the most, and what is used.");
        }
        if (options.malformed()) {
            findings.add(Why.OPTION_MALFORMED, "The " + who + "'s SYN has a TCP option of impossible length.");
        }
    }

    private void retransmissions(Side side, String who) {
        int repeats = side.inflow().repeats();
        Side other = conversation.otherThan(side);
        Optional<Long> open = unacknowledged(side, other);
        if (open.isPresent() && repeats > 0) {
            findings.add(
                    Why.UNACKNOWLEDGED,
                    "The " + who + "'s last " + Words.octets(open.get()) + " were sent again ("
                            + Words.count(repeats, "segment") + ") and never acknowledged: the other end is gone, or"
                            + " its acknowledgements do not come back.");
        } else if (repeats >= REPEATS_LEAST) {
            findings.add(
                    Why.RETRANSMISSIONS,
                    "The " + who + " sent " + Words.count(repeats, "segment") + " again: frames or their"
                            + " acknowledgements are lost on the way.");
        } else if (repeats > 0) {
            findings.add(Finding.of(
                            Why.RETRANSMISSIONS,
                            "The " + who + " sent " + Words.count(repeats, "segment")
                                    + " again, or it was captured twice.")
                    .weighing(Verdict.HEALTHY));
        }
        if (side.damaged() > 0) {
            findings.add(
                    Why.DAMAGED,
                    Words.count(side.damaged(), "segment") + " of the " + who
                            + " had a wrong TCP checksum; the receiver drops such a segment, and so did this"
                            + " analysis.");
        }
    }

    /** Octets the other end, as far as it said anything, has not acknowledged. */
    private static Optional<Long> unacknowledged(Side side, Side other) {
        if (!side.inflow().anchored()
                || !other.hasAckedAnything()
                || other.hasAcked(side.inflow().next())) {
            return Optional.empty();
        }
        return Optional.of((long) other.notAcked(side.inflow().next()));
    }
}
