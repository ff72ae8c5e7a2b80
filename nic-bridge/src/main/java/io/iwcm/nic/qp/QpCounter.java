package io.iwcm.nic.qp;

import java.util.Locale;

/** What a queue pair counts: what it did not use, and what went other than planned. */
public enum QpCounter {
    SEGMENTS_IN("segments received"),
    SEGMENTS_OUT("segments sent, resets not counted"),
    UNACCEPTABLE("segments outside the receive window (RFC 9293 §3.10.7.4)"),
    WITHOUT_ACK("segments without the ACK flag, dropped"),
    ACK_OUT_OF_RANGE("acknowledgements of what was never sent or long acknowledged (RFC 5961 §5)"),
    CHALLENGED("SYNs and inexact RSTs that were suspected (RFC 5961 §§3, 4)"),
    CHALLENGE_SUPPRESSED("answers that the limit on challenge ACKs held back"),
    OUT_OF_ORDER("segments kept until what goes before them arrives"),
    OUT_OF_ORDER_DROPPED("out-of-order segments that found no room"),
    DUPLICATE_ACKS("acknowledgements that only repeat the last one (RFC 5681 §2)"),
    RETRANSMITTED("segments sent again"),
    FAST_RETRANSMITTED("losses told by three repeated acknowledgements (RFC 5681 §3.2)"),
    TIMED_OUT("retransmission timeouts (RFC 6298)"),
    PROBED("probes of a closed or tiny window"),
    PEER_WINDOW_CLOSED("times that the peer closed its window"),
    OUR_WINDOW_CLOSED("times that our window closed because nothing was read"),
    FPDU("good FPDUs received"),
    FPDU_BAD_CRC("FPDUs with a bad CRC"),
    FPDU_BAD_MARKER("FPDUs with a marker that does not point at their start"),
    DISCARDED("octets that arrived after the stream had ended for MPA"),
    DDP_REFUSED("DDP segments answered with a Terminate"),
    REFUSED_STAG("Writes and Read Requests for an STag that is none"),
    REFUSED_BOUNDS("Writes, Read Requests and Read Responses for octets outside a region, or beyond 2^64"),
    REFUSED_RIGHTS("Writes and Read Requests that the region or its protection domain does not allow"),
    REFUSED_INVALIDATE("Sends that invalidate an STag which cannot be invalidated"),
    REFUSED_NO_BUFFER("Sends without a posted receive, and Read Requests beyond the IRD"),
    REFUSED_MSN("untagged segments of a message that is not the next"),
    REFUSED_OFFSET("untagged segments that do not go on where the last one ended"),
    REFUSED_TOO_LONG("messages longer than the memory for them"),
    REFUSED_QUEUE("untagged segments for a queue that there is not"),
    REFUSED_VERSION("segments of another version of DDP or RDMAP"),
    REFUSED_OPCODE("segments whose opcode is unknown or not allowed there"),
    REFUSED_HEADER("segments cut short in their header, and messages cut short"),
    LOCAL_FAILURES("work that failed here, which ended the connection"),
    READS_HELD("times the next Read waited because the peer had as many open as the ORD allows"),
    ANSWERED_READS("Read Requests answered in full");

    private final String sentence;

    QpCounter(String sentence) {
        this.sentence = sentence;
    }

    /** The name under which operators know it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What is counted, for people. */
    public String sentence() {
        return sentence;
    }
}
