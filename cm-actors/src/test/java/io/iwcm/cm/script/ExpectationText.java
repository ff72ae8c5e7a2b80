package io.iwcm.cm.script;

import io.iwcm.nic.spi.TermCode;
import java.util.Map;

/** The words after {@code >} and {@code !}. */
final class ExpectationText {

    static final String ALLOWED = "connect-request, connect-reply CAUSE, established, accept-failed CAUSE,"
            + " disconnected [CAUSE], closed [CAUSE], hand-over .., terminate qp N layer N type N code N,"
            + " close-qp [qp N], abort-qp [qp N], reinject SEGMENT, time-wait snd N rcv N, answered CAUSE";

    private ExpectationText() {}

    static Expectation segment(Words words) {
        SegmentText segment = SegmentText.parse(words, SegmentText.From.US);
        return segment::facts;
    }

    static Expectation happening(Words words) {
        if (words.take("hand-over")) {
            Facts facts = HandOverText.parse(words);
            return _ -> facts;
        }
        if (words.take("reinject")) {
            SegmentText segment = SegmentText.parse(words, SegmentText.From.PEER);
            return bases -> new Facts("reinject", segment.facts(bases).values());
        }
        Facts facts = switch (words.peek()) {
            case "terminate" -> terminate(words);
            case "close-qp", "abort-qp" -> order(words);
            case "time-wait" -> timeWait(words);
            case "answered" -> answered(words);
            case "connect-request", "connect-reply", "established", "accept-failed", "disconnected", "closed" ->
                EventText.parse(words.next(ALLOWED), words);
            default -> throw words.error(ALLOWED);
        };
        words.end();
        return _ -> facts;
    }

    /** {@code layer N type N code N}. */
    static TermCode code(Words words) {
        return new TermCode(named(words, "layer", 15), named(words, "type", 15), named(words, "code", 255));
    }

    private static Facts terminate(Words words) {
        words.next("terminate");
        String qp = Integer.toString(named(words, "qp", 0xffffff));
        return Facts.of("terminate", "qp", qp, "code", code(words).toString());
    }

    private static Facts order(Words words) {
        String kind = words.next("close-qp, abort-qp");
        return words.ended()
                ? new Facts(kind, Map.of())
                : Facts.of(kind, "qp", Integer.toString(named(words, "qp", 0xffffff)));
    }

    private static Facts timeWait(Words words) {
        words.next("time-wait");
        return Facts.of(
                "time-wait",
                "snd",
                Integer.toString(named(words, "snd", Integer.MAX_VALUE)),
                "rcv",
                Integer.toString(named(words, "rcv", Integer.MAX_VALUE)));
    }

    private static Facts answered(Words words) {
        words.next("answered");
        return Facts.of("answered", "cause", EventText.causeText(EventText.cause(words, false)));
    }

    private static int named(Words words, String name, int most) {
        if (!words.take(name)) {
            throw words.error(name + " N");
        }
        return words.number(name, 0, most);
    }
}
