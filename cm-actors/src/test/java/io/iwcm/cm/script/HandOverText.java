package io.iwcm.cm.script;

import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.SeqNum;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The hand-over to a queue pair in words. What is not said of it is not compared, except that without a word there is no
 * LSMM, nothing early, nothing unacknowledged and no FIN.
 */
final class HandOverText {

    static final String WORDS =
            "qp N, snd N, una N, rcv N, mss N, send-window N, max-window N, send-scale N, window N, scale N, ird N ord"
                + " N, rtr FORM|none, crc, no-crc, send-markers, receive-markers, no-markers, p2p, no-p2p, initiator,"
                + " responder, early DATA, unacked DATA, fin, lsmm DATA";

    private static final Map<String, String> NUMBERS = Map.of(
            "mss", "mss",
            "send-window", "send-window",
            "max-window", "max-window",
            "send-scale", "send-scale",
            "window", "window",
            "scale", "scale");

    private HandOverText() {}

    static Facts parse(Words words) {
        Map<String, String> facts =
                new LinkedHashMap<>(Map.of("lsmm", "none", "early", "none", "unacked", "none", "fin", "no"));
        while (!words.ended()) {
            String word = words.next(WORDS);
            switch (word) {
                case "qp" -> facts.put("qp", Integer.toString(words.number("a QP number", 1, 0xffffff)));
                case "snd", "una", "rcv" -> facts.put(word, Integer.toString(relative(words)));
                case "ird" -> depths(words, facts);
                case "rtr" -> facts.put("rtr", words.next("send, write, read, none"));
                case "crc", "no-crc" -> facts.put("crc", word.equals("crc") ? "yes" : "no");
                case "p2p", "no-p2p" -> facts.put("p2p", word.equals("p2p") ? "yes" : "no");
                case "initiator", "responder" -> facts.put("role", word);
                case "send-markers" -> facts.put("send-markers", "yes");
                case "receive-markers" -> facts.put("receive-markers", "yes");
                case "no-markers" -> facts.putAll(Map.of("send-markers", "no", "receive-markers", "no"));
                case "fin" -> facts.put("fin", "yes");
                case "early", "unacked", "lsmm" -> facts.put(word, Data.text(Data.parse(words)));
                default -> {
                    if (!NUMBERS.containsKey(word)) {
                        throw words.wrong("\"" + word + "\" does not fit; allowed: " + WORDS);
                    }
                    facts.put(word, Integer.toString(words.number("a number", 0, Integer.MAX_VALUE)));
                }
            }
        }
        return new Facts("hand-over", facts);
    }

    static Facts facts(QpId qp, HandOver handOver, Bases bases) {
        TcpHandOver tcp = handOver.tcp();
        RdmaParams rdma = handOver.rdma();
        return Facts.of("hand-over", new String[][] {
            {"qp", Integer.toString(qp.number())},
            {"snd", relative(tcp.send().nxt(), bases.our())},
            {"una", relative(tcp.send().una(), bases.our())},
            {"rcv", relative(tcp.receive().nxt(), bases.peer())},
            {"mss", Integer.toString(tcp.mss())},
            {"send-window", Integer.toString(tcp.send().window())},
            {"max-window", Integer.toString(tcp.send().maxWindow())},
            {"send-scale", Integer.toString(tcp.send().scale())},
            {"window", Integer.toString(tcp.receive().window())},
            {"scale", Integer.toString(tcp.receive().scale())},
            {"role", rdma.initiator() ? "initiator" : "responder"},
            {"depths", rdma.depths().toString()},
            {"rtr", rdma.rtr().map(HandOverText::rtrText).orElse("none")},
            {"crc", yes(rdma.crc())},
            {"send-markers", yes(rdma.sendMarkers())},
            {"receive-markers", yes(rdma.receiveMarkers())},
            {"p2p", yes(rdma.peerToPeer())},
            {"early", Data.text(tcp.early())},
            {"unacked", Data.text(tcp.unacknowledged())},
            {"fin", yes(tcp.peerFinished())},
            {"lsmm", Data.text(handOver.lsmm())},
        });
    }

    private static int relative(Words words) {
        return words.number("a sequence number, counted from the ISN", Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static String relative(SeqNum number, SeqNum base) {
        return Integer.toString(number.minus(base));
    }

    private static void depths(Words words, Map<String, String> facts) {
        int ird = words.number("IRD", 0, 0x3ffe);
        if (!words.take("ord")) {
            throw words.error("ord N");
        }
        facts.put("depths", "ird " + ird + " ord " + words.number("ORD", 0, 0x3ffe));
    }

    private static String rtrText(Rtr rtr) {
        return Words.kebab(rtr);
    }

    private static String yes(boolean value) {
        return value ? "yes" : "no";
    }
}
