package io.iwcm.cm.proto;

import io.iwcm.cm.script.Machine;
import io.iwcm.cm.script.Script;
import io.iwcm.cm.script.Script.Scene;
import java.util.LinkedHashMap;
import java.util.Map;

/** One connection in every state that can be reached, per role, made by a short script each. */
final class TableStates {

    private static final String LISTEN = ". listen 4420\n< S 0:0(0) mss 1460 ws 7\n";
    private static final String COOKIE = ". listen 4420 cookies\n< . 1:1(0) ack 1\n";
    private static final String REJECTED = Openings.ASKED + ". reject\n> FP. 1:25(24) ack 29\n";
    private static final String ACCEPTING = Openings.ASKED + """
        nic   hold qp
        .     accept qp 7 ird 4 ord 4 = pending
        !     hand-over qp 7  lsmm mpa-rep rev 2 ird 4 ord 4 rtr read crc
        """;
    private static final String REPLIED = "nic hold qp\n" + Openings.ACTIVE + """
        <     P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr %s crc
        >     .   25:25(0) ack 25
        """;
    private static final String WE_CLOSE = ". disconnect\n! close-qp\n";
    private static final String PEER_CLOSES = "ae fin-received\n! disconnected\n! close-qp\n";
    private static final String REFUSED = Openings.ACTIVE + """
        <     P.  1:21(20) ack 25  mpa-rep rev 1 reject
        !     connect-reply rejected-ulp
        >     .   25:25(0) ack 21
        """;

    private TableStates() {}

    /** By name, in the order of a connection's life. */
    static Map<String, Scene> all() {
        Map<String, Scene> states = new LinkedHashMap<>();
        passive(states);
        cookie(states);
        active(states);
        return states;
    }

    private static void passive(Map<String, Scene> states) {
        put(states, "passive INITED, address handle awaited", "nic hold ah\n", LISTEN);
        put(states, "passive INITED, steering awaited", "nic hold quad\n", LISTEN);
        put(states, "passive SYN_RCVD", LISTEN, "> S. 0:0(0) ack 1\n");
        put(states, "passive ESTABLISHED", Openings.PASSIVE);
        put(
                states,
                "passive ESTABLISHED, one octet of the request is here",
                Openings.PASSIVE,
                "< P. 1:2(1) ack 1 \"M\"\n> . 1:1(0) ack 2\n");
        put(states, "passive MPAREQ_RCVD", Openings.ASKED);
        put(states, "passive MPAREQ_RCVD, reset by the peer", Openings.ASKED, "< R 29:29(0)\n");
        put(states, "passive CLOSE_WAIT", Openings.ASKED, "< F. 29:29(0) ack 1\n> . 1:1(0) ack 30\n");
        put(states, "passive LISTENER_DESTROYED", Openings.ASKED, ". listener-gone\n> R. 1:1(0) ack 29\n");
        put(states, "passive OFFLOADED, being taken over", ACCEPTING);
        put(states, "passive OFFLOADED, RTR awaited", Openings.ACCEPTED);
        put(states, "passive OFFLOADED, standing", Openings.PASSIVE_UP);
        put(states, "passive OFFLOADED, we close", Openings.PASSIVE_UP, WE_CLOSE);
        put(states, "passive OFFLOADED, the peer closes", Openings.PASSIVE_UP, PEER_CLOSES);
        put(states, "passive OFFLOADED, nobody to tell", Openings.PASSIVE_UP, ". application-gone\n! close-qp\n");
        put(states, "passive FIN_WAIT1", REJECTED);
        put(states, "passive FIN_WAIT2", REJECTED, "< . 29:29(0) ack 26\n");
        put(states, "passive CLOSING", REJECTED, "< F. 29:29(0) ack 1\n> . 26:26(0) ack 30\n");
        put(states, "passive LAST_ACK", Openings.PASSIVE, "< F. 1:1(0) ack 1\n> F. 1:1(0) ack 2\n");
        put(states, "passive CLOSED", Openings.PASSIVE, "< R 1:1(0)\n");
    }

    private static void cookie(Map<String, Scene> states) {
        put(states, "by a cookie INITED, address handle awaited", "nic hold ah\n", COOKIE);
        put(states, "by a cookie INITED, steering awaited", "nic hold quad\n", COOKIE);
        put(states, "by a cookie ESTABLISHED", COOKIE);
    }

    private static void active(Map<String, Scene> states) {
        put(states, "active INITED, address handle awaited", "nic hold ah\n. connect\n");
        put(states, "active INITED, steering awaited", "nic hold quad\n. connect\n");
        put(states, "active SYN_SENT", Openings.SYN_SENT);
        put(states, "active SYN_RCVD", Openings.SYN_SENT, "< S 0:0(0) mss 1460 ws 7\n> S. 0:0(0) ack 1\n");
        put(states, "active MPAREQ_SENT", Openings.ACTIVE);
        put(states, "active MPAREQ_SENT, acknowledged", Openings.ACTIVE, "< . 1:1(0) ack 25\n");
        put(states, "active MPAREQ_SENT, may fall back", Openings.ACTIVE_FALLING_BACK);
        put(states, "active MPAREJ_RCVD", REFUSED);
        put(states, "active OFFLOADED, being taken over", REPLIED.formatted("read"), "! hand-over qp 7\n");
        put(
                states,
                "active OFFLOADED, being taken over for a Terminate",
                REPLIED.formatted("send"),
                "! connect-reply protocol peer ird 3 ord 4\n"
                        + "! hand-over qp 7\n"
                        + "! terminate qp 7 layer 2 type 0 code 7\n");
        put(states, "active OFFLOADED, standing", Openings.ACTIVE_UP);
        put(states, "active OFFLOADED, we close", Openings.ACTIVE_UP, WE_CLOSE);
        put(states, "active OFFLOADED, the peer closes", Openings.ACTIVE_UP, PEER_CLOSES);
        put(states, "active OFFLOADED, nobody to tell", Openings.ACTIVE_UP, ". application-gone\n! close-qp\n");
        put(states, "active FIN_WAIT1", "~ close 1s\n", REFUSED, "+1s > F. 25:25(0) ack 21\n");
        put(states, "active FIN_WAIT2", "~ close 1s\n", REFUSED, "+1s > F. 25:25(0) ack 21\n< . 21:21(0) ack 26\n");
        put(
                states,
                "active CLOSING",
                "~ close 1s\n",
                REFUSED,
                "+1s > F. 25:25(0) ack 21\n< F. 21:21(0) ack 25\n> . 26:26(0) ack 22\n");
        put(states, "active LAST_ACK", REFUSED, "< F. 21:21(0) ack 25\n> F. 25:25(0) ack 22\n");
        put(states, "active CLOSED", Openings.SYN_SENT, "< R. 0:0(0) ack 1\n! connect-reply refused-tcp\n");
    }

    private static void put(Map<String, Scene> states, String name, String... script) {
        states.put(name, Script.against(Machine.REAL).stop(script));
    }
}
