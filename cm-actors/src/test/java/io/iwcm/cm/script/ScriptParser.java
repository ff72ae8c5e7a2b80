package io.iwcm.cm.script;

import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.script.Statement.Line;
import io.iwcm.cm.script.Words.Word;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes lines of text. One statement per line: {@code [+TIME] [STATEMENT] [# comment]}. */
final class ScriptParser {

    private static final String ALLOWED =
            "+TIME, then < SEGMENT, > SEGMENT, ! EVENT, . CALL, ae EVENT, icmp PROBLEM .., nic ORDER,"
                    + " ~ SETTING, state NAME, count NAME N, holds nothing, quiet, ends, let NAME = WORDS";

    private final Map<String, List<Word>> definitions = new HashMap<>();
    private final List<Line> lines = new ArrayList<>();

    private ScriptParser() {}

    static List<Line> parse(List<String> text) {
        ScriptParser parser = new ScriptParser();
        for (int number = 1; number <= text.size(); number++) {
            parser.line(number, Words.of(number, text.get(number - 1), parser.definitions));
        }
        return parser.lines;
    }

    private void line(int number, Words words) {
        if (words.ended()) {
            return;
        }
        if (words.take("let")) {
            define(words);
            return;
        }
        long advanceNs = 0;
        if (words.peek().startsWith("+")) {
            String span = words.next("+TIME");
            advanceNs = Durations.parse(span.substring(1));
            if (advanceNs < 0) {
                throw words.wrong("\"" + span + "\" is no time; allowed: +N, +Nus, +Nms, +Ns, +Nm, +Nh");
            }
        }
        Statement statement = statement(words);
        words.end();
        lines.add(new Line(number, advanceNs, statement));
    }

    private void define(Words words) {
        String name = words.next("a name");
        if (!name.matches("[a-z][a-z0-9-]*")) {
            throw words.wrong("\"" + name + "\" is no name; allowed: a-z, 0-9 and dashes");
        }
        if (!words.take("=")) {
            throw words.error("=");
        }
        definitions.put(name, words.rest());
    }

    private static Statement statement(Words words) {
        if (words.ended()) {
            return new Statement.Quiet();
        }
        return switch (words.peek()) {
            case "<" -> {
                words.next("<");
                yield new Statement.PeerSends(SegmentText.parse(words, SegmentText.From.PEER));
            }
            case ">" -> {
                words.next(">");
                yield new Statement.Expect(ExpectationText.segment(words));
            }
            case "!" -> {
                words.next("!");
                yield new Statement.Expect(ExpectationText.happening(words));
            }
            case "." -> {
                words.next(".");
                yield CallText.parse(words);
            }
            case "ae" -> {
                words.next("ae");
                yield new Statement.Reports(NicText.asyncEvent(words));
            }
            case "icmp" -> {
                words.next("icmp");
                yield new Statement.IcmpSays(NicText.icmp(words));
            }
            case "nic" -> {
                words.next("nic");
                yield new Statement.NicOrder(NicText.parse(words));
            }
            case "~" -> {
                words.next("~");
                yield new Statement.Set(SettingText.parse(words));
            }
            default -> assertion(words);
        };
    }

    private static Statement assertion(Words words) {
        if (words.take("state")) {
            return new Statement.StateIs(words.oneOf(StateName.values(), Enum::name));
        }
        if (words.take("count")) {
            CmCounter counter = words.oneOf(CmCounter.values(), CmCounter::label);
            return new Statement.CountIs(counter, words.number("a number", 0, Integer.MAX_VALUE));
        }
        if (words.take("holds")) {
            if (!words.take("nothing")) {
                throw words.error("nothing");
            }
            return new Statement.HoldsNothing();
        }
        if (words.take("quiet")) {
            return new Statement.Quiet();
        }
        if (words.take("ends")) {
            return new Statement.Ends();
        }
        throw words.error(ALLOWED);
    }
}
