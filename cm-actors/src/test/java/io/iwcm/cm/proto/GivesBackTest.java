package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever state a connection is in and whatever ends it: all it held is given back, each thing once, which a script checks. */
@DisplayName("The end of a connection")
class GivesBackTest {

    private static final String HALF_OPEN = """
        .     listen 4420
        <     S   0:0(0)
        >     S.  0:0(0) ack 1
        """;

    private static final String REJECTED = Openings.ASKED + """
        .     reject
        >     FP. 1:25(24) ack 29
        """;

    /** A state, and what is said when the manager stops in it. */
    enum In {
        INITED("nic hold ah\n. connect\n", "! connect-reply shutdown"),
        INITED_STEERING("nic hold quad\n. listen 4420\n< S 0:0(0)\n", ""),
        SYN_SENT(Openings.SYN_SENT, "! connect-reply shutdown"),
        SYN_RCVD(HALF_OPEN, "> R. 1:1(0) ack 1"),
        ESTABLISHED(Openings.PASSIVE, "> R. 1:1(0) ack 1"),
        MPAREQ_SENT(Openings.ACTIVE, "> R. 25:25(0) ack 1\n! connect-reply shutdown"),
        MPAREQ_RCVD(Openings.ASKED, "> R. 1:1(0) ack 29"),
        CLOSE_WAIT(Openings.ASKED + "< F. 29:29(0) ack 1\n> . 1:1(0) ack 30\n", "> R. 1:1(0) ack 30"),
        OFFLOADED_PASSIVE(Openings.PASSIVE_UP, "! close-qp\n! disconnected shutdown\n! closed shutdown"),
        OFFLOADED_ACTIVE(Openings.ACTIVE_UP, "! close-qp\n! disconnected shutdown\n! closed shutdown"),
        FIN_WAIT1(REJECTED, "> R. 26:26(0) ack 29"),
        FIN_WAIT2(REJECTED + "< . 29:29(0) ack 26\n", "> R. 26:26(0) ack 29"),
        CLOSING(REJECTED + "< F. 29:29(0) ack 1\n> . 26:26(0) ack 30\n", "> R. 26:26(0) ack 30"),
        LAST_ACK(Openings.PASSIVE + "< F. 1:1(0) ack 1\n> F. 1:1(0) ack 2\n", "> R. 2:2(0) ack 2");

        private final String opening;
        private final String last;

        In(String opening, String last) {
            this.opening = opening;
            this.last = last;
        }
    }

    @ParameterizedTest
    @EnumSource
    void fromEveryState(In state) {
        script(state.opening, ". shutdown\n" + state.last + "\nends\ncount nodes_destroyed 1\n+10h quiet\n");
    }
}
