package io.iwcm.cm.script;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Segments in packetdrill's shorthand: flags, {@code seq:end(len)}, then words. Numbers count from the sender's ISN (the
 * acknowledgement from the other's); {@code =N} is an absolute number.
 */
final class SegmentText {

    private static final String FLAGS = "SFRP.UEW";
    private static final int[] FLAG_BITS = {
        Segment.SYN, Segment.FIN, Segment.RST, Segment.PSH, Segment.ACK, Segment.URG, Segment.ECE, Segment.CWR
    };
    private static final String WORDS =
            "ack N, win N, mss N|none, ws N|none, bad-options, new-isn, or data: " + Data.ALLOWED;
    private static final Pattern RANGE = Pattern.compile("(=?-?\\d{1,10}):(=?-?\\d{1,10})\\((\\d{1,5})\\)");

    /** Which side sends: decides what the numbers count from. */
    enum From {
        US,
        PEER
    }

    /**
     * A sequence number as written.
     *
     * @param absolute not counted from an ISN
     */
    private record Number(boolean absolute, long value) {

        static Number of(String text) {
            return text.startsWith("=")
                    ? new Number(true, Long.parseLong(text.substring(1)))
                    : new Number(false, Long.parseLong(text));
        }

        SeqNum in(SeqNum base) {
            return absolute ? new SeqNum((int) value) : new SeqNum(base.value() + (int) value);
        }
    }

    private final From from;
    private int flags;
    private Number seq = new Number(false, 0);
    private int length;
    private Optional<Number> ack = Optional.empty();
    private final Map<String, Integer> words = new LinkedHashMap<>();
    private boolean malformedOptions;
    private boolean newIsn;
    private Optional<Octets> data = Optional.empty();

    private SegmentText(From from) {
        this.from = from;
    }

    static SegmentText parse(Words line, From from) {
        SegmentText segment = new SegmentText(from);
        segment.flags = flags(line);
        segment.range(line);
        while (!line.ended() && segment.word(line)) {
            // Each turn has taken a word.
        }
        segment.check(line);
        return segment;
    }

    /** The segment itself: what is not said is 0, none, or a window of 65535. */
    Segment segment(Bases bases) {
        SeqNum base = from == From.US ? bases.our() : bases.peer();
        SeqNum other = from == From.US ? bases.peer() : bases.our();
        TcpOptions options = new TcpOptions(
                words.getOrDefault("mss", TcpOptions.ABSENT),
                words.getOrDefault("ws", TcpOptions.ABSENT),
                malformedOptions);
        return new Segment(
                seq.in(base),
                ack.map(number -> number.in(other)).orElse(new SeqNum(0)),
                flags,
                words.getOrDefault("win", 65_535),
                options.equals(TcpOptions.NONE) ? TcpOptions.NONE : options,
                data.orElse(length == 0 ? Octets.EMPTY : Data.fill(length)));
    }

    /** What this expects of a segment: only what was written, but never an option outside a SYN or a new ISN. */
    Facts facts(Bases bases) {
        Map<String, String> all = facts(segment(bases), bases, from, newIsn).values();
        Map<String, String> said = new LinkedHashMap<>();
        all.forEach((name, value) -> {
            boolean always = switch (name) {
                case "flags", "seq", "len", "isn" -> true;
                case "ack" -> ack.isPresent();
                case "mss", "ws" -> words.containsKey(name) || (flags & Segment.SYN) == 0;
                case "data" -> data.isPresent();
                default -> words.containsKey(name);
            };
            if (always) {
                said.put(name, value);
            }
        });
        return new Facts("segment", said);
    }

    /** Everything that can be said of a segment. */
    static Facts facts(Segment segment, Bases bases, From from, boolean newIsn) {
        SeqNum base = from == From.US ? bases.our() : bases.peer();
        SeqNum other = from == From.US ? bases.peer() : bases.our();
        return Facts.of(
                "segment",
                "flags",
                flagsText(segment.flags()),
                "seq",
                Integer.toString(segment.seq().minus(base)),
                "len",
                Integer.toString(segment.payload().length()),
                "ack",
                segment.hasAck() ? Integer.toString(segment.ack().minus(other)) : "absent",
                "win",
                Integer.toString(segment.window()),
                "mss",
                segment.options().mss() == TcpOptions.ABSENT
                        ? "none"
                        : Integer.toString(segment.options().mss()),
                "ws",
                segment.options().windowScale() == TcpOptions.ABSENT
                        ? "none"
                        : Integer.toString(segment.options().windowScale()),
                "data",
                Data.text(segment.payload()),
                "isn",
                newIsn ? "new" : "same");
    }

    /** A segment as a script would write it. */
    static String text(Segment segment, Bases bases, From from) {
        Map<String, String> facts = facts(segment, bases, from, false).values();
        int seq = Integer.parseInt(facts.get("seq"));
        StringBuilder out = new StringBuilder("%-2s %d:%d(%s)"
                .formatted(facts.get("flags"), seq, seq + segment.payload().length(), facts.get("len")));
        if (segment.hasAck()) {
            out.append(" ack ").append(facts.get("ack"));
        }
        out.append(" win ").append(segment.window());
        if (segment.syn()) {
            out.append(" mss ").append(facts.get("mss")).append(" ws ").append(facts.get("ws"));
        }
        if (!segment.payload().isEmpty()) {
            out.append("  ").append(facts.get("data"));
        }
        return out.toString();
    }

    private static int flags(Words line) {
        String text = line.next("flags: some of " + FLAGS + ", or - for none");
        int flags = 0;
        for (char letter : text.equals("-") ? new char[0] : text.toCharArray()) {
            int bit = FLAGS.indexOf(letter);
            if (bit < 0) {
                throw line.wrong("\"" + text + "\" are no flags; allowed: some of " + FLAGS + ", or - for none");
            }
            flags |= FLAG_BITS[bit];
        }
        return flags;
    }

    private static String flagsText(int flags) {
        StringBuilder out = new StringBuilder();
        for (int bit = 0; bit < FLAG_BITS.length; bit++) {
            if ((flags & FLAG_BITS[bit]) != 0) {
                out.append(FLAGS.charAt(bit));
            }
        }
        return out.isEmpty() ? "-" : out.toString();
    }

    private void range(Words line) {
        String text = line.next("seq:end(len)");
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw line.wrong("\"" + text + "\" is no range; allowed: seq:end(len), as in 1:25(24)");
        }
        seq = Number.of(range.group(1));
        length = Integer.parseInt(range.group(3));
        Number end = Number.of(range.group(2));
        if (end.absolute != seq.absolute || (int) end.value != (int) seq.value + length) {
            throw line.wrong(text + " does not add up: the end is the start plus the length");
        }
    }

    private boolean word(Words line) {
        switch (line.peek()) {
            case "ack" -> {
                line.next("ack");
                String text = line.next("a number");
                if (!text.matches("=?-?\\d{1,10}")) {
                    throw line.wrong("\"" + text + "\" is no number");
                }
                ack = Optional.of(Number.of(text));
            }
            case "win" -> {
                line.next("win");
                words.put("win", line.number("a window field", 0, 65_535));
            }
            case "mss" -> {
                line.next("mss");
                words.put("mss", line.take("none") ? TcpOptions.ABSENT : line.number("octets", 0, 65_535));
            }
            case "ws" -> {
                line.next("ws");
                words.put("ws", line.take("none") ? TcpOptions.ABSENT : line.number("a shift count", 0, 255));
            }
            case "bad-options" -> malformedOptions = line.take("bad-options");
            case "new-isn" -> newIsn = line.take("new-isn");
            default -> {
                if (!Data.begins(line)) {
                    throw line.error(WORDS);
                }
                data = Optional.of(Data.parse(line));
            }
        }
        return true;
    }

    private void check(Words line) {
        if ((flags & Segment.ACK) != 0 && ack.isEmpty()) {
            throw line.error("ack N, because the flags have a dot");
        }
        data.ifPresent(octets -> {
            if (octets.length() != length) {
                throw line.wrong("the data is " + octets.length() + " octets long, the range says " + length);
            }
        });
    }
}
