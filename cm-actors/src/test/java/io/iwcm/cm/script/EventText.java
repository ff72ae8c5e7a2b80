package io.iwcm.cm.script;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Events to the application: the words after {@code !}, and the facts of the event that comes. */
final class EventText {

    private static final String REQUEST_WORDS = "rev N, ird N|none ord N|none, suggest ird N ord N, pd ..";
    private static final String REPLY_WORDS = "ird N ord N, peer ird N|none ord N|none, pd ..";

    private EventText() {}

    /** Reads what follows the event's name. */
    static Facts parse(String name, Words words) {
        return switch (name) {
            case "connect-request" -> request(words);
            case "connect-reply" -> reply(words);
            case "established" ->
                words.ended()
                        ? new Facts(name, Map.of())
                        : Facts.of(name, "depths", depths(words).toString());
            case "accept-failed", "disconnected", "closed" -> Facts.of(name, "cause", causeText(cause(words, true)));
            default -> throw words.error(ExpectationText.ALLOWED);
        };
    }

    static Facts facts(CmEvent event) {
        return switch (event) {
            case CmEvent.ConnectRequest(int revision, PeerDepths peer, ReadDepths suggested, Octets data) ->
                Facts.of(
                        "connect-request",
                        "rev",
                        Integer.toString(revision),
                        "peer",
                        peerText(peer),
                        "suggest",
                        suggested.toString(),
                        "pd",
                        Data.plainText(data));
            case CmEvent.ConnectReply(Cause outcome, ReadDepths depths, PeerDepths peer, Octets data) ->
                Facts.of(
                        "connect-reply",
                        "cause",
                        causeText(outcome),
                        "depths",
                        depths.toString(),
                        "peer",
                        peerText(peer),
                        "pd",
                        Data.plainText(data));
            case CmEvent.Established(ReadDepths depths) -> Facts.of("established", "depths", depths.toString());
            case CmEvent.AcceptFailed(Cause cause) -> Facts.of("accept-failed", "cause", causeText(cause));
            case CmEvent.Disconnected(Cause cause) -> Facts.of("disconnected", "cause", causeText(cause));
            case CmEvent.Closed(Cause cause) -> Facts.of("closed", "cause", causeText(cause));
        };
    }

    /** A cause by name; {@code ok} is none. With {@code optional}, the end of the line means {@code ok}. */
    static Cause cause(Words words, boolean optional) {
        return optional && words.ended() ? Cause.NONE : words.oneOf(Cause.values(), EventText::causeText);
    }

    static String causeText(Cause cause) {
        return cause == Cause.NONE ? "ok" : Words.kebab(cause);
    }

    static ReadDepths depths(Words words) {
        if (!words.take("ird")) {
            throw words.error("ird N ord N");
        }
        int ird = words.number("IRD", 0, ReadDepths.MAX);
        if (!words.take("ord")) {
            throw words.error("ord N");
        }
        return new ReadDepths(ird, words.number("ORD", 0, ReadDepths.MAX));
    }

    private static Facts request(Words words) {
        Map<String, String> facts = new LinkedHashMap<>(Map.of("peer", "not negotiated", "pd", "none"));
        while (!words.ended()) {
            if (words.take("rev")) {
                facts.put("rev", Integer.toString(words.number("a revision", 0, 255)));
            } else if (words.peek().equals("ird")) {
                facts.put("peer", peer(words));
            } else if (words.take("suggest")) {
                facts.put("suggest", depths(words).toString());
            } else if (words.take("pd")) {
                facts.put("pd", Data.plainText(Data.plain(words)));
            } else {
                throw words.error(REQUEST_WORDS);
            }
        }
        return new Facts("connect-request", facts);
    }

    private static Facts reply(Words words) {
        Map<String, String> facts = new LinkedHashMap<>(Map.of("peer", "not negotiated", "pd", "none"));
        facts.put("cause", causeText(cause(words, false)));
        while (!words.ended()) {
            if (words.peek().equals("ird")) {
                facts.put("depths", depths(words).toString());
            } else if (words.take("peer")) {
                facts.put("peer", peer(words));
            } else if (words.take("pd")) {
                facts.put("pd", Data.plainText(Data.plain(words)));
            } else {
                throw words.error(REPLY_WORDS);
            }
        }
        return new Facts("connect-reply", facts);
    }

    private static String peer(Words words) {
        if (!words.take("ird")) {
            throw words.error("ird N|none ord N|none");
        }
        int ird = MpaText.depth(words, "IRD");
        if (!words.take("ord")) {
            throw words.error("ord N|none");
        }
        return peerText(new PeerDepths(true, ird, MpaText.depth(words, "ORD")));
    }

    private static String peerText(PeerDepths peer) {
        return peer.present()
                ? "ird " + MpaText.depthText(peer.ird()) + " ord " + MpaText.depthText(peer.ord())
                : "not negotiated";
    }
}
