package io.iwcm.cm.proto;

/** How scripts begin: text to put before a scenario. */
final class Openings {

    /** Passive: TCP stands, the MPA request is awaited. */
    static final String PASSIVE = """
        .     listen 4420
        <     S   0:0(0) mss 1460 ws 7
        >     S.  0:0(0) ack 1
        +10   <   .  1:1(0) ack 1
        """;

    /** Passive: the application has been asked; the request was 28 octets long. */
    static final String ASKED = PASSIVE + """
        <     P.  1:29(28) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "ABCD"
        >     .   1:1(0)   ack 29
        !     connect-request rev 2 ird 4 ord 3 pd "ABCD"
        """;

    /** Passive, client-server model: the application has been asked; the request was 24 octets long. */
    static final String ASKED_CLIENT_SERVER = PASSIVE + """
        <     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 no-p2p crc
        >     .   1:1(0)   ack 25
        !     connect-request rev 2 ird 4 ord 3
        """;

    /** Passive: accepted, a queue pair has it, the RTR is awaited. */
    static final String ACCEPTED = ASKED + """
        +50   .   accept qp 7 ird 4 ord 4
        !     hand-over qp 7 snd 1 una 1 rcv 29  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
        """;

    /** Passive: it stands, and the application knows. */
    static final String PASSIVE_UP = ACCEPTED + """
        +20   ae  rtr-received
        !     established ird 4 ord 4
        """;

    /** Active: our SYN is out. */
    static final String SYN_SENT = """
        .     connect ird 4 ord 3 p2p
        >     S   0:0(0) mss 1460 ws 2
        """;

    /** Active: TCP stands, our request of 24 octets is out and not acknowledged. */
    static final String ACTIVE = SYN_SENT + """
        +10   <   S.  0:0(0)   ack 1  mss 1460 ws 7
        >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc
        """;

    /** Active, with fall-back to revision 1. */
    static final String ACTIVE_FALLING_BACK = """
        .     connect ird 4 ord 3 p2p pd "hi" fallback
        >     S   0:0(0)
        +10   <   S.  0:0(0)   ack 1
        >     P.  1:27(26) ack 1   mpa-req rev 2 ird 4 ord 3 rtr write,read crc pd "hi"
        """;

    /** Active: it stands, and the application knows. */
    static final String ACTIVE_UP = ACTIVE + """
        +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
        >     .   25:25(0) ack 25
        !     hand-over qp 7 snd 25 una 25 rcv 25 rtr read
        !     connect-reply ok ird 4 ord 3 peer ird 3 ord 4
        """;

    private Openings() {}
}
