package io.iwcm.cm.analyze;

import static io.iwcm.cm.analyze.Verdict.FAILED;
import static io.iwcm.cm.analyze.Verdict.HEALTHY;
import static io.iwcm.cm.analyze.Verdict.SUSPICIOUS;

/** Everything an analysis can find, with its usual weight and where the rule is that it breaks. */
public enum Why {
    // TCP
    SYN_UNANSWERED(FAILED, "RFC 9293 §3.10.7.3"),
    REFUSED(FAILED, "RFC 9293 §3.10.7.1"),
    HANDSHAKE_INCOMPLETE(FAILED, "RFC 9293 §3.5"),
    SIMULTANEOUS_OPEN(HEALTHY, "RFC 9293 §3.5"),
    SYN_REPEATED(SUSPICIOUS, "RFC 6298 §5"),
    SYN_UNEXPECTED(SUSPICIOUS, "RFC 5961 §4"),
    MSS(SUSPICIOUS, "RFC 9293 §3.7.1"),
    WINDOW_SCALE(SUSPICIOUS, "RFC 7323 §2.3"),
    OPTION_MALFORMED(SUSPICIOUS, "RFC 9293 §3.1"),
    RETRANSMISSIONS(SUSPICIOUS, "RFC 6298 §5"),
    UNACKNOWLEDGED(SUSPICIOUS, "RFC 9293 §3.8.1"),
    DAMAGED(SUSPICIOUS, "RFC 9293 §3.1"),
    STRAY_RESET(SUSPICIOUS, "RFC 5961 §3"),
    RESET(SUSPICIOUS, "RFC 5044 §8"),

    // MPA start-up
    NO_REQUEST(FAILED, "RFC 5044 §7.1.2"),
    NOT_MPA(FAILED, "RFC 5044 §7.1.1"),
    NO_REPLY(FAILED, "RFC 5044 §7.1.2"),
    CLOSED_AFTER_REQUEST(FAILED, "RFC 6581 §10"),
    INITIATOR_GAVE_UP(FAILED, "RFC 5044 §7.1.2"),
    FALL_BACK(HEALTHY, "RFC 6581 §10"),
    FRAME_INCOMPLETE(FAILED, "RFC 5044 §7.1.1"),
    PRIVATE_DATA_TOO_LONG(FAILED, "RFC 5044 §7.1.1"),
    READ_DEPTHS_MISSING(FAILED, "RFC 6581 §6"),
    REVISION_UNKNOWN(FAILED, "RFC 5044 §7.1.1"),
    TWO_INITIATORS(FAILED, "RFC 5044 §7.1.1"),
    TWO_RESPONDERS(FAILED, "RFC 5044 §7.1.1"),
    ROLES_REVERSED(HEALTHY, "RFC 5044 §7.1.2"),
    REPLY_UNASKED(FAILED, "RFC 5044 §7.1.2"),
    REJECTED(FAILED, "RFC 5044 §7.1.2"),
    REJECT_BIT_IN_REQUEST(HEALTHY, "RFC 5044 §7.1.1"),
    BYTES_BEFORE_REPLY(SUSPICIOUS, "RFC 5044 §7.1.2"),
    SLOW_REPLY(SUSPICIOUS, "RFC 5044 §7.1.2"),
    LONG_PRIVATE_DATA(HEALTHY, "RFC 5044 §7.1.1"),

    // MPA negotiation
    REVISION_DIFFERS(SUSPICIOUS, "RFC 6581 §6"),
    NOT_ENHANCED(SUSPICIOUS, "RFC 6581 §6"),
    ENHANCED_UNASKED(SUSPICIOUS, "RFC 6581 §6"),
    A_NOT_ECHOED(FAILED, "RFC 6581 §9.2"),
    A_UNASKED(SUSPICIOUS, "RFC 6581 §9.2"),
    NO_COMMON_RTR(FAILED, "RFC 6581 §9.2"),
    NO_RTR_OFFERED(SUSPICIOUS, "RFC 6581 §9.2"),
    IRD_TOO_SMALL(SUSPICIOUS, "RFC 6581 §9.1"),
    ORD_CUT(HEALTHY, "RFC 6581 §9.1"),
    READ_RTR_WITHOUT_IRD(SUSPICIOUS, "RFC 6581 §9.2"),
    DEPTHS_NOT_NEGOTIATED(HEALTHY, "RFC 6581 §9.1"),
    MARKERS_ASKED(HEALTHY, "RFC 5044 §4.3"),
    CRC_ONE_SIDED(HEALTHY, "RFC 5044 §7.1.1"),

    // Full operation
    CRC_WRONG(FAILED, "RFC 5044 §4.4"),
    MARKER_WRONG(FAILED, "RFC 5044 §4.3"),
    DDP_WRONG(FAILED, "RFC 5041 §4"),
    RESPONDER_FIRST(SUSPICIOUS, "RFC 5044 §7.1.2"),
    REPLY_NOT_TAKEN(FAILED, "RFC 5044 §7.1.2"),
    RTR_MISSING(FAILED, "RFC 6581 §9.2"),
    RTR_NOT_FIRST(SUSPICIOUS, "RFC 6581 §9.2"),
    RTR_NOT_AGREED(SUSPICIOUS, "RFC 6581 §9.2"),
    RTR_UNANSWERED(SUSPICIOUS, "RFC 5040 §5.2.1"),
    TERMINATE(FAILED, "RFC 5040 §4.8"),
    NIBBLES_SWAPPED(HEALTHY, "RFC 5040 §4.8"),
    FPDU_CUT(SUSPICIOUS, "RFC 5044 §4.1"),
    NO_FPDU(HEALTHY, ""),

    // The capture itself
    BEGINS_LATE(HEALTHY, ""),
    ONE_DIRECTION(SUSPICIOUS, ""),
    ENDS_EARLY(SUSPICIOUS, ""),
    INCOMPLETE(HEALTHY, ""),
    CUT_FRAMES(HEALTHY, ""),
    EDITED(HEALTHY, ""),
    FORGOTTEN(HEALTHY, "");

    private final Verdict weight;
    private final String reference;

    Why(Verdict weight, String reference) {
        this.weight = weight;
        this.reference = reference;
    }

    /** How much it usually counts. */
    Verdict weight() {
        return weight;
    }

    /** The section that has the rule; empty for what concerns the capture alone. */
    String reference() {
        return reference;
    }

    /** The name in output for scripts. */
    public String label() {
        return Labels.of(this);
    }
}
