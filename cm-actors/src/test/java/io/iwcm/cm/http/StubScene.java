package io.iwcm.cm.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A node as it might be on a busy day, for the page to show. */
final class StubScene {

    static final String SCRIPT = "<script>window.owned = 1</script><img src=x onerror='window.owned = 1'>";

    private StubScene() {}

    static StubNode fill(StubNode node) {
        node.answer("node", """
            {"name": "target-1", "version": "0.1.0", "java": "25", "started": "2026-01-02T03:04:05Z", "uptime": 93784.5,
             "ready": true, "listeners": 2,
             "connections": {"OFFLOADED": 3, "MPAREQ_RCVD": 1, "SYN_RCVD": 1, "TIME_WAIT": 1}}\
            """);
        node.answer("members", """
            [{"address": "pekko://iwcm@10.9.0.2:7355", "status": "up", "roles": ["bridge", "cm"], "self": true},
             {"address": "pekko://iwcm@10.9.0.3:7355", "status": "joining", "roles": ["cm"]}]\
            """);
        passed(node, 1_000, 100, 7);
        node.answer("listeners", """
            [{"id": 1, "address": "0.0.0.0", "port": 4420, "answer": "accept", "origin": "config", "backlog": 64,
              "synBacklog": 128, "children": [
                {"address": "10.9.0.2", "port": 4420, "vlan": 0, "halfOpen": 3, "waiting": 64},
                {"address": "10.9.7.2", "port": 4420, "vlan": 7, "halfOpen": 110, "waiting": 0}]},
             {"id": 2, "address": "fd00:9::2", "port": 4421, "answer": "ask", "origin": "api", "backlog": 16,
              "synBacklog": 16, "leaseLeft": 21.5, "children": [
                {"address": "fd00:9::2", "port": 4421, "vlan": 0, "halfOpen": 0, "waiting": 1}]}]\
            """);
        node.answer("actors", """
            [{"kind": "connection", "live": 6, "started": 1912, "stopped": 1904, "failed": 2, "messages": 48211,
              "mailboxDepth": 3, "processing": {"samples": 500, "p50": 0.000041, "p99": 0.0012, "max": 0.018},
              "inMailbox": {"samples": 500, "p50": 0.00011, "p99": 0.009, "max": 0.041}},
             {"kind": "dispatcher", "live": 4, "started": 4, "stopped": 0, "failed": 0, "messages": 90000}]\
            """);
        node.connection(Histories.whole("3.17", SCRIPT));
        node.connection(connection("3.16", "passive", "OFFLOADED", "10.9.0.2", 4420, "10.9.0.1", 50458, ""));
        node.connection(connection("2.9", "active", "OFFLOADED", "fd00:9::2", 50001, "fd00:9::1", 4420, ""));
        node.connection(connection("1.4", "passive", "MPAREQ_RCVD", "10.9.0.2", 4420, "10.9.0.8", 40001, ""));
        node.connection(connection("1.3", "passive", "SYN_RCVD", "10.9.7.2", 4420, "10.9.7.9", 40002, ""));
        node.connection(connection("1.2", "active", "CLOSED", "10.9.0.2", 50002, "10.9.0.77", 4420, """
            , "ended": "2026-01-03T03:04:05Z", "cause": "PEER_RESET", "history": []\
            """));
        return node;
    }

    /** What links and counters say by now. */
    static void passed(StubNode node, long frames, long connects, long errors) {
        node.answer("links", """
            [{"name": "tap0", "kind": "tap", "mac": "02:00:00:00:00:01", "mtu": 1500, "up": true,
              "framesReceived": %d, "framesSent": 400, "drops": {"no_steering": 12},
              "addresses": [{"address": "10.9.0.2", "prefixLength": 24, "vlan": 0},
                {"address": "10.9.7.2", "prefixLength": 24, "vlan": 7}, {"address": "fd00:9::2", "prefixLength": 64, "vlan": 0}]},
             {"name": "wire1", "kind": "wire", "mac": "02:00:00:00:00:02", "mtu": 9000, "up": false,
              "framesReceived": 0, "framesSent": 0, "addresses": []}]\
            """.formatted(frames));
        node.answer("counters", """
            [{"group": "cm", "name": "hand_overs", "value": %d, "sentence": "connections handed to a queue pair"},
             {"group": "cm", "name": "connect_errs", "value": %d, "sentence": "active opens that failed"},
             {"group": "drop", "name": "tcp_bad_checksum", "value": 3, "sentence": "TCP checksum"},
             {"group": "drop", "name": "no_steering", "value": 12345, "sentence": "no quad hash entry wants it"},
             {"group": "drop", "name": "ilq_full", "value": 0, "sentence": "no dispatcher has credit for it"}]\
            """.formatted(connects, errors));
    }

    static String connection(
            String id, String role, String state, String local, int here, String remote, int there, String more) {
        return """
            {"id": "%s", "role": "%s", "state": "%s", "local": {"address": "%s", "port": %d},
             "remote": {"address": "%s", "port": %d}, "vlan": 0, "age": 75.2%s}\
            """.formatted(
                        id, role, state, local, here, remote, there, more.isEmpty() ? ", \"history\":" + " []" : more);
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Histories to draw. */
    static final class Histories {

        private Histories() {}

        /** A passive open from SYN to hand-over, with private data of the peer's that would like to be a script. */
        static String whole(String id, String privateData) {
            String quoted = Tab.quoted(" private data \"" + privateData + "\"");
            String words = quoted.substring(1, quoted.length() - 1);
            return connection(id, "passive", "OFFLOADED", "10.9.0.2", 4420, "10.9.0.1", 50457, """
                , "listener": 1, "revision": 2, "started": "2026-01-02T03:04:05Z", "depths": {"ird": 16, "ord": 8},
                 "peerDepths": {"ird": 8, "ord": 4}, "privateData": "%s", "forgotten": 2, "history": [
                 {"at": 0, "kind": "received", "text": "SYN seq 0 win 65535 mss 1460 ws 2"},
                 {"at": 0, "kind": "order", "text": "place in backlog: half open"},
                 {"at": 0, "kind": "sent", "text": "SYN-ACK seq 0 ack 1 win 65535 mss 1460 ws 2"},
                 {"at": 0, "kind": "state", "text": "INITED -> SYN_RCVD", "from": "INITED", "to": "SYN_RCVD"},
                 {"at": 0.0313, "kind": "received", "text": "ACK seq 1 ack 1 win 65535 len 29 | MPA request rev 2 crc ird 8 ord 4 peer-to-peer rtr write,read%s"},
                 {"at": 0.0313, "kind": "event", "text": "CONNECT_REQUEST mpa rev 2, peer said ird 8 ord 4 (ours would be ird 32 ord 8)"},
                 {"at": 0.0313, "kind": "state", "text": "SYN_RCVD -> MPAREQ_RCVD", "from": "SYN_RCVD", "to": "MPAREQ_RCVD"},
                 {"at": 0.5, "kind": "received", "text": "ACK seq 1 ack 1 win 65535 len 29 | MPA request rev 2 crc"},
                 {"at": 0.5, "kind": "decision", "text": "segments_unacceptable: segments outside the window"},
                 {"at": 2.71, "kind": "input", "text": "application accepts with ird 16 ord 8"},
                 {"at": 2.7101, "kind": "sent", "text": "ACK seq 1 ack 30 win 65535 len 29 | MPA reply rev 2 crc ird 16 ord 8 peer-to-peer rtr read private data \\"hello\\""},
                 {"at": 2.7101, "kind": "order", "text": "hand over to queue pair 7"},
                 {"at": 2.7101, "kind": "state", "text": "MPAREQ_RCVD -> OFFLOADED", "from": "MPAREQ_RCVD", "to": "OFFLOADED"},
                 {"at": 2.741, "kind": "received", "text": "ACK seq 30 ack 30 win 65535 len 52 | FPDU RDMA Read Request, zero-length"},
                 {"at": 2.742, "kind": "event", "text": "ESTABLISHED ird 16 ord 8"},
                 {"at": 9.1, "kind": "received", "text": "RST seq 82"}]\
                """.formatted(
                            base64(privateData), words));
        }

        /** So many segments one after the other, as when nothing gets through. */
        static String longOne(String id, int lines) {
            StringBuilder history = new StringBuilder();
            for (int line = 0; line < lines; line++) {
                if (line > 0) history.append(',');
                history.append("{\"at\": %s, \"kind\": \"%s\", \"text\": \"ACK seq %d ack 1 win 65535\"}"
                        .formatted(line / 10.0, line % 2 == 0 ? "sent" : "received", line));
            }
            return connection(
                    id,
                    "active",
                    "ESTABLISHED",
                    "10.9.0.2",
                    50010,
                    "10.9.0.1",
                    4420,
                    ", \"history\": [" + history + "]");
        }
    }
}
