package io.iwcm.nic.qp;

/** What a queue pair counts: what it did not use, and what went other than planned. */
public enum QpCounter {
    UNACCEPTABLE("segments outside the receive window (RFC 9293 §3.10.7.4)"),
    WITHOUT_ACK("segments without the ACK flag, dropped"),
    ACK_OUT_OF_RANGE("acknowledgements of what was never sent or long acknowledged (RFC 5961 §5)"),
    CHALLENGED("SYNs and inexact RSTs that were suspected (RFC 5961 §§3, 4)"),
    CHALLENGE_SUPPRESSED("answers that the limit on challenge ACKs held back"),
    OUT_OF_ORDER("segments kept until what goes before them arrives"),
    OUT_OF_ORDER_DROPPED("out-of-order segments that found no room"),
    RETRANSMITTED("segments sent again"),
    PROBED("probes of a closed or tiny window"),
    FPDU("good FPDUs received"),
    FPDU_BAD_CRC("FPDUs with a bad CRC"),
    FPDU_BAD_MARKER("FPDUs with a marker that does not point at their start"),
    DISCARDED("octets that arrived after the stream had ended for MPA"),
    DDP_REFUSED("DDP segments answered with a Terminate");

    private final String sentence;

    QpCounter(String sentence) {
        this.sentence = sentence;
    }

    /** What is counted, for people. */
    public String sentence() {
        return sentence;
    }
}
